import { join } from 'node:path';
import type { Core, CoreEvent } from '../../shared/contract/ipc.ts';
import { engineParts } from '../diagnostics/engine-parts.ts';
import { housekeepingHandlers } from './housekeeping.ts';
import { resultHandlers } from './history.ts';
import { Plans } from './plans.ts';
import { presetHandlers } from './presets.ts';
import { Runs } from './runs.ts';
import { Runtimes } from './runtimes.ts';
import { Databases } from './databases.ts';
import { knowEndedOwners } from '../owners/owner.ts';
import { OwnTasks } from './own-tasks.ts';
import { HistoryStore } from '../store/history-store.ts';
import { type InstallationPaths, readLicenses } from '../installation/installation.ts';
import { OpenedResults } from '../store/opened-results.ts';
import { Whalemark } from '../service.ts';
import { SettingsStore } from '../installation/settings-store.ts';
import { localServerImages } from '../servers/image.ts';

export interface CoreOptions extends InstallationPaths {
  emit(event: CoreEvent): void;
}

export function createCore(options: CoreOptions): Core {
  const { dataDir, assetsDir } = options;
  const whalemark = new Whalemark(options);
  knowEndedOwners(dataDir);
  let settings = new SettingsStore(dataDir).current;
  const history = new HistoryStore(dataDir, whalemark.runs);
  const opened = new OpenedResults(dataDir);
  const runtimes = new Runtimes(options, () => settings.runtimeId);
  const runs = new Runs(whalemark, { opened, settings: () => settings, emit: options.emit });
  const isFromFile = async (runId: string): Promise<boolean> =>
    opened.path(runId) !== undefined || (await history.annotations(runId)).shared;
  const databases = new Databases({ runtimes, runs, isFromFile });
  const ownTasks = new OwnTasks(options.emit);
  const plans = new Plans(whalemark, {
    runtimes,
    databases,
    ownTasks,
    runs,
    isFromFile,
  });

  return {
    'runtimes:look': ({ preferId, nearby }) => runtimes.look(preferId, nearby),
    'images:local': async () => (await localServerImages(await runtimes.inUse())).map((one) => one.reference),
    ...presetHandlers(whalemark.presets, join(assetsDir, 'reference')),
    ...plans.handlers,
    ...databases.handlers,
    ...ownTasks.handlers,
    ...runs.handlers(plans),
    ...resultHandlers({ runs, store: whalemark.runs, history, opened, assetsDir }),
    ...housekeepingHandlers(options, {
      runtime: () => runtimes.inUse(),
      isRunGoingOn: () => runs.isGoingOn,
    }),
    'core:diagnostics': () => engineParts(options, () => runtimes.report()),
    'app:licenses': () => readLicenses(assetsDir),
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
