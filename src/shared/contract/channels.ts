/** Names of channels, in a separate file because the preload script must not bundle the schemas. */
export const CHANNELS = {
  request: 'whalemark:request',
  /** Sent by the window once it listens for events. */
  ready: 'whalemark:ready',
  event: 'whalemark:event',
  /** Sent by the preload script with the path of the file that was dropped onto the window; empty: it has none. */
  dropped: 'whalemark:dropped',
} as const;
