import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { leftOf, realRuntime, temporaryHome } from '../helpers/bench.ts';

const messageSchema = z.looseObject({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.looseObject({ message: z.string().optional() }).optional(),
  result: z.looseObject({ structuredContent: z.record(z.string(), z.unknown()).optional() }).optional(),
});
type AgentMessage = z.infer<typeof messageSchema>;

/** Options of a plan with one scenario for a second, on the server that starts soonest. */
const SET = [
  'schedule={"rounds":1,"warmupSeconds":0,"durationSeconds":1}',
  'workload={"tables":1,"tableSize":1000}',
  'server.image=mariadb:11.8',
  'server.settings.bufferPool=64',
  'server.settings.redoLogMiB=64',
  'grid={"storages":["named-volume"],"paths":["published-port"]}',
  'aaCheck=false',
];

let home: Awaited<ReturnType<typeof temporaryHome>>;
beforeAll(async () => {
  home = await temporaryHome();
});
afterAll(() => home.remove());

it('an agent plans, measures, reads the result, and stops another measurement', async () => {
  const program = spawn(process.execPath, ['out/cli/whalemark.cjs', 'mcp'], {
    env: { ...process.env, WHALEMARK_HOME: home.dataDir, WHALEMARK_DATASETS: 'off' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(program, 'close');
  const waiting = new Map<number, (message: AgentMessage) => void>();
  let onProgress = (): void => undefined;
  createInterface({ input: program.stdout }).on('line', (line) => {
    // Nothing else may be on standard output.
    const message = messageSchema.parse(JSON.parse(line));
    if (message.method === 'notifications/progress') onProgress();
    else waiting.get(message.id ?? 0)?.(message);
  });
  const send = (message: object): void => {
    program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  let last = 0;
  const request = (method: string, params: object): Promise<NonNullable<AgentMessage['result']>> => {
    const id = ++last;
    send({ id, method, params });
    return new Promise((resolve) => waiting.set(id, ({ result }) => resolve(result ?? {})));
  };
  const call = async (name: string, input: object): Promise<Record<string, unknown>> => {
    const params = { name, arguments: input, _meta: { progressToken: 'run' } };
    return (await request('tools/call', params)).structuredContent ?? {};
  };
  const plan = async (): Promise<unknown> => (await call('plan', { set: SET }))['plan'];

  const clientInfo = { name: 'test', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const { run, outcome } = await call('measure', { plan: await plan() });
  expect(outcome).toBe('completed');
  const stored = await call('result', { run });
  expect(stored['scenarios']).toMatchObject([{ tps: expect.any(Number) as number }]);

  const stopped = await plan();
  const begun = new Promise<void>((resolve) => (onProgress = resolve));
  void call('measure', { plan: stopped });
  await begun;
  send({ method: 'notifications/cancelled', params: { requestId: last } });
  program.stdin.end();
  expect(await ended).toEqual([0, null]);
  const runtime = await realRuntime();
  const runs = (await readdir(join(home.dataDir, 'runs'))).filter((name) => /^\d{8}-/.test(name));
  expect(runs).toHaveLength(2);
  for (const one of runs) expect(await leftOf(runtime, one)).toEqual([]);
});
