import { readJournal, reduceAll } from '../../helpers/journals.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { followJournal } from '../../../bench/faults/journal-watch.ts';
import { RunStore } from '../../../src/benchmark/store/run-store.ts';
import { leftOf, realBench } from '../helpers/bench.ts';

const IMAGE = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'whalemark-test/mariadb:debian-trixie';
/** Two scenarios side by side, two rounds of four passes, seconds each. */
const RUN = [
  ...['run', 'docker-options', '--image', IMAGE],
  ...['--rounds', '2', '--duration', '2', '--set', 'schedule.sliceSeconds=0.5', '--connections', '2'],
  ...['--set', 'workload={"tables":1,"tableSize":1000}', '--set', 'aaCheck=false'],
  ...['--set', 'server.settings.bufferPool=64', '--set', 'server.settings.redoLogMiB=64'],
  ...['--set', 'grid={"storages":["named-volume","bind-mount"],"paths":["published-port"]}'],
];

describe('a run that ended early goes on', () => {
  const bench = realBench();

  /** Ends with the command; `onLine` sees each line that it tells. */
  async function run(args: string[], onLine: (line: string, child: ChildProcess) => void = () => undefined) {
    const child = spawn(process.execPath, ['out/cli/whalemark.cjs', ...args], {
      env: { ...process.env, WHALEMARK_HOME: bench.dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString();
      for (const line of part.toString().split('\n')) onLine(line, child);
    });
    const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { exitCode, stdout, stderr };
  }

  it('after kill -9 within a pass: all slices are kept, others are added, nothing is left', async () => {
    await mkdir(join(bench.dataDir, 'runs'));
    const over = new AbortController();
    let slices = 0;
    let following: Promise<void> | undefined;
    await run(RUN, (_, child) => {
      following ??= followJournal(
        bench.dataDir,
        (event) => {
          if (event.type === 'slice-finished' && ++slices === 3) child.kill('SIGKILL');
        },
        over.signal,
      );
    });
    over.abort();
    await following;
    const [runId = ''] = await readdir(join(bench.dataDir, 'runs'));
    const folder = join(bench.dataDir, 'runs', runId);
    expect(await leftOf(bench.runtime, runId)).not.toEqual([]);
    const told = await readJournal(join(folder, 'journal.ndjson'));
    const before = reduceAll(told?.events ?? []);
    expect(before?.trials.map(({ status }) => status)).not.toContain('measured');

    const onward = await run(['resume', runId]);
    expect(onward.exitCode, onward.stderr).toBe(0);
    expect(onward.stdout).toContain('2 sessions');
    const state = await new RunStore(bench.dataDir).load(runId);
    expect(state).toMatchObject({ runId, outcome: 'completed', error: null });
    expect(state.trials.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'measured'));
    for (const { id, slices: all, totals } of state.trials) {
      const own = before?.trials.find((trial) => trial.id === id)?.slices ?? [];
      expect(all.slice(0, own.length)).toEqual(own);
      expect(all.length).toBeGreaterThanOrEqual(4);
      expect(new Set(all.map(({ pass }) => pass)).size).toBe(all.length);
      expect(all.reduce((sum, { transactions }) => sum + transactions, 0)).toBe(totals?.transactions);
    }
    expect(state.pauses.map(({ interrupted }) => interrupted)).toEqual([true]);
    expect(await leftOf(bench.runtime, runId)).toEqual([]);
    expect(await readdir(join(bench.dataDir, 'bind'))).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(['journal.ndjson', 'view.ndjson']);

    const again = await run(['resume', runId]);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('[RUN_NOT_RESUMABLE]')]);

    const repeated = await run(['repeat', runId, '--json']);
    expect(repeated.exitCode, repeated.stderr).toBe(0);
    const newest = (await readdir(join(bench.dataDir, 'runs'))).sort().at(-1) ?? '';
    const { outcome, plan } = await new RunStore(bench.dataDir).load(newest);
    expect(newest).not.toBe(runId);
    expect({ outcome, seed: plan.seed, rounds: plan.rounds }).toEqual({
      outcome: 'completed',
      seed: state.plan.seed,
      rounds: state.plan.rounds,
    });
  });
});
