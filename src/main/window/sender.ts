import type { WebFrameMain } from 'electron';
import { isOwnAddress } from './security.ts';

/** What tells frames apart. */
export type Frame = Pick<WebFrameMain, 'processId' | 'routingId' | 'url'>;

/** True for the main frame of our window while it shows our page, false for every other sender. */
export function isOwnSender(
  frame: Frame | null | undefined,
  window: { webContents: { mainFrame: Frame } } | undefined,
): boolean {
  try {
    const own = window?.webContents.mainFrame;
    return (
      frame !== null &&
      frame !== undefined &&
      own !== undefined &&
      frame.processId === own.processId &&
      frame.routingId === own.routingId &&
      isOwnAddress(frame.url)
    );
  } catch {
    // A frame that has gone since, or the window's: Electron throws when either is read.
    return false;
  }
}
