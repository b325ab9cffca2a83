import type { Core, CoreOptions } from '../../../src/benchmark/core.ts';
import { BenchmarkError } from '../../../src/shared/errors.ts';
import type { RunEvent } from '../../../src/shared/model/events.ts';
import type { RuntimeAttempt, RuntimeReport } from '../../../src/shared/model/passport.ts';
import type { RunState } from '../../../src/shared/model/run-state.ts';
import { reduce } from '../../../src/shared/reduce.ts';
import {
  DEMO_FACTORS,
  demoOutcomes,
  demoState,
  makeEvents,
  makePassport,
  makePlan,
  type StateShape,
} from '../../unit/builders.ts';

/**
 * Stands in for the benchmark where a test needs what a real engine can't be made to do on demand: many scenarios in
 * a moment, failures of every kind, a core that dies. `WHALEMARK_FAKE` chooses the story.
 */
const story = process.env['WHALEMARK_FAKE'] ?? 'plain';
/** Milliseconds between two events. */
const pace = Number(process.env['WHALEMARK_FAKE_PACE'] ?? '4');

const troubled: StateShape = {
  runtime: {
    kind: 'docker-desktop',
    name: 'Docker Desktop 4.67.0',
    vm: true,
    operatingSystem: 'Docker Desktop',
    kernel: '6.10.14-linuxkit',
    architecture: 'aarch64',
    cpus: 4,
    memoryBytes: 8 * 2 ** 30,
    fileSharing: 'virtiofs',
    fileSharingEvidence: 'settings-store.json',
    hostNetworking: false,
  },
  scenarios: (['named-volume', 'bind-mount', 'image-layer', 'tmpfs'] as const).flatMap((storage) =>
    (['published-port', 'user-bridge'] as const).map((path) => ({ storage, path })),
  ),
  excluded: (['named volume', 'bind mount', 'image layer', 'tmpfs'] as const).map((name) => ({
    id: `${name.replace(' ', '-')}.host-network`,
    name: `${name} × host network`,
    reason: 'Host networking is switched off in Docker Desktop (Settings → Resources → Network).',
  })),
  image: {
    requested: 'mysql:8.4',
    used: 'whalemark-test/mysql:debian-sid',
    version: '9.7.4',
    substituted: true,
    reason: 'registry-1.docker.io: no such host',
  },
  notices: [
    {
      code: 'IMAGE_SUBSTITUTED',
      message:
        'mysql:8.4 could not be fetched (registry-1.docker.io: no such host); the local image whalemark-test/mysql:debian-sid (mysql 9.7.4) was used instead.',
    },
  ],
  outcomes: {
    ...demoOutcomes({
      ...DEMO_FACTORS,
      'tmpfs.published-port': 1.7,
      'tmpfs.user-bridge': 1.8,
      'bind-mount.published-port': 0.41,
    }),
    'bind-mount.user-bridge': Array.from({ length: 5 }, () => 'DATADIR_OWNERSHIP' as const),
    'tmpfs.published-port': [1300, 1350, 'STORAGE_FULL', 1290, 1340],
  },
  errors: { '1213': 2 },
};
const shape: StateShape = story === 'troubled' ? troubled : { outcomes: demoOutcomes(DEMO_FACTORS) };

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

/** A core of which nothing is real but the shape of its answers. */
export function createCore(options: CoreOptions): Core {
  let state: RunState | undefined;
  let stopped = false;
  const finished = new Map<string, RunState>([['20260601-093000-a1b2', demoState(shape)]]);

  const emit = (event: RunEvent): void => {
    state = reduce(state, event);
    options.emit({ type: 'run-event', event });
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
    'presets:list': () => Promise.resolve([]),
    'plan:make': ({ mode }) =>
      Promise.resolve({
        ...makePlan(shape),
        mode,
        toPrepare: [
          { kind: 'pull', reference: 'mysql:8.4', bytes: 254_000_000 },
          { kind: 'build', reference: 'whalemark-client:0.1.0', bytes: null },
        ],
      }),
    'run:start': () => {
      stopped = false;
      const runId = `20260601-${String(100_000 + finished.size)}-fake`;
      void play(makeEvents({ ...shape, runId }));
      return Promise.resolve({ runId });
    },
    'run:stop': () => {
      stopped = true;
      emit({ type: 'stop-requested', at: Date.now() });
      return Promise.resolve(undefined);
    },
    'run:current': () => Promise.resolve(state ?? null),
    'results:recent': () =>
      Promise.resolve(
        [...finished.values()].reverse().map((one) => ({
          runId: one.runId,
          name: one.plan.preset.name,
          startedAt: one.startedAt,
          outcome: one.outcome ?? 'failed',
          scenarios: one.plan.scenarios.length,
        })),
      ),
    'results:load': ({ runId }) => {
      if (story === 'dies') finished.set(runId, demoState({ ...shape, runId, outcome: 'failed' }));
      return Promise.resolve(load(runId));
    },
    'images:local': () =>
      Promise.resolve(['whalemark-test/mysql:debian-sid', 'whalemark-test/mariadb:debian-trixie']),
    'core:open-result': () =>
      Promise.reject(new BenchmarkError('RESULT_UNREADABLE', { name: 'x.json', reason: 'not JSON' })),
    'core:export': () => Promise.resolve(undefined),
    'core:shut-down': () => Promise.resolve(undefined),
  };
}
