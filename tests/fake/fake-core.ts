import { join } from 'node:path';
import type { CoreOptions } from '../../src/benchmark/handlers/handlers.ts';
import type { Core } from '../../src/shared/contract/ipc.ts';
import { engineParts } from '../../src/benchmark/diagnostics/engine-parts.ts';
import { resultHandlers } from '../../src/benchmark/handlers/history.ts';
import { msg } from '../../src/shared/message.ts';
import { OwnTasks } from '../../src/benchmark/handlers/own-tasks.ts';
import { presetHandlers } from '../../src/benchmark/handlers/presets.ts';
import { HistoryStore } from '../../src/benchmark/store/history-store.ts';
import { readLicenses } from '../../src/benchmark/installation/installation.ts';
import { OpenedResults } from '../../src/benchmark/store/opened-results.ts';
import { NODE_IMAGE, sysbenchTag } from '../../src/benchmark/load/client-image.ts';
import { parsePreset } from '../../src/benchmark/presets/preset-file.ts';
import { readResultFile } from '../../src/benchmark/store/read-result.ts';
import type { RunToShare } from '../../src/benchmark/report/share-run.ts';
import { PresetStore, requireAnswers } from '../../src/benchmark/presets/preset-store.ts';
import { RunStore } from '../../src/benchmark/store/run-store.ts';
import { recentRunOf } from '../../src/benchmark/store/listed-run.ts';
import { BenchmarkError } from '../../src/shared/errors.ts';
import type { RunEvent } from '../../src/shared/model/events.ts';
import type { Plan } from '../../src/shared/model/plan.ts';
import type { RunState } from '../../src/shared/model/run-state.ts';
import { whatIsLeft } from '../../src/shared/run/continuing.ts';
import { resolvedPreset } from '../../src/shared/model/preset.ts';
import { smallForm } from '../../src/benchmark/presets/small-form.ts';
import { reduce } from '../../src/shared/run/reduce.ts';
import { demoState, makeEvents, makePassport, makePlan, type StateShape } from '../unit/builders.ts';
import type { FakeBehavior, Story } from './behavior.ts';
import { fakeHousekeeping } from './fake-housekeeping.ts';
import { fakeLook } from './fake-runtimes.ts';
import { fakeOverrides, FakeDatabases } from './fake-databases.ts';
import { requireMemory } from '../../src/benchmark/plan/plan-fits.ts';
import { disturbedState, mainShape, shapeFor, withPrivateDetails } from './fake-stories.ts';
import { fakeSupport, shapeOfPreset } from './fake-wizard.ts';

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The run that was there before. */
function earlierRun(story: Story): RunState {
  const earlier = story === 'disturbed' ? disturbedState() : demoState(mainShape(story));
  return story === 'private' ? withPrivateDetails(earlier) : earlier;
}

const TO_PREPARE: Plan['toPrepare'] = [
  { kind: 'pull', reference: 'mysql:8.4', bytes: 254_000_000 },
  { kind: 'pull', reference: NODE_IMAGE, bytes: 85_300_000 },
  { kind: 'build', reference: sysbenchTag({}), bytes: null, base: NODE_IMAGE },
];

/**
 * Replaces the benchmark where a test needs what a real engine can't be made to do on demand: many scenarios
 * in a moment, failures of every kind, a core that crashes. Only presets, the history on disk, and the shape
 * of all other answers are real. Each fake core begins without memories.
 */
