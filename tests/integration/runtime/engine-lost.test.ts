import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BenchmarkError } from '../../../src/shared/errors.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { DockerodeRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { engineProxy, type EngineProxy } from '../helpers/engine-proxy.ts';
import { workbench, type Workbench } from './fixture.ts';

let bench: Workbench;
let directory = '';
let proxy: EngineProxy;
/** The real engine, behind a socket that can be cut. */
let runtime: ContainerRuntime;

beforeAll(async () => {
  bench = await workbench('lost');
});
afterAll(() => bench.clear());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'whalemark-lost-'));
  proxy = await engineProxy(directory);
  const path = proxy.endpoint.replace('unix://', '');
  runtime = new DockerodeRuntime('socket:test', bench.runtime.passport, { kind: 'socket', path });
});
afterEach(async () => {
  await proxy.cut();
  await rm(directory, { recursive: true, force: true });
});

/** How a promise ended, so that nothing is unhandled while the engine is being cut off. */
function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'fulfilled',
    (error: BenchmarkError) => error.code,
  );
}

describe('when the engine goes', () => {
  it('every kind of pending call ends, at once', async () => {
    const id = await bench.shell('pending', 'echo up; cat; sleep 1000', { stdin: true });
    const attachment = await runtime.containers.attach(id);
    await runtime.containers.start(id);
    const controller = new AbortController();
    let logged = (): void => undefined;
    const firstLine = new Promise<void>((resolve) => (logged = resolve));
    const pending = {
      wait: outcome(runtime.containers.wait(id)),
      logs: outcome(runtime.containers.followLogs(id, () => logged(), { signal: controller.signal })),
      exec: outcome(runtime.containers.exec(id, ['sleep', '1000'])),
      stop: outcome(runtime.containers.stop(id, 1000)),
      attach: outcome(attachment.ended),
    };
    await firstLine;
    attachment.stdout.resume();
    await proxy.cut();
    const codes = Object.fromEntries(
      await Promise.all(
        Object.entries(pending).map(async ([name, promise]) => [name, await promise] as const),
      ),
    );
    expect(codes).toEqual({
      wait: 'ENGINE_LOST',
      logs: 'ENGINE_LOST',
      exec: 'ENGINE_LOST',
      stop: 'ENGINE_LOST',
      attach: 'fulfilled',
    });
    attachment.stdin.write('into the void');
    await bench.runtime.containers.remove(id);
  });

  it('files that flow in either direction stop with an error', async () => {
    const id = await bench.shell('files', 'head -c 200000000 /dev/zero > /big');
    await runtime.containers.start(id);
    await runtime.containers.wait(id);
    const archive = await runtime.containers.getArchive(id, '/big');
    const target = await bench.shell('target', 'true');
    let passed = 0;
    const copying = outcome(bench.runtime.containers.putArchive(target, '/', archive));
    archive.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      if (passed > 1_000_000 && passed - chunk.length <= 1_000_000) void proxy.cut();
    });
    expect(await copying).toBe('ENGINE_LOST');
    await Promise.all([id, target].map((each) => bench.runtime.containers.remove(each)));
  });
});
