import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { idDraws } from '../../../src/benchmark/load/builtin/oltp/distribution.ts';
import { createRandom } from '../../../src/benchmark/random.ts';
import type { OltpKind } from '../../../src/shared/kinds/mixes.ts';
import { OLTP_KINDS } from '../../../src/shared/model/names.ts';
import { oltpWorkloadSchema, type OltpWorkload } from '../../../src/shared/model/workload.ts';
import { REJECTED, tally, twoSamples } from '../../goodness-of-fit.ts';
import { prepare, runOurs } from './loads.ts';
import { shapeOf } from './oltp-shapes.ts';
import { counters, difference } from './server-counters.ts';
import { FLAVORS, full, useServer } from './shared-server.ts';
import { parseReport, sysbench, sysbenchDraws, sysbenchImage } from './sysbench-command.ts';

/** Distributions that sysbench 1.0.20 knows; zipfian came later. */
const COMMON = ['uniform', 'special', 'gaussian', 'pareto'] as const;
/** sysbench 1.0 has no script for 0.4's mix. */
const SCRIPTS = OLTP_KINDS.filter((kind) => kind !== 'oltp_complex');

/** The gate compares the distribution of most presets, and two kinds that are counted differently, on MariaDB. */
const IN_GATE = { distribution: 'special', kinds: ['oltp_read_write', 'oltp_delete'], highest: 101 };

let image: string;
beforeAll(async () => {
  image = await sysbenchImage();
});

const build = (kind: OltpKind, fields: Partial<OltpWorkload> = {}): OltpWorkload =>
  oltpWorkloadSchema.parse({ kind, tables: 2, tableSize: 3000, ...fields });
const tables = ({ kind, tables: count, tableSize, distribution }: OltpWorkload): string[] => [
  kind,
  `--tables=${count}`,
  `--table-size=${tableSize}`,
  `--rand-type=${distribution}`,
];

describe('the ids that sysbench draws', () => {
  describe.each([100, 101, 2000])('of %i rows', (highest) => {
    it('are drawn as ours', full(highest !== IN_GATE.highest), async () => {
      const drawn = new Map<string, { ours: number[]; theirs: number[] }>();
      const draw = async (distribution: (typeof COMMON)[number]): Promise<void> => {
        const random = createRandom(3, 0);
        const ours = Array.from({ length: 200_000 }, () => idDraws[distribution](highest, random));
        const theirs = await sysbenchDraws(image, distribution, highest, 200_000);
        expect(theirs).toHaveLength(200_000);
        drawn.set(distribution, { ours: tally(ours, highest), theirs: tally(theirs, highest) });
      };
      await Promise.all(COMMON.map(draw));
      for (const [one, { ours }] of drawn) {
        for (const [other, { theirs }] of drawn) {
          const deviates = twoSamples(ours, theirs);
          if (one === other) expect(deviates, one).toBeLessThan(REJECTED);
          else expect(deviates, `${one} and ${other}`).toBeGreaterThan(10 * REJECTED);
        }
      }
    });
  });
});

