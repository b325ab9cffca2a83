import { expect, it } from 'vitest';
import { runInContainer } from '../../../../src/benchmark/tasks/command-container.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { limitOf } from '../../../../src/shared/model/task.ts';
import { type FakeContainer, FakeRuntime } from '../../fake-runtime.ts';
import { makePlan } from '../../plan-builder.ts';

const SECRET = 'word-of-the-user';
const TARGET = { host: '127.0.0.1', port: 49_152, user: 'u', password: 'p', database: 'd' };

function bench() {
  const runtime = new FakeRuntime();
  const told: string[] = [];
  const started: FakeContainer['spec'][] = [];
  const run = ({ limitSeconds = 600, signal = new AbortController().signal } = {}) => {
    type Arguments = Parameters<typeof runInContainer>;
    const environment = {
      ...{ prefix: 'run', nextNumber: () => 1, networks: { bridge: 'net' } },
      labels: (role: string) => ({ role }),
    } as unknown as Arguments[1];
    const command = {
      ...{ words: ['npx', SECRET], folder: '/home/u/shop', limitSeconds },
      tell: (lines: string[]) => told.push(...lines),
    };
    const running = { address: () => ({ host: 'server', port: 3306 }) } as unknown as Arguments[3]['running'];
    const [scenario] = makePlan({ scenarios: [{ storage: 'tmpfs', path: 'published-port' }] }).scenarios;
    if (scenario === undefined) throw new Error('a plan without scenarios');
    const place = { image: 'node:22', running, target: TARGET, scenario };
    return runInContainer({ runtime } as unknown as Arguments[0], environment, command, place, signal);
  };
  runtime.onStart = ({ id, spec }) => {
    started.push(spec);
    runtime.exit(id, 0);
  };
  return { runtime, run, told, started };
}

it('a command in a container sees the server by its name, and the user’s folder', async () => {
  const { runtime, run, started } = bench();
  expect(await run()).toBe(1500);
  expect(started).toMatchObject([
    {
      image: 'node:22',
      command: ['npx', SECRET],
      network: 'net',
      workingDirectory: '/work',
      mounts: [{ type: 'bind', source: '/home/u/shop', target: '/work' }],
      env: { DB_HOST: 'server', DB_PORT: '3306', DATABASE_URL: 'mysql://u:p@server:3306/d' },
    },
  ]);
  expect(runtime.containersMade.size).toBe(0);
});

it('a container that fails, never ends, or is stopped is removed, and only the user gets its words', async () => {
  const { runtime, run, told } = bench();
  runtime.onStart = (container) => {
    container.log = [...Array.from({ length: 30 }, (_, index) => `line ${index}`), SECRET];
    runtime.exit(container.id, 3);
  };
  const failed = await run().catch((error: unknown) => error);
  expect(failed).toMatchObject({ params: { reason: { code: 'task.exit', params: { code: 3 } } } });
  expect(told).toHaveLength(20);
  expect(told.at(-1)).toBe(SECRET);

  runtime.onStart = () => undefined;
  await expect(run({ limitSeconds: 0.01 })).rejects.toMatchObject({
    params: { reason: { code: 'task.limit', params: { seconds: 0.01 } } },
  });
  const stop = new AbortController();
  const stopped = run({ signal: stop.signal });
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'STOPPED' });
  expect(runtime.containersMade.size).toBe(0);
});

it('what an engine says about the user’s words is in no error', async () => {
  const { runtime, run, told } = bench();
  const reason = `exec: "${SECRET}": not found`;
  const refused = new BenchmarkError('ENGINE_REFUSED', { action: 'start', reason });
  runtime.failing.set('startContainer container-1', refused);
  const error = await run().catch((one: unknown) => one);
  expect(error).toMatchObject({ code: 'TASK_FAILED', params: { reason: { code: 'task.notStarted' } } });
  expect(JSON.stringify(error)).not.toContain(SECRET);
  expect(told.join()).toContain(SECRET);
  expect(runtime.containersMade.size).toBe(0);
});

it('the limit is the one that the user gave, otherwise half an hour', () => {
  expect(limitOf({ kind: 'dump', bytes: 1, limitSeconds: 5 })).toBe(5);
  expect(limitOf({ kind: 'migrations', count: 1 })).toBe(1800);
});
