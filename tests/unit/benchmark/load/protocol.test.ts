import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ContainerNodeDriver } from '../../../../src/benchmark/load/node/node-driver.ts';
import { commandSchema, parseLine } from '../../../../src/benchmark/load/node/protocol.ts';

function client() {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { streams: { stdin, stdout, stderr, ended }, end: () => end() };
}

const target = { host: 'h', port: 1, user: 'u', password: 'p', database: 'd' };
const options = { path: 'p', budgetMs: 1, times: 1, signal: new AbortController().signal };

describe('client protocol', () => {
  it.each(['', 'null', '{', '{"type":"run"}', '{"type":"explode","id":1}', '"stop"'])(
    'takes no garbage: %s',
    (line) => {
      expect(parseLine(commandSchema, line)).toBeUndefined();
    },
  );

  it('matches answers to questions', async () => {
    const { streams } = client();
    const driver = new ContainerNodeDriver(streams);
    const first = driver.check(target, options);
    const second = driver.check(target, options);
    streams.stdout.write('{"type":"ready"}\n');
    streams.stdout.write('{"type":"checked","id":2,"checked":{"connectUs":2,"roundTripUs":2}}\n');
    streams.stdout.write('{"type":"checked","id":1,"checked":{"connectUs":1,"roundTripUs":1}}\n');
    expect((await first).connectUs).toBe(1);
    expect((await second).connectUs).toBe(2);
  });

  it('gives what the client wrote on stderr as evidence when it is lost, now and for later questions', async () => {
    const { streams, end } = client();
    const driver = new ContainerNodeDriver(streams);
    const asked = driver.check(target, options);
    streams.stderr.write('Killed\n');
    await new Promise((resolve) => setImmediate(resolve));
    end();
    await expect(asked).rejects.toMatchObject({ code: 'CLIENT_LOST', evidence: ['Killed'] });
    await expect(driver.check(target, options)).rejects.toMatchObject({ code: 'CLIENT_LOST' });
  });

  it('sends a stop and ends at once when the run is stopped', async () => {
    const { streams } = client();
    const driver = new ContainerNodeDriver(streams);
    const abort = new AbortController();
    const asked = driver.check(target, { ...options, signal: abort.signal });
    abort.abort();
    await expect(asked).rejects.toMatchObject({ code: 'STOPPED' });
    expect(String(streams.stdin.read())).toContain('{"type":"stop","id":1}');
  });
});
