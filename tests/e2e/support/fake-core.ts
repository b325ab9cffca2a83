import { join } from 'node:path';
import type { Core, CoreOptions } from '../../../src/benchmark/core.ts';
import { importHandlers, recentImports } from '../../../src/benchmark/core-imports.ts';
import { presetHandlers } from '../../../src/benchmark/core-presets.ts';
import { shareHandlers } from '../../../src/benchmark/core-share.ts';
import { ImportStore } from '../../../src/benchmark/import/import-store.ts';
import { loadPngAssets } from '../../../src/benchmark/report/png.ts';
import { requireAnswers } from '../../../src/benchmark/run/preset-answers.ts';
import { PresetStore } from '../../../src/benchmark/run/preset-store.ts';
import { BenchmarkError } from '../../../src/shared/errors.ts';
import type { RunEvent } from '../../../src/shared/model/events.ts';
import type { RuntimeAttempt, RuntimeReport } from '../../../src/shared/model/passport.ts';
import type { RunState } from '../../../src/shared/model/run-state.ts';
import { reduce } from '../../../src/shared/reduce.ts';
import { viewOf, viewOfEvent } from '../../../src/shared/run-view.ts';
import { demoState, makeEvents, makePassport, makePlan, type StateShape } from '../../unit/builders.ts';
import { mainShape, shapeFor, withPrivateDetails } from './fake-stories.ts';

/**
 * Stands in for the benchmark where a test needs what a real engine can't be made to do on demand: many scenarios in
 * a moment, failures of every kind, a core that dies. `WHALEMARK_FAKE` chooses the story.
 */
const story = process.env['WHALEMARK_FAKE'] ?? 'plain';
/** Milliseconds between two events. */
const pace = Number(process.env['WHALEMARK_FAKE_PACE'] ?? '4');

const shape = mainShape(story);

let looks = 0;

function report(preferId?: string): RuntimeReport {
  looks += 1;
  const passport = makePassport(shape.runtime);
  const missing = new BenchmarkError('ENDPOINT_MISSING', {
    endpoint: 'unix:///root/.docker/desktop/docker.sock',
  });
  const refused = new BenchmarkError('ENDPOINT_REFUSED', {
    endpoint: 'unix:///root/.colima/default/docker.sock',
  });
  const attempt = { sameAs: [], passport: null, error: null, usable: false, chosen: false };
  const nothingYet = story === 'no-runtime' && looks === 1;
  const hasColima = story === 'two-runtimes';
  const attempts: RuntimeAttempt[] = [
    {
      ...attempt,
      id: 'context:default',
      source: 'context',
      label: 'default',
      endpoint: 'unix:///var/run/docker.sock',
      ...(nothingYet
        ? { error: missing.toData() }
        : { usable: true, sameAs: ['socket:/var/run/docker.sock'], passport }),
    },
    {
      ...attempt,
      id: 'context:colima',
      source: 'context',
      label: 'colima',
      endpoint: 'unix:///root/.colima/default/docker.sock',
      ...(hasColima
        ? { usable: true, passport: makePassport({ kind: 'colima', name: 'Colima 0.9', vm: true }) }
        : { error: refused.toData() }),
    },
    {
      ...attempt,
      id: 'socket:/var/run/docker.sock',
      source: 'socket',
      label: 'Docker Engine socket',
      endpoint: 'unix:///var/run/docker.sock',
      ...(nothingYet ? { error: missing.toData() } : { usable: true, sameAs: ['context:default'], passport }),
    },
    {
      ...attempt,
      id: 'socket:desktop',
      source: 'socket',
      label: 'Docker Desktop socket',
      endpoint: 'unix:///root/.docker/desktop/docker.sock',
      error: missing.toData(),
    },
  ];
  const chosenId = nothingYet ? null : (preferId ?? 'context:default');
  return {
    at: Date.now(),
    chosenId,
    attempts: attempts.map((one) => ({ ...one, chosen: one.id === chosenId })),
  };
}

