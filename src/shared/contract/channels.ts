/** A separate file, because the preload script must not bundle the schemas. */
export const CHANNELS = {
  request: 'whalemark:request',
  /** From the window, once it listens for events. */
  ready: 'whalemark:ready',
  event: 'whalemark:event',
  /** From the preload script, with the dropped file's path; empty: it has none. */
  dropped: 'whalemark:dropped',
} as const;
