import { beforeEach, describe, expect, it } from 'vitest';
import type { PrepareOptions } from '../../../src/benchmark/load/builtin/workload-kind.ts';
import { TABLES } from '../../../src/benchmark/load/builtin/tpcc/schema.ts';
import { workloadSchema } from '../../../src/shared/model/workload.ts';
import { startServer } from '../helpers/docker-server.ts';
import { prepare as prepareOn } from './loads.ts';
import { openConnectionsSoon } from './server-counters.ts';
import { FLAVORS, full, useServer } from './shared-server.ts';

const workload = workloadSchema.parse({ tables: 3, tableSize: 6000 });
const SEEDED = [
  { kind: 'oltp', seeded: workload, tables: ['sbtest1', 'sbtest2', 'sbtest3'], unseeded: [] },
  {
    kind: 'tpcc',
    seeded: workloadSchema.parse({ kind: 'tpcc', warehouses: 2, items: 2000, customersPerDistrict: 60 }),
    tables: TABLES.map(({ name }) => name),
    // The numbers of undelivered orders don't depend on chance.
    unseeded: ['sbtest.new_orders'],
  },
];

describe.each(FLAVORS)('prepareTables on %s', (flavor) => {
  const server = useServer(flavor);
  const once = full(flavor !== 'mariadb');
  beforeEach(() => server.clear());

  const prepare = (fields: Partial<PrepareOptions> = {}): Promise<void> =>
    prepareOn(server, workload, fields);
  const value = async (sql: string): Promise<unknown> => (await server.asRoot(sql))[0]?.[0];
  const checksums = (): Promise<unknown[][]> =>
    server.asRoot('CHECKSUM TABLE sbtest.sbtest1, sbtest.sbtest2, sbtest.sbtest3');

  it('makes the tables that sysbench makes', async () => {
    const progress: number[] = [];
    await prepare({ onProgress: (fraction) => progress.push(fraction) });
    expect(progress.at(-1)).toBe(1);
    expect([...progress].sort((a, b) => a - b)).toEqual(progress);
    expect(await openConnectionsSoon(server)).toBe(0);

    expect((await server.asRoot('SHOW TABLES FROM sbtest')).flat()).toEqual([
      'sbtest1',
      'sbtest2',
      'sbtest3',
    ]);
    for (const number of [1, 2, 3]) {
      const [row] = await server.asRoot(`SHOW CREATE TABLE sbtest.sbtest${number}`);
      const text = String(row?.[1]).replaceAll(/\(11\)| COLLATE \w+| CHARACTER SET \w+/g, '');
      const columns = text
        .split('\n')
        .slice(1, -1)
        .map((line) => line.trim().replace(/,$/, ''));
      // The servers differ in how they print a numeric default.
      expect(columns.map((line) => line.replace(`DEFAULT '0'`, 'DEFAULT 0'))).toEqual([
        '`id` int NOT NULL AUTO_INCREMENT',
        '`k` int NOT NULL DEFAULT 0',
        "`c` char(120) NOT NULL DEFAULT ''",
        "`pad` char(60) NOT NULL DEFAULT ''",
        'PRIMARY KEY (`id`)',
        `KEY \`k_${number}\` (\`k\`)`,
      ]);
      expect(text).toMatch(/ENGINE=InnoDB AUTO_INCREMENT=6001\b/);
      expect(
        await server.asRoot(
          `SELECT COUNT(*), MIN(id), MAX(id), SUM(k BETWEEN 1 AND 6000),
             SUM(c REGEXP '^[0-9]{11}(-[0-9]{11}){9}$'), SUM(pad REGEXP '^[0-9]{11}(-[0-9]{11}){4}$'),
             COUNT(DISTINCT c) FROM sbtest.sbtest${number}`,
        ),
      ).toMatchObject([[6000, 1, 6000, '6000', '6000', '6000', 6000]]);
      // Uniform over 1…6000: mean 3000.5, its standard error 22.4.
      const mean = Number(await value(`SELECT AVG(k) FROM sbtest.sbtest${number}`));
      expect(Math.abs(mean - 3000.5)).toBeLessThan(90);
      // The statistics are there already.
      const rows = Number(
        await value(
          `SELECT n_rows FROM mysql.innodb_table_stats WHERE database_name = 'sbtest' AND table_name = 'sbtest${number}'`,
        ),
      );
      expect(rows).toBeGreaterThan(5000);
    }
  });

  it.each(SEEDED)(
    'makes the same rows of $kind from the same seed, whatever the number of connections and the packet size',
    once,
    async ({ seeded, tables, unseeded }) => {
      const sums = async (fields: Partial<PrepareOptions>): Promise<unknown[][]> => {
        await server.clear();
        await prepareOn(server, seeded, fields);
        return server.asRoot(`CHECKSUM TABLE ${tables.map((name) => `sbtest.${name}`).join(', ')}`);
      };
      const first = await sums({ connections: 1 });
      const small = { max_allowed_packet: 65_536 };
      await server.withGlobals(small, async () => expect(await sums({ connections: 3 })).toEqual(first));
      const other = await sums({ seed: 2 });
      const same = other.filter(([, sum], index) => sum === first[index]?.[1]);
      expect(same.map(([name]) => name)).toEqual(unseeded);
      // Nor are the tables copies of one another.
      expect(new Set(first.map(([, sum]) => String(sum))).size).toBe(tables.length);
    },
  );

  it('makes the same rows whether or not the server takes LOAD DATA LOCAL', async () => {
    const loaded = async (): Promise<number> => {
      const rows = await server.asRoot("SHOW GLOBAL STATUS LIKE 'Com_load'");
      return Number(rows[0]?.[1]);
    };
    const sums: unknown[][][] = [];
    const statements: number[] = [];
    for (const allowed of [1, 0]) {
      await server.clear();
      const before = await loaded();
      await server.withGlobals({ local_infile: allowed }, prepare);
      sums.push(await checksums());
      statements.push((await loaded()) - before);
    }
    expect(statements).toEqual([3, 0]);
    expect(sums[1]).toEqual(sums[0]);
    expect(await openConnectionsSoon(server)).toBe(0);
  });

  describe.each([1, 0])('with local_infile = %i', (allowed) => {
    it('stops before it is done', once, async () => {
      const stop = new AbortController();
      const progress: number[] = [];
      const onProgress = (fraction: number): void => {
        progress.push(fraction);
        stop.abort();
      };
      await server.withGlobals({ local_infile: allowed }, () =>
        expect(prepare({ signal: stop.signal, onProgress })).rejects.toMatchObject({ code: 'STOPPED' }),
      );
      expect(progress.at(-1)).toBeLessThan(1);
      expect(await openConnectionsSoon(server)).toBe(0);
    });
  });

  it('says what is in the way, and ends all its connections', async () => {
    await server.asRoot('CREATE TABLE sbtest.sbtest2 (id INT)');
    await expect(prepare()).rejects.toMatchObject({
      code: 'DATASET_FAILED',
      params: { reason: expect.stringContaining('ER_TABLE_EXISTS_ERROR (1050)') },
    });
    expect(await openConnectionsSoon(server)).toBe(0);
  });
});

describe('prepareTables on a storage that is too small', () => {
  it('says that it is full', full(), async () => {
    const server = await startServer('mariadb', ['--innodb-log-file-size=8M'], {
      dockerOptions: ['--tmpfs', '/var/lib/mysql:size=170m'],
    });
    try {
      const prepared = prepareOn(server, workloadSchema.parse({ tables: 4, tableSize: 200_000 }));
      await expect(prepared).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    } finally {
      await server.remove();
    }
  });
});