/** A core of which only presets and imports are real, and the shape of all other answers. */
export function createCore(options: CoreOptions): Core {
  const presets = new PresetStore(options.presetsDir, options.dataDir);
  const imports = new ImportStore(options.dataDir);
  const referenceDir = join(options.assetsDir, 'reference');
  let planned: StateShape = shape;
  let needed: string[] = [];
  let state: RunState | undefined;
  let stopped = false;
  const earlier = demoState(shape);
  const finished = new Map<string, RunState>([
    ['20260601-093000-a1b2', story === 'private' ? withPrivateDetails(earlier) : earlier],
  ]);

  const emit = (event: RunEvent): void => {
    state = reduce(state, event);
    options.emit({ type: 'run-event', event: viewOfEvent(event) });
  };
  const play = async (events: RunEvent[]): Promise<void> => {
    const shift = Date.now() - (events[0]?.at ?? 0);
    for (const event of events) {
      if (stopped) break;
      emit({ ...event, at: shift + event.at });
      if (event.type === 'window' || event.type === 'step-started') {
        if (event.type === 'window' && event.window.index === 0) {
          const serverId = state?.trials.find(({ status }) => status === 'running')?.scenarioId ?? 'server';
          emit({
            type: 'server-log',
            at: Date.now(),
            serverId,
            lines: [`${event.trialId} 0 [System] [MY-010931] /usr/sbin/mysqld: ready for connections.`],
          });
        }
        await new Promise((resolve) => setTimeout(resolve, pace));
        if (story === 'dies' && event.type === 'window' && event.window.phase === 'measure') process.exit(1);
      }
    }
    if (stopped) emit({ type: 'run-finished', at: Date.now(), outcome: 'stopped', error: null });
    if (state !== undefined) finished.set(state.runId, state);
  };
  const load = (runId: string): RunState => {
    const found = finished.get(runId);
    if (found === undefined)
      throw new BenchmarkError('RESULT_UNREADABLE', { name: runId, reason: 'no such run' });
    return found;
  };
  return {
    'runtimes:look': ({ preferId }) => Promise.resolve(report(preferId)),
    ...presetHandlers(presets, referenceDir),
    ...importHandlers(imports),
    'plan:make': async ({ presetId, mode }) => {
      const preset = await presets.find(presetId);
      requireAnswers(preset);
      planned = await shapeFor(story, preset, referenceDir);
      needed = (planned.consents ?? []).map(({ consent }) => consent);
      return {
        ...makePlan(planned),
        mode,
        toPrepare: [
          { kind: 'pull', reference: 'mysql:8.4', bytes: 254_000_000 },
          { kind: 'build', reference: 'whalemark-client:0.1.0', bytes: null },
        ],
      };
    },
    'run:start': ({ consents }) => {
      if (needed.some((one) => !consents.some((given) => given === one))) {
        return Promise.reject(new Error('a consent is missing'));
      }
      stopped = false;
      const runId = `20260601-${String(100_000 + finished.size)}-fake`;
      void play(makeEvents({ ...planned, runId }));
      return Promise.resolve({ runId });
    },
    'run:stop': () => {
      stopped = true;
      emit({ type: 'stop-requested', at: Date.now() });
      return Promise.resolve(undefined);
    },
    'run:current': () => Promise.resolve(state === undefined ? null : viewOf(state)),
    'results:recent': async () => [
      ...(await recentImports(imports, 8)),
      ...[...finished.values()].reverse().map((one) => ({
        kind: 'run' as const,
        runId: one.runId,
        name: one.plan.preset.name,
        startedAt: one.startedAt,
        outcome: one.outcome ?? ('failed' as const),
        scenarios: one.plan.scenarios.length,
      })),
    ],
    'results:load': ({ runId }) => {
      if (story === 'dies') finished.set(runId, demoState({ ...shape, runId, outcome: 'failed' }));
      return Promise.resolve(viewOf(load(runId)));
    },
    'images:local': () =>
      Promise.resolve(['whalemark-test/mysql:debian-sid', 'whalemark-test/mariadb:debian-trixie']),
    'core:open-result': () =>
      Promise.reject(new BenchmarkError('RESULT_UNREADABLE', { name: 'x.json', reason: 'not JSON' })),
    ...shareHandlers(
      (runId) => Promise.resolve().then(() => load(runId)),
      () => loadPngAssets(options.assetsDir),
    ),
    'core:settings': () => Promise.resolve(undefined),
    'core:shut-down': () => Promise.resolve(undefined),
  };
}
