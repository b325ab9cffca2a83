import { describe, expect, it } from 'vitest';
import { planGroups } from '../../../../src/benchmark/plan/groups.ts';
import { makePassport, makePlan, onEngine, type PlanShape } from '../../plan-builder.ts';

const SHAPE: PlanShape = {
  scenarios: [
    { storage: 'named-volume', path: 'published-port' },
    { storage: 'bind-mount', path: 'published-port' },
    { storage: 'bind-mount', path: 'container-ip' },
    { storage: 'container-layer', path: 'published-port' },
    { storage: 'tmpfs', path: 'published-port' },
  ],
  sliceSeconds: 0.5,
};
/** Servers of the baseline, of its repeat, and of three more storages. */
const [BASE, AGAIN, BIND, LAYER, TMPFS] = [
  'named-volume.bridge',
  'named-volume.bridge~again',
  'bind-mount.bridge',
  'container-layer.bridge',
  'tmpfs.bridge',
];

const LIMIT_MIB = 700;

/** The groups on an engine with memory for this many servers, each of which may use its container's limit. */
function groupsWithin(servers: number, shape: PlanShape = {}) {
  const memoryBytes = (servers * LIMIT_MIB * 2 ** 20) / 0.6;
  const plan = makePlan({ config: { limits: { memoryMiB: LIMIT_MIB, cpus: null } }, ...SHAPE, ...shape });
  return planGroups(onEngine(plan, { passport: makePassport({ memoryBytes }) }));
}

describe('servers that take turns', () => {
  it('are in groups that fit in the engine’s memory, each with the baseline and its repeat', () => {
    const { groups, schedule, notices } = groupsWithin(5);
    expect(groups.map((ids) => [...ids].sort())).toEqual([[BASE, AGAIN, BIND, LAYER, TMPFS].sort()]);
    expect([schedule.sliceSeconds, notices]).toEqual([0.5, []]);
    const withBase = (...others: string[][]) => others.map((ids) => [BASE, AGAIN, ...ids]);
    expect(groupsWithin(4.5).groups).toEqual(withBase([BIND, LAYER], [TMPFS]));
    expect(groupsWithin(3).groups).toEqual(withBase([BIND], [LAYER], [TMPFS]));
  });

  it.each<[string, number, PlanShape, RegExp]>([
    ['the baseline, its repeat, and another don’t fit', 2.5, {}, /memory/],
    [
      'sysbench loads a server',
      9,
      { scenarios: [{ storage: 'named-volume', path: 'published-port' }], loadGenerator: 'sysbench' },
      /load/,
    ],
  ])('are none, with the reason, where %s', (_, servers, shape, reason) => {
    const { groups, schedule, notices } = groupsWithin(servers, shape);
    expect(groups).toEqual([]);
    expect(schedule).not.toHaveProperty('sliceSeconds');
    expect(notices).toMatchObject([
      { code: 'NOT_SIDE_BY_SIDE', message: { code: expect.stringMatching(reason) as string } },
    ]);
  });

  it('need their buffer pool, and where they store in memory, that, too', () => {
    const limits = { memoryMiB: null, cpus: null };
    const least = (storage: 'bind-mount' | 'tmpfs', bufferPool = 256): number => {
      const plan = makePlan({
        ...SHAPE,
        scenarios: [
          { storage: 'named-volume', path: 'published-port' },
          { storage, path: 'published-port' },
        ],
      });
      const configs = plan.configs.map(({ settings, ...config }) => ({
        ...{ ...config, limits, settings: { ...settings, bufferPoolMiB: bufferPool } },
      }));
      const fits = (mebibytes: number): boolean => {
        const passport = makePassport({ memoryBytes: (mebibytes * 2 ** 20) / 0.6 });
        return planGroups(onEngine({ ...plan, configs }, { passport })).groups.length === 1;
      };
      return Array.from({ length: 200 }, (_, index) => 64 * index).find(fits) ?? Infinity;
    };
    const disk = least('bind-mount');
    expect(disk).toBeGreaterThan(3 * 256);
    expect(least('bind-mount', 512)).toBe(disk + 3 * 256);
    // Data in memory has at least the redo log.
    expect(least('tmpfs')).toBeGreaterThan(disk + 256);
  });

  it('are none in a preset without slices', () => {
    const shape = { ...SHAPE };
    delete shape.sliceSeconds;
    expect(planGroups(makePlan(shape))).toMatchObject({ groups: [], notices: [] });
  });
});
