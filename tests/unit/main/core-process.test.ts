import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { CoreProcess, type CoreChild } from '../../../src/main/core-process.ts';
import type { CoreEvent, CoreMessage } from '../../../src/shared/contract/ipc.ts';

class FakeChild implements CoreChild {
  readonly sent: CoreMessage[] = [];
  readonly stderr = new PassThrough();
  isKilled = false;
  #onMessage: (message: unknown) => void = () => undefined;
  #onExit: (code: number) => void = () => undefined;

  postMessage(message: CoreMessage): void {
    this.sent.push(message);
  }
  on(event: 'message' | 'exit', listener: ((message: unknown) => void) | ((code: number) => void)): void {
    if (event === 'message') this.#onMessage = listener as (message: unknown) => void;
    else this.#onExit = listener as (code: number) => void;
  }
  kill(): boolean {
    this.isKilled = true;
    return true;
  }
  says(message: unknown): void {
    this.#onMessage(message);
  }
  dies(code: number): void {
    this.#onExit(code);
  }
}

function start() {
  const children: FakeChild[] = [];
  const events: CoreEvent[] = [];
  let now = 0;
  const core = new CoreProcess({
    fork: () => {
      const child = new FakeChild();
      children.push(child);
      return child;
    },
    onEvent: (event) => events.push(event),
    now: () => now,
  });
  // Nothing runs before a request.
  expect(children).toHaveLength(0);
  void core.request('first', {});
  const child = (index = children.length - 1): FakeChild => {
    const found = children[index];
    if (found === undefined) throw new Error('no such child');
    return found;
  };
  return { core, children, child, events, wait: (ms: number) => (now += ms) };
}

describe('the measuring process', () => {
  it('gets requests and resolves each with its own answer', async () => {
    const { core, child } = start();
    const [first, second] = [core.request('a', 1), core.request('b', 2)];
    expect(child().sent.slice(1)).toEqual([
      { kind: 'request', id: 2, name: 'a', params: 1 },
      { kind: 'request', id: 3, name: 'b', params: 2 },
    ]);
    child().says({ kind: 'answer', id: 3, envelope: { ok: true, value: 'two' } });
    child().says({ kind: 'answer', id: 2, envelope: { ok: true, value: 'one' } });
    expect([await first, await second]).toEqual([
      { ok: true, value: 'one' },
      { ok: true, value: 'two' },
    ]);
  });

  it('passes events on and ignores what breaks the contract', () => {
    const { child, events } = start();
    child().says({ kind: 'event', event: { type: 'run-event', event: { type: 'stop-requested', at: 1 } } });
    child().says({ kind: 'event', event: { type: 'run-event', event: { type: 'nonsense' } } });
    child().says('hello');
    expect(events).toEqual([{ type: 'run-event', event: { type: 'stop-requested', at: 1 } }]);
  });

  it('is started again when it dies; what was asked comes back as CORE_LOST with its last words', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { core, child, children, events } = start();
    const asked = core.request('a', {});
    child().stderr.write('FATAL: out of memory\n');
    await new Promise((resolve) => setImmediate(resolve));
    child().dies(133);
    expect(await asked).toMatchObject({
      ok: false,
      error: { code: 'CORE_LOST', evidence: ['exit code 133', 'FATAL: out of memory'] },
    });
    expect(children).toHaveLength(2);
    expect(events.at(-1)).toEqual({ type: 'core-status', status: 'restarted' });
    vi.restoreAllMocks();
  });

  it('is not started over and over: after three deaths within a minute only when something is asked', () => {
    const { core, child, children, wait } = start();
    for (let death = 0; death < 3; death++) child().dies(1);
    expect(children).toHaveLength(3);
    void core.request('a', {});
    expect(children).toHaveLength(4);
    wait(61_000);
    child().dies(1);
    expect(children).toHaveLength(5);
  });

  it('cleans up before it is ended, and is not started again then', async () => {
    const { core, child, children } = start();
    const closed = core.shutDown(60_000);
    expect(child().sent).toMatchObject([{ name: 'first' }, { name: 'core:shut-down' }]);
    expect(child().isKilled).toBe(false);
    child().says({ kind: 'answer', id: 2, envelope: { ok: true, value: undefined } });
    await closed;
    expect(child().isKilled).toBe(true);
    child().dies(0);
    expect(children).toHaveLength(1);
    expect(await core.request('a', {})).toMatchObject({ ok: false, error: { code: 'CORE_LOST' } });
  });

  it('is ended after the time limit when cleaning up hangs', async () => {
    vi.useFakeTimers();
    const { core, child } = start();
    const closed = core.shutDown(8_000);
    await vi.advanceTimersByTimeAsync(7_999);
    expect(child().isKilled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    expect(child().isKilled).toBe(true);
    vi.useRealTimers();
  });
});
