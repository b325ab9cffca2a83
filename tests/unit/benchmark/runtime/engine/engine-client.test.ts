import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { EngineClient, checked } from '../../../../../src/benchmark/runtime/engine/engine-client.ts';
import { httpEngine } from './http-engine.ts';
import { saying } from '../../../../helpers/saying.ts';

const client = new EngineClient({ kind: 'socket', path: '/nothing/here.sock' });
const never = (): Promise<never> => new Promise(() => undefined);

const refused = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));

describe('EngineClient', () => {
  it('gives a call up at its deadline and frees its connection', async () => {
    let given: AbortSignal | undefined;
    const work = (signal: AbortSignal): Promise<never> => {
      given = signal;
      return never();
    };
    await expect(client.call('create a container', work, { deadlineMs: 10 })).rejects.toMatchObject({
      code: 'ENGINE_LOST',
      evidence: [saying('^create a container: .*0.01 s')],
    });
    expect(given?.aborted).toBe(true);
  });

  it('asks a question once more that was not answered, but not one that was refused', async () => {
    let asked = 0;
    const second = (): Promise<string> => (++asked === 1 ? never() : Promise.resolve('answer'));
    expect(await client.ask('look at a container', second, 10)).toBe('answer');
    expect(asked).toBe(2);

    const once = vi.fn(refused);
    await expect(client.ask('look at a container', once)).rejects.toMatchObject({ code: 'ENGINE_LOST' });
    expect(once).toHaveBeenCalledTimes(1);
  });

  it('stops a call when asked to, before it or during it', async () => {
    const controller = new AbortController();
    const calling = client.call('pull an image', never, { deadlineMs: null, signal: controller.signal });
    controller.abort();
    await expect(calling).rejects.toMatchObject({ code: 'STOPPED' });
    const late = client.call('pull an image', never, { signal: controller.signal });
    await expect(late).rejects.toMatchObject({ code: 'STOPPED' });
  });

  it.each([
    ['ends when the engine is away', [false, false, false, false], 'ENGINE_LOST'],
    ['survives an engine that is away for a moment', [true, false, true, false, true], 'ended'],
  ])('watches a long call, which %s', async (_, pings, how) => {
    vi.useFakeTimers();
    try {
      const waiting = new EngineClient({ kind: 'socket', path: '/nothing/here.sock' });
      let answered = 0;
      let end = (): void => undefined;
      const promise = new Promise<string>((resolve) => (end = () => resolve('ended')));
      vi.spyOn(waiting.docker, 'ping').mockImplementation(() =>
        pings[answered++] === false ? refused() : Promise.resolve('OK'),
      );
      const outcome = (call: Promise<string>): Promise<string> =>
        call.catch((error: { code: string }) => error.code);
      const calls = [
        outcome(waiting.call('wait', () => promise, { deadlineMs: null })),
        outcome(waiting.call('stop a container', () => promise, { deadlineMs: 240_000 })),
      ];
      await vi.advanceTimersByTimeAsync(15_001 * pings.length);
      end();
      expect(await Promise.all(calls)).toEqual([how, how]);
      // Nothing begins on an engine that is still away.
      const next = vi.fn(() => Promise.resolve('ended'));
      pings[answered] = pings.at(-1) === true;
      expect(await outcome(waiting.call('remove a container', next))).toBe(how);
      expect(next).toHaveBeenCalledTimes(how === 'ended' ? 1 : 0);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves the signal of a finished call alone, since its stream may still flow', async () => {
    let given: AbortSignal | undefined;
    await client.call('x', async (signal) => {
      given = signal;
    });
    expect(given?.aborted).toBe(false);
  });

  it('names a socket that is not there without its path', async () => {
    const lost = { code: 'ENGINE_LOST', evidence: [saying('^ping: ENOENT$')] };
    await expect(client.call('ping', () => client.docker.ping())).rejects.toMatchObject(lost);
  });

  it('shows nothing of itself to docker-modem’s debug log', () => {
    const tls = { ca: 'CA', cert: 'CERT', key: 'SECRET', verify: true };
    const secret = new EngineClient({ kind: 'tcp', host: '::1', port: 2376, tls });
    const modem: unknown = secret.docker.modem;
    expect(modem).toMatchObject({ host: 'https://[::1]', port: 2376, protocol: 'https' });
    expect(inspect(modem, { showHidden: true, depth: null })).not.toContain('SECRET');
  });
});

describe('checked', () => {
  it('passes on what fits and names what does not', () => {
    const schema = z.object({ Id: z.string() });
    expect(checked(schema, { Id: 'x', More: 1 }, 'x')).toEqual({ Id: 'x' });
    expect(() => checked(schema, { id: 'x' }, 'create a network')).toThrow(
      expect.objectContaining({ code: 'ENDPOINT_BAD_ANSWER' }),
    );
  });
});

describe('an answer that never ends', () => {
  let status = 200;
  const engine = httpEngine(
    createServer((_request, answer) => {
      const part = Buffer.alloc(2 ** 20, ' ');
      answer.writeHead(status);
      const more = (): void => {
        while (!answer.destroyed && answer.write(part));
      };
      answer.on('drain', more);
      more();
    }),
  );

  it.each([
    [200, false],
    [500, true],
  ])('is given up: %i, of a stream: %s', async (answered, isStream) => {
    status = answered;
    const { docker } = engine.client();
    const ask = (): Promise<unknown> => (isStream ? docker.getEvents() : docker.listContainers());
    await expect(client.call('x', ask)).rejects.toMatchObject({ code: 'ENDPOINT_BAD_ANSWER' });
  });
});
