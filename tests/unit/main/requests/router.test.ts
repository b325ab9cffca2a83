import { describe, expect, it, vi } from 'vitest';
import {
  createRouter,
  valueFromCore,
  type AskCore,
  type MainHandlers,
} from '../../../../src/main/requests/router.ts';
import { BenchmarkError, toErrorData } from '../../../../src/shared/errors.ts';
import type { Envelope } from '../../../../src/shared/contract/ipc.ts';

function router(answers: Record<string, Envelope> = {}, handlers: Partial<MainHandlers> = {}) {
  const askCore = vi.fn<AskCore>((name) =>
    Promise.resolve(answers[name] ?? { ok: false, error: toErrorData(new Error('not expected')) }),
  );
  // Requests that no test makes have no handler.
  const route = createRouter(askCore, handlers as MainHandlers);
  return { route, askCore };
}

describe('what the window asks', () => {
  it.each([
    ['a name that is none', 7, {}],
    ['an unknown name', 'images:remove', {}],
    ['a name that every object inherits', 'toString', {}],
    ['a request that only main may make', 'core:history-folder', { id: 'x' }],
    ['a path for a request whose file main asks for', 'results:open', { path: '/etc/passwd' }],
  ])('refuses %s without asking anybody', async (_, name, params) => {
    const { route, askCore } = router();
    expect(await route(name, params)).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
    expect(askCore).not.toHaveBeenCalled();
  });

  it('names the field that is wrong', async () => {
    const answer = await router().route('results:export', {
      runId: 'x',
      include: [],
      language: 'en',
      format: 'pdf',
    });
    expect(answer.ok ? [] : answer.error.evidence).toEqual([expect.stringMatching(/^format: /)]);
  });

  it('refuses an answer that breaks the contract', async () => {
    const { route } = router({ 'images:local': { ok: true, value: [7] } });
    expect(await route('images:local', {})).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
  });

  it('passes the core’s errors on as they are', async () => {
    const error = new BenchmarkError('BUSY').toData();
    const { route } = router({ 'run:start': { ok: false, error } });
    expect(await route('run:start', { planId: 'x' })).toEqual({ ok: false, error });
  });

  it('makes an envelope of whatever a handler throws', async () => {
    const error = new BenchmarkError('RESULT_UNREADABLE', { name: 'x', reason: 'y' });
    const core: AskCore = () => Promise.resolve({ ok: false, error: error.toData() });
    const thrown = router({}, { 'results:open': () => Promise.reject(new Error('boom')) });
    const refused = router(
      {},
      {
        'results:open': async () => {
          await valueFromCore(core, 'results:open', { path: '/x' });
          return null;
        },
      },
    );
    expect(await thrown.route('results:open', {})).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
    expect(await refused.route('results:open', {})).toEqual({ ok: false, error: error.toData() });
  });
});
