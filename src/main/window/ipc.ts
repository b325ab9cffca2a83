// eslint-disable-next-line no-restricted-syntax -- main’s side of the door
import { type BrowserWindow, ipcMain, type WebFrameMain } from 'electron';
import { CHANNELS } from '../../shared/contract/channels.ts';
import type { AppEvent, Envelope } from '../../shared/contract/ipc.ts';
import { isOwnAddress } from './security.ts';

type Answer = (name: unknown, params: unknown) => Promise<Envelope>;

export function setUpIpc(
  window: () => BrowserWindow | undefined,
  answer: Answer,
  onDropped: (path: string) => void,
): EventQueue<AppEvent> {
  const queue = createEventQueue<AppEvent>((event) => {
    const contents = window()?.webContents;
    if (contents !== undefined && !contents.isDestroyed()) contents.send(CHANNELS.event, event);
  });
  ipcMain.handle(CHANNELS.request, async (event, name: unknown, params: unknown) => {
    if (!isOwnSender(event.senderFrame, window())) throw new Error('This sender may not ask anything.');
    const envelope = await answer(name, params);
    // A run's snapshot includes waiting events, but not menu commands.
    if (name === 'run:current') queue.forget(({ type }) => type !== 'command');
    return envelope;
  });
  ipcMain.on(CHANNELS.ready, (event) => {
    if (isOwnSender(event.senderFrame, window())) queue.open();
  });
  ipcMain.on(CHANNELS.dropped, (event, path: unknown) => {
    if (isOwnSender(event.senderFrame, window()) && typeof path === 'string') onDropped(path);
  });
  return queue;
}

export type Frame = Pick<WebFrameMain, 'processId' | 'routingId' | 'url'>;

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
    // Electron throws for a frame that is gone.
    return false;
  }
}

interface EventQueue<E> {
  push(event: E): void;
  open(): void;
  close(): void;
  forget(isKnown: (event: E) => boolean): void;
}

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
