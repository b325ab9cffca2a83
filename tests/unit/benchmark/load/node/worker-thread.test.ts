import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LoadSpec } from '../../../../../src/benchmark/load/load-client.ts';
import { WorkerThread } from '../../../../../src/benchmark/load/node/coordinator.ts';
import type { Part } from '../../../../../src/benchmark/load/node/windows.ts';
import { workloadSchema } from '../../../../../src/shared/model/workload.ts';

const directory = mkdtempSync(join(tmpdir(), 'whalemark-worker-'));
afterAll(() => rmSync(directory, { recursive: true }));
let files = 0;

/** A thread that runs a script of the test instead of the load client. */
function start(script: string, onPart: (part: Part) => void = () => undefined): WorkerThread {
  const file = join(directory, `worker${++files}.cjs`);
  writeFileSync(file, `const { parentPort: port } = require('node:worker_threads');\n${script}`);
  const target = { host: 'h', port: 1, user: 'u', password: 'p', database: 'd' };
  const workload = workloadSchema.parse({});
  const spec: LoadSpec = {
    loadGenerator: 'node',
    target,
    workload,
    connections: 1,
    warmupMs: 0,
    durationMs: 1000,
    seed: 0,
  };
  return new WorkerThread(file, { spec, first: 0, count: 1 }, onPart);
}

describe('WorkerThread', () => {
  it('tells how far its worker is', async () => {
    const parts: Part[] = [];
    const worker = start(
      `port.postMessage({ type: 'connected' });
       port.on('message', ({ type, atMs }) => {
         if (type !== 'begin') return port.close();
         port.postMessage({ type: 'part', part: { index: atMs } });
         port.postMessage({ type: 'done', loopDelayP99Us: 7, statements: {} });
       });`,
      (part) => parts.push(part),
    );
    await worker.connected;
    worker.begin(42);
    expect(await worker.done).toMatchObject({ loopDelayP99Us: 7, statements: {} });
    expect(parts).toEqual([{ index: 42 }]);
    await worker.close();
  });

  it.each([
    ['throws', `throw new Error('broken')`, 'broken'],
    ['ends', `process.exit(3)`, 'exit code 3'],
    ['ends without a word', ``, 'exit code 0'],
  ])('loses one that %s', async (_, script, reason) => {
    const worker = start(script);
    const lost = { code: 'CLIENT_LOST', message: expect.stringContaining(reason) };
    await expect(worker.connected).rejects.toMatchObject(lost);
    await expect(worker.done).rejects.toMatchObject(lost);
    await worker.close();
  });

  it('rejects with the error that its worker failed with', async () => {
    const error = { code: 'LOAD_FAILED', message: '', hint: '', evidence: [], params: { reason: 'r' } };
    const worker = start(`port.postMessage({ type: 'failed', error: ${JSON.stringify(error)} });`);
    await expect(worker.connected).rejects.toMatchObject({ code: 'LOAD_FAILED', params: { reason: 'r' } });
    await worker.close();
  });

  it('ends one by force that does not end by itself', async () => {
    const worker = start(`port.postMessage({ type: 'connected' }); for (;;);`);
    await worker.connected;
    const began = Date.now();
    await worker.close();
    expect(Date.now() - began).toBeLessThan(1000);
  });

  it('keeps what a worker prints from our own output', async () => {
    const write = process.stdout.write;
    let printed = '';
    process.stdout.write = (text: string | Uint8Array) => {
      printed += String(text);
      return true;
    };
    try {
      const worker = start(`console.log('noise'); port.on('message', () => port.close());`);
      await worker.close();
    } finally {
      process.stdout.write = write;
    }
    expect(printed).not.toContain('noise');
  });
});
