// eslint-disable-next-line no-restricted-syntax -- the window’s side of the door
import { contextBridge, ipcRenderer } from 'electron';
import { CHANNELS } from '../shared/contract/channels.ts';
import type { AnswerEnvelope, AppEvent, WhalemarkApi } from '../shared/contract/ipc.ts';

/** The window's only door; main checks everything. */
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
