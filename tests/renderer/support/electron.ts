import { EventEmitter } from 'node:events';
import { vi } from 'vitest';

/** The test user's answers to the system's dialogs, and the system's record of what it was asked for. */
class FakeDesktop {
  /** Answers of the next "open" dialogs. Empty: the user cancels. */
  toOpen: string[] = [];
  /** Whether the user agrees to what the system asks, and what it asked last. */
  agrees = true;
  confirmed = '';
  /** The path that "save" dialogs return; undefined: canceled. */
  saveTo: string | undefined;
  copied = '';
  /** Bytes of the picture that was copied last. */
  picture: Uint8Array | undefined;
  openedPaths: string[] = [];
  trashed: string[] = [];
  hasTrash = true;
  /** The reason why the next folder isn't opened. */
  refusal = '';

  reset(): void {
    Object.assign(this, new FakeDesktop());
  }
}

export const desktop = new FakeDesktop();

/* The part of Electron that main's request handlers use. */

export const app = {
  getVersion: () => '0.1.0',
  getLocale: () => 'en-US',
  addRecentDocument: () => undefined,
};
export const dialog = {
  showOpenDialog: () => {
    const path = desktop.toOpen.shift();
    return Promise.resolve({ canceled: path === undefined, filePaths: path === undefined ? [] : [path] });
  },
  showMessageBox: ({ detail }: { detail: string }) => {
    desktop.confirmed = detail;
    return Promise.resolve({ response: desktop.agrees ? 0 : 1 });
  },
  showSaveDialog: ({ defaultPath }: { defaultPath: string }) => {
    const { saveTo } = desktop;
    return Promise.resolve({
      canceled: saveTo === undefined,
      ...(saveTo === undefined ? {} : { filePath: `${saveTo}/${defaultPath}` }),
    });
  },
};
export const clipboard = {
  writeText: (text: string) => {
    desktop.copied = text;
    return Promise.resolve();
  },
  writeImage: ({ bytes }: { bytes: Uint8Array }) => {
    desktop.picture = bytes;
  },
};
export const nativeImage = { createFromBuffer: (bytes: Uint8Array) => ({ bytes }) };
export const shell = {
  trashItem: (path: string) => {
    if (!desktop.hasTrash) return Promise.reject(new Error('no trash'));
    desktop.trashed.push(path);
    return Promise.resolve();
  },
  openPath: (path: string) => {
    desktop.openedPaths.push(path);
    return Promise.resolve(desktop.refusal);
  },
};
export const nativeTheme = { themeSource: 'system' };
export const powerMonitor = Object.assign(new EventEmitter(), { isOnBatteryPower: () => false });
export const Menu = {
  getApplicationMenu: () => null,
  buildFromTemplate: vi.fn(),
  setApplicationMenu: vi.fn(),
};
export const ClipboardItem = undefined;
