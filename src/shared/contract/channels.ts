/** A separate file, because the preload script must not bundle the schemas. */
export const CHANNELS = {
  request: 'whalemark:request',
  /** The window's message that it listens for events. */
  ready: 'whalemark:ready',
  event: 'whalemark:event',
  /** The preload script's message with the dropped file's path; empty: it has none. */
  dropped: 'whalemark:dropped',
} as const;
