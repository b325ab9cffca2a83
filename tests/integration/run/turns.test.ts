import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/shared/model/events.ts';
import { docker } from '../helpers/docker-server.ts';
import { leftOf, realBench, runPlan, smallPlan } from '../helpers/bench.ts';

const SIDE_BY_SIDE = {
  grid: { storages: ['named-volume', 'bind-mount'], paths: ['published-port', 'user-bridge'] },
  schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1.5, sliceSeconds: 0.5 },
};
const SCENARIOS = 4;

function serversOf(runId: string): string[] {
  const filters = [`label=io.whalemark.run=${runId}`, 'label=io.whalemark.role=server'];
  const args = ['ps', '--quiet', '--no-trunc', ...filters.flatMap((one) => ['--filter', one])];
  return execFileSync('docker', args, { encoding: 'utf8' }).trim().split('\n');
}

/** Asks the kernel, since the engine may tell late. */
function isFrozen(id: string): boolean {
  const ways = [
    [`/sys/fs/cgroup/freezer/docker/${id}/freezer.state`, 'FROZEN'],
    [`/sys/fs/cgroup/system.slice/docker-${id}.scope/cgroup.freeze`, '1'],
  ] as const;
  const way = ways.find(([path]) => existsSync(path));
  if (way === undefined) throw new Error(`no cgroup of ${id}`);
  return readFileSync(way[0], 'utf8').trim() === way[1];
}

describe('servers that take turns on the real engine', () => {
  const bench = realBench();

  it('wait frozen, are warm from their first slice on, and leave nothing', async () => {
    const plan = await smallPlan(bench.runtime, SIDE_BY_SIDE);
    expect(plan.groups.map(({ length }) => length)).toEqual([2]);
    const seen: number[] = [];
    let runId = '';
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir, {
      onEvent: (event) => {
        if (event.type === 'run-started') ({ runId } = event);
        if (event.type !== 'trial-phase' || event.phase !== 'measure') return;
        seen.push(serversOf(runId).filter(isFrozen).length);
      },
    });
    expect(state.error).toBeNull();
    expect(state.notices.map(({ code }) => code)).not.toContain('NOT_FROZEN');
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen)).toEqual(new Set([1]));
    expect(state.trials).toHaveLength(SCENARIOS);
    for (const { id, status, slices, windows, totals, evidence } of state.trials) {
      expect([id, status, slices.map(({ pass }) => pass)]).toEqual([id, 'measured', [1, 2, 3]]);
      const counted = windows.filter(({ phase }) => phase === 'measure');
      expect(counted.reduce((sum, { transactions }) => sum + transactions, 0)).toBe(totals?.transactions);
      const { server, transactions } = evidence ?? { server: null, transactions: 0 };
      expect(transactions).toBeGreaterThanOrEqual(totals?.transactions ?? Infinity);
      // All pages are in the pool before the first slice.
      expect((server?.['Innodb_buffer_pool_reads'] ?? Infinity) / transactions, id).toBeLessThan(0.05);
    }
    for (const pass of [0, 1, 2]) {
      expect(state.trials.map(({ slices }) => slices[pass]?.position).sort()).toEqual([1, 2, 3, 4]);
    }
    expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
  });

  const moments: [string, (event: RunEvent) => boolean][] = [
    ['within a slice', (event) => event.type === 'trial-phase' && event.phase === 'measure'],
    ['while servers start', (event) => event.type === 'step-progress' && event.stepId.startsWith('start:')],
  ];
  it.each(moments)(
    'leave nothing, frozen or not, after a stop %s',
    { tags: ['full'] },
    async (_, isMoment) => {
      const plan = await smallPlan(bench.runtime, SIDE_BY_SIDE);
      let seen = 0;
      const { state } = await runPlan(plan, bench.runtime, bench.dataDir, {
        onEvent: (event, stop) => {
          if (isMoment(event) && ++seen === 3) stop();
        },
      });
      expect(state).toMatchObject({ outcome: 'stopped', error: null });
      expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
    },
  );

  it('measure the slice of one that is killed while frozen', { tags: ['full'] }, async () => {
    const plan = await smallPlan(bench.runtime, SIDE_BY_SIDE);
    let killed: Promise<unknown> | undefined;
    let runId = '';
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir, {
      onEvent: (event) => {
        if (event.type === 'run-started') ({ runId } = event);
        if (event.type !== 'trial-phase' || event.phase !== 'measure') return;
        killed ??= docker('kill', serversOf(runId).find(isFrozen) ?? '');
      },
    });
    await killed;
    expect(state.error).toBeNull();
    expect(state.trials.map(({ status }) => status)).toEqual(Array(SCENARIOS).fill('measured'));
    const slices = state.trials.reduce((sum, trial) => sum + trial.slices.length, 0);
    expect(slices).toBe(SCENARIOS * 3);
    expect(state.notices.map(({ code }) => code)).toContain('SLICE_LOST');
    expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
  });

  it('measure a slice again in which one stalled for 6 s', { tags: ['full'] }, async () => {
    const schedule = { ...SIDE_BY_SIDE.schedule, durationSeconds: 2 };
    const plan = await smallPlan(bench.runtime, { ...SIDE_BY_SIDE, schedule });
    const lost: RunEvent[] = [];
    let stalled: Promise<unknown> | undefined;
    let runId = '';
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir, {
      onEvent: (event) => {
        if (event.type === 'run-started') ({ runId } = event);
        if (event.type === 'trial-lost') lost.push(event);
        if (event.type !== 'trial-phase' || event.phase !== 'measure' || stalled !== undefined) return;
        const awake = serversOf(runId).find((id) => !isFrozen(id)) ?? '';
        stalled = docker('kill', '--signal', 'STOP', awake).then(
          () =>
            new Promise((resolve) => {
              setTimeout(() => resolve(docker('kill', '--signal', 'CONT', awake)), 6000);
            }),
        );
      },
    });
    await stalled;
    expect(state.error).toBeNull();
    expect(lost.length).toBeGreaterThan(0);
    for (const event of lost) expect(event).toMatchObject({ error: { code: 'NOTHING_FINISHED' } });
    expect(state.notices.map(({ code }) => code)).toContain('SLICE_LOST');
    for (const { id, status, slices } of state.trials) {
      expect([id, status, slices.map(({ pass }) => pass)]).toEqual([id, 'measured', [1, 2, 3, 4]]);
      for (const { transactions, durationMs } of slices) {
        expect(transactions, id).toBeGreaterThan(0);
        expect(durationMs, id).toBeGreaterThan(250);
      }
    }
    expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
  });
});
