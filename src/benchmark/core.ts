import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { whatIsLeft } from '../shared/continuing.ts';
import { BenchmarkError } from '../shared/errors.ts';
import type { Answer, CoreEvent, Params, coreRequests, internalRequests } from '../shared/ipc.ts';
import type { RecentEntry } from '../shared/requests/results.ts';
import type { RunEvent } from '../shared/model/events.ts';
import type { Plan } from '../shared/model/plan.ts';
import type { RuntimeReport } from '../shared/model/passport.ts';
import { scheduleSchema, type Preset } from '../shared/model/preset.ts';
import { ramped, rated, untilSettled } from '../shared/model/preset-forms.ts';
import type { RunState } from '../shared/model/run-state.ts';
import type { RunView } from '../shared/model/run-view.ts';
import { viewOf, viewOfEvent } from '../shared/run-view.ts';
import { historyHandlers } from './core-history.ts';
import { housekeepingHandlers } from './core-housekeeping.ts';
import { importHandlers, recentImports } from './core-imports.ts';
import { presetHandlers } from './core-presets.ts';
import { shareHandlers } from './core-share.ts';
import { wizardSupport } from './core-wizard.ts';
import { datasetCache } from './dataset/dataset-cache.ts';
import { HistoryStore } from './history/history-store.ts';
import { ImportStore } from './import/import-store.ts';
import { loadInstallation, withSettings, type InstallationPaths } from './installation.ts';
import { loadPngAssets } from './report/png.ts';
import { OpenedResults } from './opened-results.ts';
import { connectRuntime } from './runtime/connect.ts';
import type { ContainerRuntime } from './runtime/container-runtime.ts';
import { discoverRuntimes } from './runtime/discover.ts';
import { withDockerFacts } from './runtime/docker-facts.ts';
import type { RunSecrets } from './run/context.ts';
import { removeLeftovers } from './run/leftovers.ts';
import { makePlan } from './run/plan.ts';
import { requireAnswers } from './run/preset-answers.ts';
import { checkPreset, parsePreset } from './run/preset-file.ts';
import { PresetStore } from './run/preset-store.ts';
import { repeatedPreset, repeatPlan } from './run/repeat-plan.ts';
import { RunStore } from './run/run-store.ts';
import { requireSameBench } from './run/same-bench.ts';
import { continueSession, defaultBindRoot, startSession, type RunSession } from './run/session.ts';
import { SettingsStore } from './settings-store.ts';
import { localServerImages } from './target/image.ts';

/** How many results home lists. */
const RECENT = 8;

type CoreRequestName = keyof typeof coreRequests | keyof typeof internalRequests;

/** A handler for every request that the measuring process answers. */
export type Core = { [N in CoreRequestName]: (params: Params<N>) => Promise<Answer<N>> };

export interface CoreOptions extends InstallationPaths {
  emit(event: CoreEvent): void;
}