export function createFakeCore(options: CoreOptions, behavior: () => FakeBehavior): Core {
  const look = fakeLook(behavior);
  const databases = new FakeDatabases(behavior);
  const shape = (): StateShape => mainShape(behavior().story);
  const presets = new PresetStore(options.presetsDir, options.dataDir);
  const referenceDir = join(options.assetsDir, 'reference');
  /** Plans by id; a run starts from any of them. */
  const plans = new Map<string, StateShape>();
  let planned: StateShape = shape();
  let needed: string[] = [];
  let state: RunState | undefined;
  /** The run that the last plan continues with. */
  let continues: RunState | undefined;
  let stopped = false;
  let skipRequested = false;
  const finished = new Map<string, RunState>([['20260601-093000-a1b2', earlierRun(behavior().story)]]);

  const emit = (event: RunEvent): void => {
    state = reduce(state, event);
    options.emit({ type: 'run-event', event });
  };
  const play = async (events: RunEvent[]): Promise<void> => {
    // The starter hears first that the run has begun.
    await wait(behavior().pace);
    let shift = Date.now() - (events[0]?.at ?? 0);
    let skipped: string | undefined;
    let shown = 0;
    for (const event of events) {
      if (event.type === 'trial-started' && state?.pauseRequested === true) {
        const from = Date.now();
        emit({ type: 'run-paused', at: from });
        while (!stopped && state.pauses.some(({ until }) => until === null)) await wait(10);
        shift += Date.now() - from;
      }
      if (stopped) break;
      if ('trialId' in event && event.trialId === skipped) continue;
      if (event.type === 'run-finished' && needed.includes('own-command')) {
        // Commands fail here: there is no server.
        options.emit({ type: 'command-failed', lines: ['the command wrote this'] });
        const error = new BenchmarkError('TASK_FAILED', { reason: msg('task.exit', { code: 1 }) }).toData();
        emit({ ...event, at: shift + event.at, outcome: 'failed', error });
        break;
      }
      emit({ ...event, at: shift + event.at });
      if (skipRequested && event.type === 'window') {
        skipRequested = false;
        skipped = event.trialId;
        const error = new BenchmarkError('SKIPPED').toData();
        emit({ type: 'trial-failed', at: shift + event.at, trialId: skipped, error });
        continue;
      }
      if (event.type === 'window' || event.type === 'step-started') {
        if (event.type === 'window' && event.window.index === 0) {
          const scenarioId = state?.trials.find(({ status }) => status === 'running')?.scenarioId;
          const serverId = state?.plan.scenarios.find(({ id }) => id === scenarioId)?.serverId ?? 'server';
          emit({
            type: 'server-log',
            at: Date.now(),
            serverId,
            lines: [`${event.trialId} 0 [System] [MY-010931] /usr/sbin/mysqld: ready for connections.`],
          });
        }
        shown++;
        // A changed limit counts at once, so that a test can resume a run.
        const since = Date.now();
        const isHeld = (): boolean => shown >= behavior().holdAfter || Date.now() - since < behavior().pace;
        while (!stopped && isHeld()) await wait(Math.min(10, behavior().pace || 10));
        if (behavior().story === 'dies' && event.type === 'window' && event.window.phase === 'measure') {
          behavior().die();
          return;
        }
      }
    }
    if (stopped) emit({ type: 'run-finished', at: Date.now(), outcome: 'stopped', error: null });
    if (state !== undefined) finished.set(state.runId, state);
  };
  const opened = new OpenedResults(options.dataDir);
  const store = new RunStore(options.dataDir);
  const history = new HistoryStore(options.dataDir, store);
  const pathOf = async (runId: string): Promise<string> => opened.path(runId) ?? (await store.pathOf(runId));
  const load = async (runId: string): Promise<RunState> =>
    finished.get(runId) ?? (await readResultFile(await pathOf(runId), runId));
  const toShare = async (runId: string): Promise<RunToShare> =>
    finished.has(runId) ? { state: await load(runId) } : { path: await pathOf(runId), name: runId };
  const ownTasks = new OwnTasks((event) => options.emit(event));
  return {
    'core:diagnostics': () => engineParts(options, () => Promise.resolve(look())),
    'runtimes:look': ({ preferId }) => Promise.resolve(look(preferId)),
    ...presetHandlers(presets, referenceDir),
    ...ownTasks.handlers,
    ...fakeHousekeeping(options.dataDir, behavior),
    'app:licenses': () => readLicenses(options.assetsDir),
    ...resultHandlers({
      runs: {
        ...{ load, toShare },
        settled: () => Promise.resolve(),
        isOwn: (runId) => finished.has(runId),
      },
      ...{ store, history, opened, assetsDir: options.assetsDir },
    }),
    ...databases.handlers,
    'databases:write-override': () => Promise.resolve(undefined),
    'databases:overrides': async ({ runId }) => fakeOverrides((await load(runId)).plan),
    'wizard:support': () => Promise.resolve(fakeSupport(makePassport(shape().runtime))),
    'wizard:plan': ({ text }) =>
      Promise.resolve({
        ...makePlan(shapeOfPreset(parsePreset(text, 'draft'), shape())),
        toPrepare: [{ kind: 'pull' as const, reference: 'mysql:8.4', bytes: 254_000_000 }],
      }),
    'plan:make': async ({ presetId, presetText, database, ownTask, mode, image }) => {
      if (behavior().story === 'no-registry' && image === undefined) {
        throw new BenchmarkError('REGISTRY_UNREACHABLE', {
          ...{ image: 'mysql:8.4', reason: msg('image.registryUnreachable'), local: 'mysql:9.7' },
        });
      }
      if (database !== undefined) {
        continues = undefined;
        planned = databases.shape(database);
        const id = `plan-${String(plans.size + 1)}`;
        plans.set(id, planned);
        return { ...makePlan(planned), id, mode };
      }
      const preset =
        presetText === undefined ? await presets.find(presetId) : parsePreset(presetText, presetId);
      requireAnswers(resolvedPreset(preset));
      continues = undefined;
      planned = {
        ...(presetText === undefined
          ? await shapeFor(behavior().story, preset, referenceDir)
          : shapeOfPreset(preset, shape())),
      };
      const isCommand = ownTask !== undefined && ownTasks.get(ownTask).task.kind === 'command';
      if (isCommand) planned.consents = [{ consent: 'own-command', message: msg('consent.ownCommand') }];
      const plan = makePlan(planned);
      const id = `plan-${String(plans.size + 1)}`;
      plans.set(id, planned);
      requireMemory((mode === 'small' ? smallForm(preset) : undefined) ?? preset, plan);
      return {
        ...plan,
        id,
        mode,
        toPrepare: behavior().story === 'troubled' ? TO_PREPARE : [],
      };
    },
    'plan:repeat': async ({ runId }) => {
      const { plan } = await load(runId);
      planned = shape();
      continues = undefined;
      needed = plan.consents.map(({ consent }) => consent);
      return { ...plan, id: 'plan-repeated' };
    },
    'run:continuable': ({ runId }) => Promise.resolve(finished.has(runId)),
    'run:save-error': ({ runId }) =>
      Promise.resolve(
        behavior().story === 'unsaved' && state?.runId === runId
          ? new BenchmarkError('RESULT_UNSAVED', {
              reason: 'ENOSPC: no space left on device, write',
            }).toData()
          : null,
      ),
    'plan:continue': async ({ runId }) => {
      const run = await load(runId);
      continues = run;
      return { plan: { ...run.plan, id: 'plan-continued' }, left: whatIsLeft(run) };
    },
    'run:start': ({ planId, consents }) => {
      const made = plans.get(planId);
      if (made !== undefined) {
        planned = made;
        needed = (made.consents ?? []).map(({ consent }) => consent);
      }
      if (needed.some((one) => !consents.some((given) => given === one))) {
        return Promise.reject(new Error('a consent is missing'));
      }
      stopped = false;
      if (continues !== undefined) {
        const { runId } = continues;
        const at = Date.now();
        state = reduce(continues, {
          type: 'run-continued',
          at,
          from: continues.finishedAt ?? at,
          owner: 'fake',
        });
        if (state === undefined) return Promise.reject(new Error('a run was expected'));
        options.emit({ type: 'run-continues', run: state });
        // Measured trials aren't measured again, and the run has begun.
        const left = new Set(state.trials.flatMap(({ id, status }) => (status === 'pending' ? [id] : [])));
        const events = makeEvents({ ...planned, runId });
        continues = undefined;
        void play(
          events.filter((one) => ('trialId' in one ? left.has(one.trialId) : one.type !== 'run-started')),
        );
        return Promise.resolve({ runId });
      }
      const runId = `20260601-${String(100_000 + finished.size)}-fake`;
      void play(makeEvents({ ...planned, runId }));
      return Promise.resolve({ runId });
    },
    'run:stop': () => {
      stopped = true;
      emit({ type: 'stop-requested', at: Date.now() });
      return Promise.resolve(undefined);
    },
    'run:pause': () => {
      emit({ type: 'pause-requested', at: Date.now() });
      return Promise.resolve(undefined);
    },
    'run:resume': () => {
      emit({ type: 'run-resumed', at: Date.now() });
      return Promise.resolve(undefined);
    },
    'run:skip': () => {
      skipRequested = true;
      return Promise.resolve(undefined);
    },
    'run:current': () => Promise.resolve(state ?? null),
    'results:recent': async () => {
      // A folder that can't be read rejects here.
      await store.recent(0);
      return [...finished.values()].reverse().flatMap((one) => recentRunOf(one) ?? []);
    },
    'results:example': () => Promise.resolve(demoState({ runId: '20260101-120000-example' })),
    'results:load': async ({ runId }) => {
      if (behavior().story === 'dies') {
        // The next core finds the run in this state in the journal.
        const error = new BenchmarkError('CORE_LOST').toData();
        finished.set(runId, { ...demoState({ ...shape(), runId, outcome: 'failed' }), error });
      }
      return await load(runId);
    },
    'images:local': () =>
      Promise.resolve(['whalemark-test/mysql:debian-sid', 'whalemark-test/mariadb:debian-trixie']),
    'core:settings': () => Promise.resolve(undefined),
    'core:shut-down': () => Promise.resolve(undefined),
  };
}
