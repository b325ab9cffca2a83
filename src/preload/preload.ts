// eslint-disable-next-line no-restricted-syntax -- the window’s side of the door
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { CHANNELS } from '../shared/contract/channels.ts';
import type { AnswerEnvelope, AppEvent, WhalemarkApi } from '../shared/contract/ipc.ts';

const api: WhalemarkApi = {
  request: (name, params) =>
    ipcRenderer.invoke(CHANNELS.request, name, params) as Promise<AnswerEnvelope<typeof name>>,
  onEvent: (listener) => {
    const forward = (_: Electron.IpcRendererEvent, event: AppEvent): void => listener(event);
    ipcRenderer.on(CHANNELS.event, forward);
    ipcRenderer.send(CHANNELS.ready);
    return () => {
      ipcRenderer.removeListener(CHANNELS.event, forward);
    };
  },
};

contextBridge.exposeInMainWorld('whalemark', api);

/** In Electron 22 a file has a `path`. */
type DroppedFile = Parameters<typeof webUtils.getPathForFile>[0] & { path?: string };
interface Page {
  addEventListener(
    type: 'drop',
    listener: (event: { dataTransfer: { files: ArrayLike<DroppedFile> } | null }) => void,
    options: { capture: true },
  ): void;
}

// Main gets the path first; the page gets none.
(globalThis as unknown as Page).addEventListener(
  'drop',
  ({ dataTransfer }) => {
    const file = dataTransfer?.files[0];
    if (file !== undefined) ipcRenderer.send(CHANNELS.dropped, file.path ?? webUtils.getPathForFile(file));
  },
  { capture: true },
);
