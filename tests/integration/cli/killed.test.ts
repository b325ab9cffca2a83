import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { takingTurns } from '../../helpers/taking-turns.ts';
import { leftOf, realRuntime, sweepersIn, temporaryHome } from '../helpers/bench.ts';

/** Longer than what happens to it. */
const LONG = [
  ...['run', 'docker-options', '--image', 'mariadb:11.8', '--connections', '2'],
  ...takingTurns(2, 60),
  ...['--set', 'workload={"tables":1,"tableSize":1000}', '--set', 'aaCheck=false'],
  ...['--set', 'server.settings.bufferPool=64', '--set', 'server.settings.redoLogMiB=64'],
  ...['--set', 'grid={"storages":["named-volume","bind-mount"],"paths":["published-port"]}'],
  ...['--set', 'baseline=named-volume.published-port'],
];
/** The time in which a killed program's leftovers have to go. */
const GONE = { timeout: 30_000, interval: 200 };

describe('a program that ends before its run', { tags: ['full'] }, () => {
  let runtime: ContainerRuntime;
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  let child: ChildProcess;
  let said = '';
  beforeEach(async () => {
    runtime = await realRuntime();
    home = await temporaryHome();
    said = '';
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    await home.remove();
  });

  function journalOf(runId: string): Promise<string> {
    return readFile(join(home.dataDir, 'runs', runId, 'journal.ndjson'), 'utf8');
  }

  async function measuring(): Promise<string> {
    child = spawn(process.execPath, ['out/cli/whalemark.cjs', ...LONG], {
      env: { ...process.env, WHALEMARK_HOME: home.dataDir },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.on('data', (part: Buffer) => (said += part.toString()));
    return vi.waitFor(
      async () => {
        if (child.exitCode !== null) throw new Error(said);
        const [runId = ''] = await readdir(join(home.dataDir, 'runs'));
        expect(await journalOf(runId)).toContain('"type":"window"');
        return runId;
      },
      { timeout: 90_000, interval: 100 },
    );
  }

  it('leaves nothing for long when it gets Ctrl+C twice', async () => {
    const runId = await measuring();
    const kinds = new Set((await leftOf(runtime, runId)).map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['container', 'volume', 'network']));
    expect(await readdir(join(home.dataDir, 'bind'))).toHaveLength(1);
    expect(sweepersIn(home.dataDir)).toHaveLength(1);

    const ended = once(child, 'exit');
    child.kill('SIGINT');
    // Two signals at the same moment arrive as one.
    await vi.waitFor(async () => expect(await journalOf(runId)).toContain('stop-requested'));
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(130);
    expect(said).toMatch(/\d containers?, .*whalemark clean/);
    await vi.waitFor(async () => {
      expect(await leftOf(runtime, runId)).toEqual([]);
      expect(await readdir(join(home.dataDir, 'bind'))).toEqual([]);
    }, GONE);
  });

  it('has nothing removed by another process when it stops in order', async () => {
    const runId = await measuring();
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(130);
    expect(await leftOf(runtime, runId)).toEqual([]);
    await vi.waitFor(() => expect(sweepersIn(home.dataDir)).toEqual([]), { timeout: 10_000, interval: 100 });
    expect(await readFile(join(home.dataDir, 'logs', 'whalemark.log'), 'utf8')).not.toContain('"sweeper"');
  });
});
