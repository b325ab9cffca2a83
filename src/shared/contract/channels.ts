/**
 * The channels between main process and preload. In a file of their own: the preload script must not carry the
 * schemas of the contract.
 */
export const CHANNELS = {
  request: 'whalemark:request',
  /** From the window: somebody listens to events now. */
  ready: 'whalemark:ready',
  event: 'whalemark:event',
} as const;