/** The measuring process behind the app: finds runtimes, plans, runs one plan at a time, keeps results. */
export function createCore(options: CoreOptions): Core {
  const store = new RunStore(options.dataDir);
  const imports = new ImportStore(options.dataDir);
  const history = new HistoryStore(options.dataDir, store, imports);
  const presets = new PresetStore(options.presetsDir, options.dataDir);
  const referenceDir = join(options.assetsDir, 'reference');
  /** `continues`: the run that a plan goes on with. */
  const plans = new Map<
    string,
    { plan: Plan; runtime: ContainerRuntime; secrets: RunSecrets; continues?: string }
  >();
  const opened = new OpenedResults(options.dataDir);
  /** Runs of this session whose result could not be written. */
  const unsaved = new Map<string, RunState>();
  let settings = new SettingsStore(options.dataDir).current;
  let report: RuntimeReport | undefined;
  let session: RunSession | undefined;
  let starting = false;
  let sweptFor: string | undefined;
  /** The last run of this session; all of it is kept on disk only, for windows of hours take hundreds of megabytes. */
  let current: RunView | null = null;

  let looking: Promise<RuntimeReport> | undefined;

  /** Who asks while a search goes on gets what it finds. */
  const look = (preferId?: string, nearby = false): Promise<RuntimeReport> => {
    if (preferId === undefined && looking !== undefined) return looking;
    const search = lookAnew(preferId, nearby ? report : undefined).finally(() => {
      if (looking === search) looking = undefined;
    });
    looking = search;
    return search;
  };
  const lookAnew = async (preferId?: string, last?: RuntimeReport): Promise<RuntimeReport> => {
    const wanted = preferId ?? settings.runtimeId;
    report = await withDockerFacts(
      await discoverRuntimes(wanted === null ? { last } : { preferId: wanted, last }),
    );
    if (report.chosenId !== null && sweptFor !== report.chosenId) {
      sweptFor = report.chosenId;
      const runtime = connectRuntime(report);
      await removeLeftovers(
        runtime,
        defaultBindRoot(options.dataDir),
        options.appVersion,
        datasetCache(runtime, options),
      ).catch(() => undefined);
    }
    return report;
  };
  const runtimeInUse = async (id?: string): Promise<ContainerRuntime> =>
    connectRuntime(report ?? (await look()), id);
  const planOf = async (
    preset: Preset,
    { mode, image, runtimeId }: Pick<Params<'plan:make'>, 'mode' | 'image' | 'runtimeId'>,
  ): Promise<{ plan: Plan; runtime: ContainerRuntime; secrets: RunSecrets }> => {
    const runtime = await runtimeInUse(runtimeId);
    requireAnswers(preset);
    const plan = await makePlan({
      preset: image === undefined ? preset : { ...preset, server: { ...preset.server, image } },
      mode,
      runtime,
      imageNamedByUser: image !== undefined,
      clientImageFiles: (await loadInstallation(options)).clientImageFiles,
      referenceDir,
    });
    return { plan, runtime, secrets: { dsn: preset.server.dsn } };
  };
  /** A plan never holds the address of the user's own server; his preset of the same id may. */
  const dsnOf = async ({ preset }: Plan): Promise<string | undefined> =>
    (await presets.find(preset.id).catch(() => undefined))?.server.dsn;
  const viewFor = async (runId: string): Promise<RunView> => {
    await resultSaved();
    const known = opened.view(runId) ?? (current?.runId === runId ? current : undefined);
    return known ?? store.loadView(runId);
  };
  const stateFor = async (runId: string): Promise<RunState> => {
    await resultSaved();
    return (await opened.state(runId)) ?? unsaved.get(runId) ?? store.load(runId);
  };
  const recovered = store.recover().catch(() => []);
  // What was deleted in an earlier session can't be had back any more.
  const emptied = history.purge().catch(() => undefined);
  /** Between a run's last event and its result on disk is a moment that nobody should see. */
  const resultSaved = async (): Promise<void> => {
    if (session?.state()?.status === 'finished') await session.done;
  };

  const stop = async (): Promise<undefined> => {
    session?.stop();
    await session?.done;
  };

  return {
    'runtimes:look': ({ preferId, nearby }) => look(preferId, nearby),
    ...presetHandlers(presets, referenceDir),
    'plan:make': async (asked) => {
      const { presetId, presetText } = asked;
      const found =
        presetText === undefined ? await presets.find(presetId) : parsePreset(presetText, presetId);
      const planned = await planOf(withChoices(withTestSchedule(found), asked), asked);
      plans.set(planned.plan.id, planned);
      return planned.plan;
    },
    'wizard:support': async (asked) => wizardSupport(await runtimeInUse(asked.runtimeId), asked),
    'wizard:plan': async ({ text, runtimeId }) => {
      const preset = withTestSchedule(parsePreset(text, 'preset'));
      return (await planOf(preset, { mode: 'full', runtimeId })).plan;
    },
    'plan:repeat': async ({ runId, runtimeId }) => {
      const stored = (await viewFor(runId)).plan;
      const runtime = await runtimeInUse(runtimeId);
      const { preset, leftOut } = await repeatedPreset(stored, runtime);
      const dsn = await dsnOf(stored);
      const plan = await repeatPlan(
        stored,
        { preset: dsn === undefined ? preset : { ...preset, server: { ...preset.server, dsn } }, leftOut },
        {
          runtime,
          clientImageFiles: (await loadInstallation(options)).clientImageFiles,
          referenceDir,
        },
      );
      plans.set(plan.id, { plan, runtime, secrets: { dsn } });
      return plan;
    },
    'plan:continue': async ({ runId, runtimeId }) => {
      await Promise.all([recovered, resultSaved()]);
      const state = await store.continuable(runId);
      const runtime = await runtimeInUse(runtimeId);
      const secrets = { dsn: await dsnOf(state.plan) };
      await requireSameBench(state, { runtime, appVersion: options.appVersion, secrets });
      // The first sitting may have been planned in this very session, and be started anew.
      const plan = { ...state.plan, id: randomUUID(), toPrepare: stillToPrepare(state.plan) };
      plans.set(plan.id, { plan, runtime, secrets, continues: runId });
      return { plan, left: whatIsLeft(state) };
    },
    'run:start': async ({ planId, consents }) => {
      const known = plans.get(planId);
      await resultSaved();
      if (session !== undefined || starting) throw new BenchmarkError('BUSY');
      if (known === undefined) {
        throw new BenchmarkError('USAGE', {
          problem: 'This plan is no longer known.',
          fix: 'Make a new plan.',
        });
      }
      starting = true;
      try {
        const { plan, runtime, secrets, continues } = known;
        const installation = await loadInstallation(withSettings(options, settings));
        const onEvent = (event: RunEvent, state: RunState): void =>
          options.emit(
            event.type === 'run-continued'
              ? // Nobody else has what was measured before.
                { type: 'run-continues', run: viewOf(state) }
              : { type: 'run-event', event: viewOfEvent(event) },
          );
        session =
          continues === undefined
            ? await startSession(plan, runtime, installation, onEvent, { consents, secrets })
            : await continueSession(continues, runtime, installation, onEvent, { consents, secrets });
        if (continues !== undefined) {
          // From now on it is another run than the one that was opened or ended before.
          opened.forget(continues);
          unsaved.delete(continues);
          plans.delete(planId);
        }
      } finally {
        starting = false;
      }
      const started = session;
      void started.done.then(({ state, saveError }) => {
        if (saveError !== null) unsaved.set(state.runId, state);
        current = viewOf(state);
        session = undefined;
      });
      return { runId: started.runId };
    },
    'run:continuable': async ({ runId }) => {
      await Promise.all([recovered, resultSaved()]);
      return session === undefined && opened.path(runId) === undefined && store.mayGoOn(runId);
    },
    'run:stop': stop,
    'run:pause': () => asked(() => session?.pause()),
    'run:resume': () => asked(() => session?.resume()),
    'run:skip': () => asked(() => session?.skip()),
    'run:current': () => {
      const state = session?.state();
      return Promise.resolve(state === undefined ? current : viewOf(state));
    },
    ...importHandlers(imports),
    ...historyHandlers(history, {
      settled: () => Promise.all([recovered, emptied, resultSaved()]),
      openedPath: (runId) => opened.path(runId),
      isOwn: (runId) => current?.runId === runId || unsaved.has(runId),
    }),
    ...housekeepingHandlers(options, {
      runtime: runtimeInUse,
      isRunGoingOn: () => session !== undefined || starting,
    }),
    'results:recent': async () => {
      await Promise.all([recovered, resultSaved()]);
      const runs = (await store.recent(RECENT)).map((run): RecentEntry => ({ kind: 'run', ...run }));
      const all = [...runs, ...(await recentImports(imports, RECENT))];
      return titled(all.sort((a, b) => madeAt(b) - madeAt(a)).slice(0, RECENT), history);
    },
    'results:open-text': ({ name, text }) => opened.openText(text, name),
    'results:load': ({ runId }) => viewFor(runId),
    'images:local': async () => (await localServerImages(await runtimeInUse())).map((one) => one.reference),
    'results:example': () => opened.openFile(join(options.assetsDir, 'example', 'result.json.gz')),
    'core:open-result': ({ path }) => opened.openFile(path),
    ...shareHandlers(stateFor, () => loadPngAssets(options.assetsDir)),
    'core:settings': ({ settings: changed }) => {
      settings = changed;
      return Promise.resolve(undefined);
    },
    'core:shut-down': stop,
  };
}

