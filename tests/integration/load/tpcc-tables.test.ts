import { beforeEach, describe, expect, it } from 'vitest';
import { TABLES } from '../../../src/benchmark/load/builtin/tpcc/schema.ts';
import { dataBytes, rowCount, tpccWorkloadSchema } from '../../../src/shared/model/workload.ts';
import { prepare } from './loads.ts';
import { openConnectionsSoon } from './server-counters.ts';
import { FLAVORS, full, useServer } from './shared-server.ts';

const workload = tpccWorkloadSchema.parse({
  kind: 'tpcc',
  warehouses: 2,
  items: 2000,
  customersPerDistrict: 60,
});
const NAMES = TABLES.map(({ name }) => name);

describe.each(FLAVORS)('tpcc tables on %s', (flavor) => {
  const server = useServer(flavor);
  const once = full(flavor !== 'mariadb');
  beforeEach(() => server.clear());

  const numbers = async (sql: string): Promise<number[]> =>
    ((await server.asRoot(sql))[0] ?? []).map((value) => Number(value));

  it('have the rows of the specification', once, async () => {
    await prepare(server, workload);
    expect(await openConnectionsSoon(server)).toBe(0);

    const rows = new Map<string, number>();
    for (const name of NAMES) {
      const [count = NaN] = await numbers(`SELECT COUNT(*) FROM sbtest.${name}`);
      rows.set(name, count);
    }
    const { order_line: lines = 0, ...others } = Object.fromEntries(rows);
    expect(others).toEqual({
      warehouse: 2,
      item: 2000,
      district: 20,
      stock: 4000,
      customer: 1200,
      history: 1200,
      orders: 1200,
      new_orders: 360,
    });
    expect(lines).toBeGreaterThan(11_600);
    expect(lines).toBeLessThan(12_400);
    const all = [...rows.values()].reduce((sum, count) => sum + count, 0);
    expect(Math.abs(all / rowCount(workload) - 1)).toBeLessThan(0.03);
  });

  it('have their keys, and as many bytes as announced', once, async () => {
    // Enough rows that whole pages don't decide.
    const changed = { warehouses: 1, items: 10_000, customersPerDistrict: 300 };
    await prepare(server, { ...workload, ...changed });
    const keys = await server.asRoot(
      `SELECT table_name, index_name, GROUP_CONCAT(column_name ORDER BY seq_in_index) FROM information_schema.statistics
       WHERE table_schema = 'sbtest' GROUP BY table_name, index_name`,
    );
    expect(keys.map((key) => key.join(' ')).sort()).toEqual([
      'customer PRIMARY c_w_id,c_d_id,c_id',
      'customer customer_name c_w_id,c_d_id,c_last,c_first',
      'district PRIMARY d_w_id,d_id',
      'history history_customer h_c_w_id,h_c_d_id,h_c_id',
      'history history_district h_w_id,h_d_id',
      'item PRIMARY i_id',
      'new_orders PRIMARY no_w_id,no_d_id,no_o_id',
      'order_line PRIMARY ol_w_id,ol_d_id,ol_o_id,ol_number',
      'order_line order_line_stock ol_supply_w_id,ol_i_id',
      'orders PRIMARY o_w_id,o_d_id,o_id',
      'orders orders_customer o_w_id,o_d_id,o_c_id,o_id',
      'stock PRIMARY s_w_id,s_i_id',
      'stock stock_item s_i_id',
      'warehouse PRIMARY w_id',
    ]);
    const [references] = await numbers(
      `SELECT COUNT(*) FROM information_schema.referential_constraints WHERE constraint_schema = 'sbtest'`,
    );
    expect(references).toBe(10);
    await expect(server.asRoot('INSERT INTO sbtest.new_orders VALUES (5000, 1, 1)')).rejects.toThrow(
      /foreign key/i,
    );
    // The statistics, and with them the number of pages, are there already.
    const [tables, bytes = 0] = await numbers(
      `SELECT COUNT(*), SUM(clustered_index_size + sum_of_other_index_sizes) * 16384
       FROM mysql.innodb_table_stats WHERE database_name = 'sbtest' AND n_rows > 0`,
    );
    expect(tables).toBe(9);
    const ratio = bytes / dataBytes({ ...workload, ...changed });
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.5);
  });
});
