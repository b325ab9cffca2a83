import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { msg } from '../../../../src/shared/message.ts';
import type { Consent, Plan } from '../../../../src/shared/model/plan.ts';
import { makePlan, makeState } from '../../builders.ts';

vi.hoisted(() => vi.stubGlobal('__APP_VERSION__', '1.2.3'));
const PLAN: Plan = {
  ...makePlan(),
  consents: [{ consent: 'database-folder', message: msg('consent.databaseFolder', { folder: '/shop' }) }],
};
const core = vi.hoisted(() => ({ start: vi.fn(), stop: vi.fn(), end: vi.fn() }));
vi.mock('../../../../src/cli/run/runtime.ts', () => ({
  engineFinder: () => undefined,
  cleanUpBefore: () => Promise.resolve(),
}));
vi.mock('../../../../src/cli/installation.ts', () => ({
  paths: { appVersion: '1.2.3', dataDir: '/nonexistent' },
  whalemark: {
    presets: { open: () => Promise.resolve({}) },
    plan: () => Promise.resolve({ plan: PLAN, engines: [] }),
    start: core.start,
  },
}));
const { makeServer } = await import('../../../../src/cli/commands/mcp.ts');

const STATE = makeState({ outcomes: {} });
const answerSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()),
});

/** The run lasts until `core.end`. As a real start does, it refuses what isn't confirmed. */
function run(): void {
  const done = new Promise((resolve) => core.end.mockImplementation(resolve));
  core.start.mockImplementation((_: unknown, __: unknown, { consents }: { consents: readonly Consent[] }) => {
    if (!consents.includes('database-folder'))
      throw new BenchmarkError('CONSENT_MISSING', { what: '', consent: '' });
    return Promise.resolve({ stop: core.stop, done: done.then(() => ({ state: STATE })) });
  });
}

type Elicited = { action: 'accept'; content: { confirm: boolean } } | { action: 'decline' };

/** `elicited`: what the user answers; undefined: this client can't ask. */
async function client(elicited?: Elicited) {
  const [own, theirs] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<unknown, (message: JSONRPCMessage) => void>();
  const questions: string[] = [];
  own.onmessage = (message) => {
    if ('method' in message && 'id' in message) {
      questions.push(z.object({ message: z.string() }).parse(message.params).message);
      void own.send({ jsonrpc: '2.0', id: message.id, result: elicited ?? {} });
    } else if ('id' in message) waiting.get(message.id)?.(message);
  };
  await makeServer().connect(theirs);
  await own.start();
  let last = 0;
  const request = (method: string, params: object): { id: number; answer: Promise<unknown> } => {
    const id = ++last;
    const answer = new Promise<unknown>((resolve) =>
      waiting.set(id, (message) => resolve('result' in message ? message.result : message)),
    );
    void own.send({ jsonrpc: '2.0', id, method, params: { ...params } });
    return { id, answer };
  };
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: elicited === undefined ? {} : { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  }).answer;
  const call = (
    name: string,
    input: object,
  ): { id: number; answer: Promise<z.infer<typeof answerSchema>> } => {
    const { id, answer } = request('tools/call', { name, arguments: input });
    return { id, answer: answer.then((found) => answerSchema.parse(found)) };
  };
  const plan = async (): Promise<unknown> =>
    (await call('plan', { preset: 'docker-options' }).answer).structuredContent['plan'];
  const cancel = (requestId: number): Promise<void> =>
    own.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  return { call, plan, cancel, questions, tools: () => request('tools/list', {}).answer };
}

afterEach(() => vi.resetAllMocks());

describe('the tools for agents', () => {
  it('say which of them only look', async () => {
    const { tools } = z
      .object({
        tools: z.array(z.object({ name: z.string(), annotations: z.object({ readOnlyHint: z.boolean() }) })),
      })
      .parse(await (await client()).tools());
    expect(
      Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations.readOnlyHint])),
    ).toEqual({
      ...{ doctor: true, read_project: true, plan: true, measure: false, result: true },
    });
  });

  it('answer with what went wrong, as the terminal says it', async () => {
    const { call } = await client();
    const answers = await Promise.all([
      call('measure', { plan: 'none' }).answer,
      call('plan', { tmpfs: ['/a'] }).answer,
    ]);
    for (const { isError, structuredContent, content } of answers) {
      expect([isError, structuredContent]).toEqual([true, { code: 'USAGE' }]);
      expect(content[0]?.text).toMatch(/\[USAGE\]\n {2}→ /);
    }
  });
});

describe('a measurement', () => {
  it('has what the plan asks for from the user, whom the client asks', async () => {
    run();
    core.end();
    const { call, plan, questions } = await client({ action: 'accept', content: { confirm: true } });
    const { structuredContent } = await call('measure', { plan: await plan() }).answer;
    expect(questions).toEqual([expect.stringContaining('/shop')]);
    expect(structuredContent).toMatchObject({ run: STATE.runId, outcome: STATE.outcome });
  });

  it.each<Elicited>([{ action: 'decline' }, { action: 'accept', content: { confirm: false } }])(
    'isn’t made if the user answers %j, whatever the agent says',
    async (elicited) => {
      run();
      const { call, plan } = await client(elicited);
      const confirmed = ['database-folder'];
      const { structuredContent } = await call('measure', { plan: await plan(), confirmed }).answer;
      expect(structuredContent).toEqual({ code: 'CONSENT_MISSING' });
    },
  );

  it('repeats all confirmations if the client can’t ask', async () => {
    run();
    core.end();
    const { call, plan } = await client();
    const id = await plan();
    const refused = await call('measure', { plan: id }).answer;
    expect(refused.structuredContent).toEqual({ code: 'CONSENT_MISSING' });
    const { structuredContent } = await call('measure', { plan: id, confirmed: ['database-folder'] }).answer;
    expect(structuredContent).toMatchObject({ run: STATE.runId });
    // Each confirmation is for one measurement.
    expect((await call('measure', { plan: id, confirmed: ['database-folder'] }).answer).isError).toBe(true);
  });

  it('is one at a time, and stops when its request is cancelled', async () => {
    run();
    const { call, plan, cancel } = await client();
    const [first, second] = [await plan(), await plan()];
    const { id } = call('measure', { plan: first, confirmed: ['database-folder'] });
    await vi.waitFor(() => expect(core.start).toHaveBeenCalled());
    const busy = await call('measure', { plan: second, confirmed: ['database-folder'] }).answer;
    expect(busy.structuredContent).toEqual({ code: 'BUSY' });
    await cancel(id);
    await vi.waitFor(() => expect(core.stop).toHaveBeenCalledOnce());
    core.end();
    await vi.waitFor(async () => {
      const next = await call('measure', { plan: second, confirmed: ['database-folder'] }).answer;
      expect(next.structuredContent).toMatchObject({ run: STATE.runId });
    });
  });
});
