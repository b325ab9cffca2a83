import { readJournal } from '../../helpers/journals.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RunStore } from '../../../src/benchmark/runs/run-store.ts';
import type { RunState } from '../../../src/shared/model/run-state.ts';
import { sampled } from '../../helpers/tier.ts';
import { leftOf, realBench } from '../helpers/bench.ts';

const IMAGE = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'whalemark-test/mariadb:debian-trixie';
/** Two scenarios, two rounds, seconds each. */
const RUN = [
  ...['run', 'compare-my-setup', '--image', IMAGE],
  ...['--rounds', '2', '--duration', '1', '--set', 'schedule.warmupSeconds=0', '--connections', '2'],
  ...['--set', 'workload={"tables":1,"tableSize":1000}', '--set', 'aaCheck=false'],
  ...['--set', 'server.settings.bufferPool=64', '--set', 'server.settings.redoLogMiB=64'],
  ...['--set', 'grid={"storages":["named-volume","bind-mount"],"paths":["published-port"]}'],
];

describe('a run that ended early goes on', () => {
  const bench = realBench();

  function start(args: string[]): ChildProcess {
    return spawn(process.execPath, ['out/cli/whalemark.cjs', ...args], {
      env: { ...process.env, WHALEMARK_HOME: bench.dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Ends with the command; `onLine` sees each line that it tells. */
  async function run(args: string[], onLine: (line: string, child: ChildProcess) => void = () => undefined) {
    const child = start(args);
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr?.on('data', (part: Buffer) => {
      stderr += part.toString();
      for (const line of part.toString().split('\n')) onLine(line, child);
    });
    const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { exitCode, stdout, stderr };
  }

  /** Runs until the first trial has its number, and ends it there with a signal. */
  async function runCutShort(signal: 'SIGKILL' | 'SIGINT') {
    const ended = await run(RUN, (line, child) => {
      if (line.startsWith('[1] ')) child.kill(signal);
    });
    const runId = (await readdir(join(bench.dataDir, 'runs'))).sort().at(-1) ?? '';
    return { ...ended, runId, journal: join(bench.dataDir, 'runs', runId, 'journal.ndjson') };
  }

  /** What both ways of running must come to. */
  async function expectWhole(runId: string, before: RunState['trials'][number]): Promise<RunState> {
    const state = await new RunStore(bench.dataDir).load(runId);
    expect(state).toMatchObject({ runId, outcome: 'completed', error: null });
    expect(state.trials.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'measured'));
    expect(state.trials.find(({ id }) => id === before.id)).toEqual(before);
    expect(state.pauses.map(({ interrupted }) => interrupted)).toEqual([true]);
    expect(await leftOf(bench.runtime, runId)).toEqual([]);
    expect(await readdir(join(bench.dataDir, 'bind'))).toEqual([]);
    const names = await readdir(join(bench.dataDir, 'runs', runId));
    // The terminal leaves a copy for scripts with --json.
    const kept = names.filter((name) => name !== 'result.json').sort();
    expect(kept).toEqual(['journal.ndjson', 'view.ndjson']);
    return state;
  }

  it('after kill -9: the measured trial keeps its number, the others get theirs, nothing is left', async () => {
    const { runId, journal } = await runCutShort('SIGKILL');
    expect(await leftOf(bench.runtime, runId)).not.toEqual([]);
    const told = await readJournal(journal);
    const measured = told?.events.flatMap((event) =>
      event.type === 'trial-finished' ? [event.trialId] : [],
    );
    expect(measured).toHaveLength(1);

    const onward = await run(['resume', runId]);
    expect([onward.exitCode, onward.stderr]).toEqual([
      0,
      expect.stringContaining('1 measured trial is kept'),
    ]);
    expect(onward.stdout).toContain('2 sessions');
    const [before] = told?.events.flatMap((event) => (event.type === 'trial-finished' ? [event] : [])) ?? [];
    const state = await new RunStore(bench.dataDir).load(runId);
    const kept = state.trials.find(({ id }) => id === before?.trialId);
    expect(kept?.totals).toEqual(before?.totals);
    if (kept !== undefined) await expectWhole(runId, kept);

    const again = await run(['resume', runId]);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('[RUN_NOT_RESUMABLE]')]);
  });

  it('after Ctrl+C: says how, and goes on', { tags: ['full'] }, async () => {
    const { runId, exitCode, stderr } = await runCutShort('SIGINT');
    expect([exitCode, stderr]).toEqual([130, expect.stringContaining(`whalemark resume ${runId}`)]);
    const stopped = await new RunStore(bench.dataDir).load(runId);
    const [before] = stopped.trials.filter(({ status }) => status === 'measured');
    if (before === undefined) throw new Error('a trial with its number was expected');

    const onward = await run(['resume', runId, '--json']);
    expect([onward.exitCode, onward.stderr]).toEqual([
      0,
      expect.stringContaining('1 measured trial is kept'),
    ]);
    await expectWhole(runId, before);
  });

  it.each(sampled(['../../etc', 'nowhere', '20260101-000000-0000'], 3))(
    'knows no run “%s”',
    async (runId) => {
      const { exitCode, stderr } = await run(['resume', runId]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('[RUN_NOT_RESUMABLE]')]);
    },
  );
});
