import { describe, expect, it } from 'vitest';
import type { Core, CoreMessage } from '../../../../src/shared/contract/ipc.ts';
import { createDispatcher } from '../../../../src/main/core/dispatch.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';

function dispatcher(handlers: Partial<Core>) {
  const posted: CoreMessage[] = [];
  const dispatch = createDispatcher(handlers as Core, (message) => posted.push(message));
  const ask = async (name: string, params: unknown): Promise<CoreMessage | undefined> => {
    await dispatch({ kind: 'request', id: 5, name, params });
    return posted.at(-1);
  };
  return { dispatch, ask, posted };
}

describe('the core’s side of the door', () => {
  it('answers with what the handler makes of the parameters, under the id of the request', async () => {
    const { ask } = dispatcher({ 'run:start': ({ planId }) => Promise.resolve({ runId: planId }) });
    expect(await ask('run:start', { planId: 'a' })).toEqual({
      kind: 'answer',
      id: 5,
      envelope: { ok: true, value: { runId: 'a' } },
    });
  });

  it('sends errors as data', async () => {
    const { ask } = dispatcher({ 'run:start': () => Promise.reject(new BenchmarkError('BUSY')) });
    expect(await ask('run:start', { planId: 'x' })).toMatchObject({
      envelope: { ok: false, error: { code: 'BUSY' } },
    });
  });

  it('answers unknown names with an error and says nothing to what is no request', async () => {
    const { ask, dispatch, posted } = dispatcher({});
    expect(await ask('constructor', {})).toMatchObject({
      envelope: { ok: false, error: { code: 'INTERNAL' } },
    });
    await dispatch({ kind: 'answer', id: 1, envelope: { ok: true, value: 1 } });
    expect(posted).toHaveLength(1);
  });
});
