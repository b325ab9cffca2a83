import { describe, expect, it } from 'vitest';
import { largestPoolMiB } from '../../../../src/benchmark/plan/plan-fits.ts';
import { type PlanOverrides, withOverrides } from '../../../../src/benchmark/presets/plan-overrides.ts';
import { testWhalemark } from '../../whalemark.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { msg } from '../../../../src/shared/message.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { builtIn } from '../../built-in-presets.ts';
import { freeBytes } from '../../../../src/benchmark/files/free-bytes.ts';
import type { Task } from '../../../../src/shared/model/task.ts';
import type { FakeRuntime } from '../../fake-runtime.ts';
import { mysqlEngine, planned } from '../../planned.ts';
import { newFolder } from '../../../helpers/folders.ts';

/** The memory that Docker Desktop's virtual machine of 8 GiB reports. */
const VM_BYTES = 8_218_034_176;

const engine = (memoryBytes: number): FakeRuntime => mysqlEngine({ memoryBytes });

async function refusal(plan: Promise<unknown>): Promise<BenchmarkError> {
  const error: unknown = await plan.catch((reason: unknown) => reason);
  return error instanceof BenchmarkError ? error : expect.fail('it was planned');
}

async function pooled(bufferPool: number, memoryBytes: number): Promise<Plan> {
  const overrides = { set: [`server.settings.bufferPool=${bufferPool}`] };
  return planned(withOverrides(await builtIn('docker-options'), overrides), engine(memoryBytes));
}

describe('a buffer pool that the engine’s memory can’t hold', () => {
  it('is refused with the largest size that fits, and that one is planned', async () => {
    const { code, params } = await refusal(pooled(27_072, VM_BYTES));
    expect(code).toBe('POOL_TOO_LARGE');
    expect(params).toMatchObject({ field: 'server.settings.bufferPool', memory: '7.7 GiB' });
    const largest = Number(params['mebibytes']);
    expect(largest).toBe(largestPoolMiB(VM_BYTES));
    expect((await pooled(largest, VM_BYTES)).configs[0]?.settings.bufferPoolMiB).toBe(largest);
    expect(await refusal(pooled(largest + 1, VM_BYTES))).toMatchObject({ code: 'POOL_TOO_LARGE' });
    expect((await pooled(27_072, 64 * 2 ** 30)).configs[0]?.settings.bufferPoolMiB).toBe(27_072);
  });

  it('is refused above the memory limit of its container, and planned below it', async () => {
    const limited = async (bufferPool: number): Promise<Plan> => {
      const set = [`server.settings.bufferPool=${bufferPool}`, 'server.limits={"memoryMiB":1024}'];
      return planned(withOverrides(await builtIn('docker-options'), { set }), engine(VM_BYTES));
    };
    expect(await refusal(limited(1024))).toMatchObject({
      code: 'POOL_TOO_LARGE',
      params: { field: 'server.settings.bufferPool', memory: '1 GiB', mebibytes: '930' },
    });
    expect((await limited(930)).configs[0]?.limits).toEqual({ cpus: null, memoryMiB: 1024 });
  });

  it('is the largest of several, by its own field', async () => {
    const { params } = await refusal(planned(await builtIn('oracle-2016-storage'), engine(VM_BYTES)));
    expect(params).toMatchObject({ field: 'bufferPools.in-memory.bufferPool', wanted: '16 GiB' });
  });

  it('is no matter while the memory is unknown', async () => {
    expect((await pooled(27_072, 0)).configs).toHaveLength(1);
  });
});

describe('a storage that the data can’t fit into', () => {
  const sized = async (sizeMiB: number): Promise<Plan> => {
    const grid = { storages: ['named-volume', 'tmpfs'], paths: ['published-port'] };
    const set = [
      `storages=${JSON.stringify({ tmpfs: { kind: 'tmpfs', sizeMiB } })}`,
      `grid=${JSON.stringify(grid)}`,
      'baseline=named-volume.published-port',
      ...['workload.tables=1', 'workload.tableSize=1000', 'server.settings.redoLogMiB=300'],
    ];
    return planned(withOverrides(await builtIn('docker-options'), { set }), engine(VM_BYTES));
  };

  it('is refused with a size that is planned', async () => {
    const { code, params } = await refusal(sized(300));
    expect(code).toBe('STORAGE_TOO_SMALL');
    expect(params).toMatchObject({ size: '300 MiB', field: 'storages.tmpfs.sizeMiB' });
    expect((await sized(Number(params['mebibytes']))).scenarios.map(({ storageId }) => storageId)).toContain(
      'tmpfs',
    );
  });
});

describe('a disk that can’t hold the copies of the data', () => {
  const HUGE = ['workload.tableSize=100000000', 'workload.tables=64'];
  const planOf = async (runtime: FakeRuntime, set: string[], more: { dataDir?: string } = {}) =>
    planned(withOverrides(await builtIn('docker-options'), { set }), runtime, more);
  const rooted = (root: string | undefined): FakeRuntime => Object.assign(engine(VM_BYTES), { root });

  it('is refused, with what is free and the field that makes it smaller', async () => {
    const root = newFolder();
    const { code, params } = await refusal(planOf(rooted(root), HUGE));
    expect(code).toBe('DISK_TOO_SMALL');
    expect(params).toMatchObject({ folder: root, field: 'workload.tableSize' });
    expect((await planOf(rooted(root), [])).scenarios.length).toBeGreaterThan(1);
  });

  it('is that of the bind mounts, too, which is here when the engine is in a virtual machine', async () => {
    const dataDir = newFolder();
    const { code, params } = await refusal(planOf(rooted(undefined), HUGE, { dataDir }));
    expect([code, params['folder']]).toEqual(['DISK_TOO_SMALL', dataDir]);
  });

  it('is that of a user’s dump, of which a task needs one copy at a time', async () => {
    const root = newFolder();
    const free = (await freeBytes(root)) ?? NaN;
    const timed = async (task: Task): Promise<Plan> =>
      planned(await builtIn('time-import'), rooted(root), { task });
    for (const task of [
      { kind: 'dump', bytes: free / 8 },
      { kind: 'migrations', count: 1, beforeBytes: free / 8 },
    ] as const) {
      const { code, params } = await refusal(timed(task));
      expect([code, params['field']]).toEqual(['DISK_TOO_SMALL', msg('plan.fits.dump')]);
    }
    expect((await timed({ kind: 'dump', bytes: free / 20 })).scenarios.length).toBeGreaterThan(7);
  });

  it('is not guessed: nothing is said about what can’t be seen from here', async () => {
    for (const root of [undefined, '/nowhere/docker'])
      expect((await planOf(rooted(root), HUGE)).scenarios.length).toBeGreaterThan(1);
  });
});

describe('the way out', () => {
  const whalemark = testWhalemark();
  const otherwise = async (memoryBytes: number, overrides: PlanOverrides): Promise<unknown> => {
    const preset = await builtIn('percona-2016-network-paths');
    const plan = whalemark.plan(preset, overrides, () => Promise.resolve({ engines: [engine(memoryBytes)] }));
    return (await refusal(plan)).params['otherwise'];
  };

  it('is the small form where there is one, and more memory where it is planned', async () => {
    expect(await otherwise(VM_BYTES, {})).toEqual(msg('plan.fits.small'));
    expect(await otherwise(600 * 2 ** 20, { small: true })).toEqual(msg('plan.fits.moreMemory'));
  });
});
