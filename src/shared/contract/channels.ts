/** Apart from the contract's schemas, which the preload script must not bundle. */
export const CHANNELS = {
  request: 'whalemark:request',
  /** From the window: a listener for events exists. */
  ready: 'whalemark:ready',
  event: 'whalemark:event',
  /** From the preload script: the path of the file that was dropped onto the window last; empty: it has none. */
  dropped: 'whalemark:dropped',
} as const;
