import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { connectRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';
import { thisMachine } from '../../../src/benchmark/runtime/discovery/surroundings.ts';
import { sweepLeftovers } from '../../../src/benchmark/runtime/sweep.ts';
import { DEFAULT_BUDGETS } from '../../../src/benchmark/servers/target-server.ts';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import { leftOf, realBench, runPlan, smallPlan } from '../helpers/bench.ts';
import { engineProxy } from '../helpers/engine-proxy.ts';

const TWO = ['named-volume'];

describe('faults on the real engine', () => {
  const bench = realBench();
  it('a tmpfs that is too small is named, the others are measured', { tags: ['full'] }, async () => {
    const plan = await smallPlan(bench.runtime, {
      storages: { tmpfs: { kind: 'tmpfs', sizeMiB: 65 } },
      grid: { storages: [...TWO, 'tmpfs'], paths: ['published-port'] },
    });
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir);
    expect(state.outcome).toBe('completed');
    for (const trial of state.trials) {
      if (trial.scenarioId === 'tmpfs.published-port') {
        expect(trial.error?.code).toBe('STORAGE_FULL');
        expect(trial.error?.hint).toContain('sizeMiB');
      } else {
        expect(trial.status).toBe('measured');
      }
    }
    expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
  });

  it(
    'a bind location that can not be written is named, the others are measured',
    { tags: ['full'] },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'whalemark-test-'));
      await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', folder]);
      const plan = await smallPlan(bench.runtime, {
        grid: { storages: [...TWO, 'bind-mount'], paths: ['published-port'] },
        bindRoot: join(folder, 'whalemark-bind'),
      });
      const { state } = await runPlan(plan, bench.runtime, bench.dataDir).finally(async () => {
        await promisify(execFile)('umount', [folder]);
        await rmdir(folder);
      });
      const failed = state.trials.filter(({ status }) => status === 'failed');
      expect(failed.map(({ error }) => error?.code)).toEqual(['BIND_UNWRITABLE', 'BIND_UNWRITABLE']);
      expect(failed[0]?.error?.message).toContain(join(folder, 'whalemark-bind'));
      expect(state.trials.filter(({ status }) => status === 'measured').length).toBe(2);
      expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
    },
  );

  it('an engine that goes away mid-run ends the run, keeps the trials, and the next start sweeps', async () => {
    const proxy = await engineProxy(bench.dataDir);
    const here = thisMachine();
    const surroundings = { ...here, env: { ...here.env, DOCKER_HOST: proxy.endpoint } };
    const behind = connectRuntime(await discoverRuntimes({ surroundings }), 'env:DOCKER_HOST', surroundings);
    const plan = await smallPlan(behind, {
      grid: { storages: TWO, paths: ['published-port', 'user-bridge'] },
      schedule: { rounds: 3, warmupSeconds: 0, durationSeconds: 1 },
    });
    let measured = 0;
    const { state } = await runPlan(plan, behind, bench.dataDir, {
      budgets: { ...DEFAULT_BUDGETS, awayMs: 0 },
      onEvent: (event) => {
        if (event.type === 'trial-finished') measured += 1;
        if (event.type === 'trial-started' && measured === 2) void proxy.cut();
      },
    });
    expect(state.outcome).toBe('failed');
    expect(state.error?.code).toBe('ENGINE_LOST');
    expect(state.trials.filter(({ status }) => status === 'measured').length).toBe(2);
    expect(state.notices.some(({ code }) => code === 'CLEANUP_INCOMPLETE')).toBe(true);
    expect(analyze(state).scenarios.some(({ tps }) => tps !== null)).toBe(true);

    // The engine is back; this process is still alive, so the run is swept by its id.
    expect(await leftOf(bench.runtime, state.runId)).not.toEqual([]);
    await sweepLeftovers(bench.runtime, { runId: state.runId });
    expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
  });
});
