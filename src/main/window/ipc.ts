// eslint-disable-next-line no-restricted-syntax -- main’s side of the door
import { ipcMain, type BrowserWindow } from 'electron';
import { CHANNELS } from '../../shared/contract/channels.ts';
import type { AppEvent, Envelope } from '../../shared/contract/ipc.ts';
import { createEventQueue, type EventQueue } from './event-queue.ts';
import { isOwnSender } from './sender.ts';

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