/** What had to be fetched when the run began is here by now, unless it ended before. */
function stillToPrepare({ toPrepare, setups }: Plan): Plan['toPrepare'] {
  const missing = new Set(setups.flatMap(({ image }) => (image.imageId === null ? [image.used] : [])));
  return toPrepare.filter(({ reference }) => missing.has(reference));
}

function asked(request: () => void): Promise<undefined> {
  request();
  return Promise.resolve(undefined);
}

function madeAt(entry: RecentEntry): number {
  return entry.kind === 'run' ? entry.startedAt : entry.importedAt;
}

/** Under the names that the user gave them. */
function titled(entries: RecentEntry[], history: HistoryStore): Promise<RecentEntry[]> {
  return Promise.all(
    entries.map(async (entry) => {
      const { title } = await history.annotations(entry.kind === 'run' ? entry.runId : entry.importId);
      return { ...entry, name: title ?? entry.name };
    }),
  );
}

/** The preset with what the plan screen changes of it. Rejects with PRESET_INVALID where the choices contradict it. */
function withChoices(
  preset: Preset,
  { untilSettledMinutes, rate, ramp }: Pick<Params<'plan:make'>, 'untilSettledMinutes' | 'rate' | 'ramp'>,
): Preset {
  const timed = untilSettledMinutes === undefined ? preset : untilSettled(preset, untilSettledMinutes);
  const graded = ramp === undefined ? timed : ramped(timed, ramp);
  return rate === undefined && ramp === undefined
    ? graded
    : checkPreset(rate === undefined ? graded : rated(graded, rate), preset.id);
}

/** Tests of the app shorten the schedule of the built-in presets; nothing else about a run changes. */
function withTestSchedule(preset: Preset): Preset {
  const text = process.env['WHALEMARK_TEST_SCHEDULE'];
  if (text === undefined || text === '') return preset;
  const schedule = scheduleSchema.parse(JSON.parse(text));
  return { ...preset, schedule, short: { ...preset.short, schedule } };
}
