import { cpus } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { perSecondCsv } from '../../../src/benchmark/report/csv.ts';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import type { Notice } from '../../../src/shared/model/plan.ts';
import type { PathKind } from '../../../src/shared/kinds/paths.ts';
import type { RunState } from '../../../src/shared/model/run-state.ts';
import { realBench, runPlan, smallPlan } from '../helpers/bench.ts';
import { docker } from '../helpers/docker-server.ts';

const IMAGE = process.env['WHALEMARK_TEST_BASE_IMAGE'] ?? 'debian:trixie-slim';
const NAME = `whalemark-test-burner-${process.pid}`;

describe('a container of somebody else, on the real engine', { tags: ['full', 'quiet'] }, () => {
  const bench = realBench();
  afterAll(async () => {
    await docker('rm', '--force', NAME).catch(() => undefined);
  });

  async function measured(paths: readonly PathKind[] = ['published-port'], slices = {}): Promise<RunState> {
    const plan = await smallPlan(bench.runtime, {
      grid: { storages: ['named-volume'], paths: [...paths] },
      schedule: { rounds: 1, warmupSeconds: 1, durationSeconds: 3, ...slices },
    });
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir);
    expect(state.trials.map(({ status }) => status)).toEqual(paths.map(() => 'measured'));
    return state;
  }

  function warnings(state: RunState): Notice[] {
    return analyze(state).notices.filter(({ code }) => code === 'HOST_CONTAINER_BUSY');
  }

  it('is named when it uses the processors, and only then', async () => {
    const quiet = await measured();
    expect(quiet.trials[0]?.evidence?.host).not.toBeNull();
    expect(warnings(quiet).filter(({ message }) => message.text.includes(NAME))).toEqual([]);

    await docker(
      'run',
      '--detach',
      '--name',
      NAME,
      '--network',
      'none',
      IMAGE,
      'sh',
      '-c',
      'while :; do :; done',
    );
    const busy = await measured();
    const [condition] = (busy.trials[0]?.evidence?.host?.conditions ?? []).filter(
      ({ name }) => name === NAME,
    );
    expect(condition).toMatchObject({ kind: 'container-busy', windows: null });
    expect(condition?.value ?? 0).toBeGreaterThan(0.1);
    expect(condition?.value ?? 0).toBeLessThan(1.1);
    expect(warnings(busy)).toMatchObject([{ code: 'HOST_CONTAINER_BUSY' }]);
    expect(warnings(busy)[0]?.message.text).toContain(NAME);
    expect(perSecondCsv(busy)).toContain('container-busy');
    // Programs in containers are named by container, not once more as other programs.
    const others = busy.trials[0]?.evidence?.host?.conditions.find(({ kind }) => kind === 'others-busy');
    expect(others?.name ?? '').not.toBe('sh');

    const sliced = await measured(['published-port', 'user-bridge'], { sliceSeconds: 1 });
    for (const slice of sliced.trials.flatMap(({ slices }) => slices)) {
      expect(slice.others).toBeGreaterThan(0.1);
      expect(slice.others).toBeLessThan(cpus().length);
    }
  });
});