describe.each(FLAVORS)('sysbench and our load generator on %s', (flavor) => {
  const server = useServer(flavor);
  const inGate = (distribution: string): boolean =>
    flavor === 'mariadb' && distribution === IN_GATE.distribution;
  const hasKind = (kind: OltpKind): boolean => flavor === 'mariadb' && IN_GATE.kinds.includes(kind);
  beforeEach(() => server.clear());

  /** The definition, the indexes, and the shape of the rows of each table, and how often each k occurs. */
  async function describeTables(workload: OltpWorkload) {
    const found = [];
    const ks: number[] = [];
    for (let number = 1; number <= workload.tables; number++) {
      const table = `sbtest.sbtest${number}`;
      const [created] = await server.asRoot(`SHOW CREATE TABLE ${table}`);
      const indexes = await server.asRoot(`SHOW INDEX FROM ${table}`);
      const [rows] = await server.asRoot(
        `SELECT COUNT(*), MIN(id), MAX(id), SUM(k BETWEEN 1 AND ${workload.tableSize}),
           SUM(c REGEXP '^[0-9]{11}(-[0-9]{11}){9}$'), SUM(pad REGEXP '^[0-9]{11}(-[0-9]{11}){4}$'),
           COUNT(DISTINCT c), COUNT(DISTINCT pad)
         FROM ${table}`,
      );
      // Table, non-unique, name, position, column.
      found.push({
        created: created?.[1],
        indexes: indexes.map((row) => row.slice(0, 5)),
        rows: rows?.map(Number),
      });
      ks.push(...(await server.asRoot(`SELECT k FROM ${table}`)).map(([k]) => Number(k)));
    }
    return { found, ks: tally(ks, workload.tableSize) };
  }

  describe.each(COMMON)('%s', (distribution) => {
    it('make the same tables', full(!inGate(distribution)), async () => {
      const workload = build('oltp_read_write', { distribution });
      await sysbench(image, server, ...tables(workload), 'prepare');
      const theirs = await describeTables(workload);
      await server.clear();
      await prepare(server, workload);
      const ours = await describeTables(workload);
      expect(ours.found).toEqual(theirs.found);
      expect(ours.found[0]?.rows).toEqual([3000, 1, 3000, 3000, 3000, 3000, 3000, 3000]);
      expect(twoSamples(ours.ks, theirs.ks)).toBeLessThan(REJECTED);
    });
  });

  describe.each(SCRIPTS)('%s', (kind) => {
    describe.each([false, true])('skipTransactions: %s', (skipTransactions) => {
      it('sends the same statements', full(skipTransactions || !hasKind(kind)), async () => {
        const workload = build(kind, { skipTransactions });
        await prepare(server, workload);
        const before = await counters(server);
        const options = ['--threads=1', '--events=50', '--time=0'];
        if (skipTransactions && /read|write/.test(kind)) options.push('--skip-trx=on');
        const printed = await sysbench(image, server, ...tables(workload), ...options, 'run');
        const counted = difference(await counters(server), before);
        const { client: ours, server: statements } = shapeOf(kind, skipTransactions);
        for (const [name, times] of Object.entries(statements)) {
          expect(counted[name as keyof typeof statements], name).toBe(50 * times);
        }
        const report = parseReport(printed);
        expect(report).toMatchObject({ transactions: 50, ignoredErrors: 0, reads: 50 * ours.reads });
        expect(report.writes + report.other).toBe(50 * (ours.writes + ours.other));
        if (kind !== 'oltp_delete') expect(report.writes).toBe(50 * ours.writes);
      });
    });
  });
});

describe('the rows that a running load touches', () => {
  const server = useServer('mariadb');

  describe.each(COMMON)('%s', (distribution) => {
    it(
      'are the same with sysbench and with our loadGenerator',
      full(distribution !== IN_GATE.distribution),
      async () => {
        await server.clear();
        const workload = build('oltp_update_index', { tables: 1, tableSize: 2000, distribution });
        await prepare(server, workload);
        // Every update of a row adds one to its k.
        const reset = (): Promise<unknown> => server.asRoot('UPDATE sbtest.sbtest1 SET k = 0');
        const touched = async (): Promise<number[]> =>
          (await server.asRoot('SELECT k FROM sbtest.sbtest1 ORDER BY id')).map(([k]) => Number(k));
        await reset();
        const options = ['--threads=4', '--events=8000', '--time=0', '--rand-seed=5'];
        await sysbench(image, server, ...tables(workload), ...options, 'run');
        const theirs = await touched();
        expect(theirs.reduce((sum, n) => sum + n, 0)).toBe(8000);
        await reset();
        const totals = await runOurs(server, workload, { connections: 4, durationMs: 3000 });
        const ours = await touched();
        expect(ours.reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(totals.writes);
        expect(totals.writes).toBeGreaterThan(2000);
        expect(twoSamples(ours, theirs)).toBeLessThan(REJECTED);
      },
    );
  });
});
