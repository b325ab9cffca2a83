import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkerPool } from '../../../../../src/benchmark/load/builtin/worker-pool.ts';
import type { WorkerShare } from '../../../../../src/benchmark/load/builtin/transport.ts';
import type { Part } from '../../../../../src/benchmark/load/builtin/windows.ts';
import { sharedFolder } from '../../../../helpers/folders.ts';
import { buildSpec } from '../samples.ts';

const directory = sharedFolder();
let files = 0;
const timing = { warmupMs: 0, durationMs: 1000 };

const share: WorkerShare = { spec: buildSpec(), first: 0, count: 1 };

/** Processes that run a script of the test instead of the load client. */
function poolOf(script: string): WorkerPool {
  const file = join(directory, `worker${++files}.cjs`);
  const tell = 'const tell = (message) => process.send(message);\n';
  // Like the load client, it ends with its parent.
  writeFileSync(file, `${tell}process.once('disconnect', () => process.exit());\n${script}`);
  return new WorkerPool(file);
}

const OBEDIENT = `let loads = 0;
  process.on('message', ({ type, atMs }) => {
    if (type === 'load') { loads++; tell({ type: 'connected' }); }
    else if (type === 'stop') tell({ type: 'rested' });
    else if (type === 'slice') {
      tell({ type: 'part', part: { index: atMs } });
      tell({ type: 'counted' });
    } else tell({ type: 'sliced', loopDelayP99Us: loads, statements: {}, transactionTypes: {} });
  });`;

describe('a worker', () => {
  it('tells how far its load is, and takes the next one', async () => {
    const pool = poolOf(OBEDIENT);
    const parts: Part[] = [];
    for (const round of [1, 2]) {
      const worker = pool.take();
      const load = worker.load(share);
      await load.connected;
      for (const turn of [1, 2]) {
        const slice = load.slice(10 * round + turn, timing, (part) => parts.push(part));
        await slice.counted;
        load.drain();
        // The script counts its loads: it is the same process.
        expect(await slice.done).toMatchObject({ loopDelayP99Us: round });
      }
      await pool.giveBack(worker);
    }
    expect(parts.map(({ index }) => index)).toEqual([11, 12, 21, 22]);
    await pool.close();
  });

  it('is spoken to in JSON, since Electron 22 crashes after larger messages that V8 serialized', async () => {
    const worker = poolOf(
      `process.on('message', () => tell({ type: 'part', part: new Map([[1, 2]]) }));`,
    ).take();
    const parted = new Promise((resolve) => worker.load(share).slice(0, timing, resolve));
    expect(await parted).toEqual({});
    await worker.close();
  });

  it.each([
    ['ends', `process.exit(3)`, 'exit code 3', 'CLIENT_CRASHED'],
    ['crashes', `process.kill(process.pid, 'SIGSEGV')`, 'SIGSEGV', 'CLIENT_CRASHED'],
    ['ends without a word', `process.disconnect()`, 'exit code 0', 'CLIENT_LOST'],
    ['is killed', `process.kill(process.pid, 'SIGKILL')`, 'SIGKILL', 'CLIENT_LOST'],
  ])('loses one that %s', async (_, script, reason, code) => {
    const pool = poolOf(script);
    const worker = pool.take();
    const load = worker.load(share);
    const lost = { code, message: expect.stringContaining(reason) };
    await expect(load.connected).rejects.toMatchObject(lost);
    await expect(load.slice(0, timing, () => undefined).done).rejects.toMatchObject(lost);
    await pool.giveBack(worker);
    expect(pool.take()).not.toBe(worker);
    await pool.close();
  });

  it('kills one that does not end by itself', async () => {
    const pool = poolOf(`process.on('message', () => { tell({ type: 'connected' }); for (;;); });`);
    const worker = pool.take();
    await worker.load(share).connected;
    await pool.giveBack(worker);
    expect(pool.take()).not.toBe(worker);
    await pool.close();
  });
});
