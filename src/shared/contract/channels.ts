/**
 * Channels between main process and preload, apart from the contract's schemas, which the preload script must not
 * bundle.
 */
export const CHANNELS = {
  request: 'whalemark:request',
  /** From the window: a listener for events exists. */
  ready: 'whalemark:ready',
  event: 'whalemark:event',
} as const;
