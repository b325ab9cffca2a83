import type { AppEvent, Core, Envelope, WhalemarkApi } from '../../../src/shared/contract/ipc.ts';
import { createDispatcher } from '../../../src/main/core/dispatch.ts';
import { GivenFile } from '../../../src/main/given-file.ts';
import {
  createDesktopHandlers,
  createDiagnosticsHandlers,
  setUpSettings,
} from '../../../src/main/requests/desktop.ts';
import { createFileHandlers } from '../../../src/main/requests/dialogs.ts';
import { createTaskHandlers } from '../../../src/main/requests/own-task.ts';
import { createRouter, type AskCore } from '../../../src/main/requests/router.ts';
import type { FakeBehavior } from '../../fake/behavior.ts';
import { createFakeCore } from '../../fake/fake-core.ts';
import { assetsFolder, presetsFolder } from './assets.ts';

export interface MainOptions {
  /** The data folder. */
  home: string;
  behavior: () => FakeBehavior;
  /** Path of the file that was dropped last, as the preload script tells it. */
  dropped?: () => string;
}

export interface FakeMain {
  api: WhalemarkApi;
  /** Sends the window an event, as menu and power do. */
  tell: (event: AppEvent) => void;
  /** Main answers and tells nothing from now on. */
  close: () => void;
}

/** The main process' own handlers and the fake core, in this process; only Electron is not the real one. */
export function startMain({ home, behavior, dropped = () => '' }: MainOptions): FakeMain {
  let isClosed = false;
  let listener: ((event: AppEvent) => void) | undefined;
  let early: AppEvent[] = [];
  const tell = (event: AppEvent): void => {
    if (isClosed) return;
    const copy = structuredClone(event);
    if (listener === undefined) early.push(copy);
    else listener(copy);
  };
  const core = startCore({ home, behavior, tell });
  const settings = setUpSettings(home, (changed) => void core.ask('core:settings', { settings: changed }));
  const given = new GivenFile();
  const route = createRouter(core.ask, {
    ...createFileHandlers(core.ask, () => undefined, dropped),
    ...createTaskHandlers(core.ask, () => undefined, dropped),
    ...createDesktopHandlers(core.ask, { opened: given, dataDir: home }),
    ...createDiagnosticsHandlers(core.ask, {
      dataDir: home,
      appVersion: '0.1.0',
      settings: () => settings.current,
    }),
    ...settings.handlers,
  });
  const api = {
    request: async (name: string, params: unknown) => {
      const envelope = await route(name, structuredClone(params));
      // A window that is closed hears no more.
      return isClosed ? new Promise<never>(() => undefined) : structuredClone(envelope);
    },
    onEvent: (wanted: (event: AppEvent) => void) => {
      listener = wanted;
      for (const event of early) wanted(event);
      early = [];
      return () => {
        listener = undefined;
      };
    },
  } as WhalemarkApi;
  return {
    api,
    tell,
    close: () => {
      isClosed = true;
      core.stop();
    },
  };
}

/** The core behind its dispatcher; when it dies there is a new one at once. */
function startCore({ home, behavior, tell }: MainOptions & { tell: (event: AppEvent) => void }): {
  ask: AskCore;
  stop: () => void;
} {
  const waiting = new Map<number, (envelope: Envelope) => void>();
  let asked = 0;
  const make = (): Core =>
    createFakeCore(
      {
        dataDir: home,
        datasetDir: null,
        assetsDir: assetsFolder(),
        presetsDir: presetsFolder,
        clientFile: '/client.cjs',
        appVersion: '0.1.0',
        emit: (event) => tell(event),
      },
      () => ({
        ...behavior(),
        die: () => {
          core = make();
          tell({ type: 'core-status', status: 'restarted' });
        },
      }),
    );
  let core = make();
  return {
    ask: (name, params) =>
      new Promise((resolve) => {
        const id = ++asked;
        waiting.set(id, resolve);
        const dispatch = createDispatcher(core, (message) => {
          if (message.kind === 'answer') waiting.get(message.id)?.(message.envelope);
        });
        void dispatch({ kind: 'request', id, name, params });
      }),
    stop: () => void core['run:stop']({}),
  };
}
