import { join } from 'node:path';
import type { Core, CoreEvent } from '../../shared/contract/ipc.ts';
import { diagnosticsHandlers, housekeepingHandlers } from './housekeeping.ts';
import { historyHandlers, importHandlers, resultHandlers, shareHandlers } from './history.ts';
import { Plans } from './plans.ts';
import { presetHandlers } from './presets.ts';
import { Runs } from './runs.ts';
import { Runtimes } from './runtimes.ts';
import { knowEndedOwners } from '../machine/owner.ts';
import { HistoryStore } from '../history/history-store.ts';
import { ImportStore } from '../import/import-store.ts';
import type { InstallationPaths } from '../installation/installation.ts';
import { readLicences } from '../installation/licences.ts';
import { OpenedResults } from '../history/opened-results.ts';
import { loadPngAssets } from '../report/png.ts';
import { PresetStore } from '../presets/preset-store.ts';
import { RunStore } from '../runs/run-store.ts';
import { SettingsStore } from '../installation/settings-store.ts';
import { localServerImages } from '../target/image.ts';

export interface CoreOptions extends InstallationPaths {
  emit(event: CoreEvent): void;
}

/** The measuring process behind the app: finds runtimes, plans, runs one plan at a time, keeps results. */
export function createCore(options: CoreOptions): Core {
  const { dataDir, assetsDir } = options;
  knowEndedOwners(dataDir);
  let settings = new SettingsStore(dataDir).current;
  const store = new RunStore(dataDir);
  const imports = new ImportStore(dataDir);
  const history = new HistoryStore(dataDir, store, imports);
  const presets = new PresetStore(options.presetsDir, dataDir);
  const opened = new OpenedResults(dataDir);
  const runtimes = new Runtimes(options, () => settings.runtimeId);
  const runs = new Runs(options, { store, opened, settings: () => settings, emit: options.emit });
  const plans = new Plans(options, {
    runtimes,
    presets,
    view: (runId) => runs.view(runId),
    continuable: (runId) => runs.continuable(runId),
  });

  return {
    'runtimes:look': ({ preferId, nearby }) => runtimes.look(preferId, nearby),
    'images:local': async () => (await localServerImages(await runtimes.inUse())).map((one) => one.reference),
    ...presetHandlers(presets, join(assetsDir, 'reference')),
    ...plans.handlers,
    ...runs.handlers(plans),
    ...resultHandlers({ runs, store, imports, history, opened, assetsDir }),
    ...importHandlers(imports),
    ...historyHandlers(history, {
      settled: () => runs.settled(),
      openedPath: (runId) => opened.path(runId),
      isOwn: (runId) => runs.isOwn(runId),
    }),
    ...shareHandlers(
      (runId) => runs.state(runId),
      () => loadPngAssets(assetsDir),
    ),
    ...housekeepingHandlers(options, {
      runtime: () => runtimes.inUse(),
      isRunGoingOn: () => runs.isGoingOn,
    }),
    ...diagnosticsHandlers(options, () => runtimes.report()),
    'app:licences': () => readLicences(assetsDir),
    'core:settings': ({ settings: changed }) => {
      settings = changed;
      return Promise.resolve(undefined);
    },
    'core:shut-down': async () => {
      await runs.stop();
      return undefined;
    },
  };
}
