import { beforeEach, describe, expect, it } from 'vitest';
import type { PrepareTablesOptions } from '../../../src/benchmark/load/load-client.ts';
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

  const prepare = (fields: Partial<PrepareTablesOptions> = {}): Promise<void> =>
    prepareOn(server, workload, fields);
  const checksums = (): Promise<unknown[][]> =>
    server.asRoot('CHECKSUM TABLE sbtest.sbtest1, sbtest.sbtest2, sbtest.sbtest3');

  it.each(SEEDED)(
    'makes the same rows of $kind from the same seed, whatever the packet size',
    once,
    async ({ seeded, tables, unseeded }) => {
      const sums = async (fields: Partial<PrepareTablesOptions>): Promise<unknown[][]> => {
        await server.clear();
        await prepareOn(server, seeded, fields);
        return server.asRoot(`CHECKSUM TABLE ${tables.map((name) => `sbtest.${name}`).join(', ')}`);
      };
      const progress: number[] = [];
      const first = await sums({ onProgress: (fraction) => progress.push(fraction) });
      expect(progress.at(-1)).toBe(1);
      expect([...progress].sort((a, b) => a - b)).toEqual(progress);
      const small = { max_allowed_packet: 65_536 };
      await server.withGlobals(small, async () => expect(await sums({})).toEqual(first));
      const other = await sums({ seed: 2 });
      const same = other.filter(([, sum], index) => sum === first[index]?.[1]);
      expect(same.map(([name]) => name)).toEqual(unseeded);
      // The tables are no copies of one another.
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
