// eslint-disable-next-line no-restricted-syntax -- main’s side of the door
import { type BrowserWindow, ipcMain, type WebFrameMain } from 'electron';
import { CHANNELS } from '../../shared/contract/channels.ts';
import type { AppEvent, Envelope } from '../../shared/contract/ipc.ts';
import { isOwnAddress } from './security.ts';

type Answer = (name: unknown, params: unknown) => Promise<Envelope>;

/** The only user of `ipcMain`. Returns the queue through which events reach the window. */
export function setUpIpc(window: () => BrowserWindow | undefined, answer: Answer): EventQueue<AppEvent> {
  const queue = createEventQueue<AppEvent>((event) => {
    const contents = window()?.webContents;
    if (contents !== undefined && !contents.isDestroyed()) contents.send(CHANNELS.event, event);
  });
  ipcMain.handle(CHANNELS.request, async (event, name: unknown, params: unknown) => {
    if (!isOwnSender(event.senderFrame, window())) throw new Error('This sender may not ask anything.');
    const envelope = await answer(name, params);
    // The snapshot of a run holds all of it that waits for a page which is still starting; what the user has chosen in
    // the menu meanwhile is not in it.
    if (name === 'run:current') queue.forget(({ type }) => type !== 'command');
    return envelope;
  });
  ipcMain.on(CHANNELS.ready, (event) => {
    if (isOwnSender(event.senderFrame, window())) queue.open();
  });
  return queue;
}

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

/** Keeps events while nobody in the window listens, so that none is lost while the page loads. */
interface EventQueue<E> {
  push(event: E): void;
  /** Somebody listens: what waited is sent, in order. */
  open(): void;
  /** The page went away; events wait again, those for the old page are of no use to the next. */
  close(): void;
  /** Forgets those that wait and that the window has just learnt of in another way. */
  forget(isKnown: (event: E) => boolean): void;
}

/** A queue that sends what it holds as soon as somebody listens. */
export function createEventQueue<E>(send: (event: E) => void): EventQueue<E> {
  let waiting: E[] = [];
  let isOpen = false;
  return {
    push(event) {
      if (isOpen) send(event);
      else waiting.push(event);
    },
    open() {
      isOpen = true;
      const events = waiting;
      waiting = [];
      for (const event of events) send(event);
    },
    close() {
      isOpen = false;
      waiting = [];
    },
    forget(isKnown) {
      waiting = waiting.filter((event) => !isKnown(event));
    },
  };
}
