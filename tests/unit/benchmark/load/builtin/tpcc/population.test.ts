import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../../src/benchmark/random.ts';
import { lastName, scaleOf } from '../../../../../../src/benchmark/load/builtin/tpcc/draw.ts';
import {
  customerRows,
  districtRows,
  historyRows,
  itemRows,
  stockRows,
  warehouseRows,
} from '../../../../../../src/benchmark/load/builtin/tpcc/tables.ts';
import { TABLES } from '../../../../../../src/benchmark/load/builtin/tpcc/schema.ts';
import { tpccWorkloadSchema } from '../../../../../../src/shared/model/workload.ts';

const scale = scaleOf(tpccWorkloadSchema.parse({ kind: 'tpcc', items: 1000, customersPerDistrict: 300 }));
const stream = () => createRandom(1, 7);

/** The values of a row; no text of Whalemark's has a comma or a bracket. */
const values = (row: string): string[] => row.slice(1, -1).split(',');
const columns = (name: string): string[] =>
  (TABLES.find((table) => table.name === name)?.columns ?? '')
    .replace(/\(\d+,\d+\)/g, '')
    .replace(/PRIMARY KEY.*/s, '')
    .split(',')
    .map((column) => column.trim().split(' ')[0] ?? '')
    .filter((column) => column !== '');
/** Rows as objects by column. */
const records = (name: string, rows: Iterable<string>): Record<string, string>[] =>
  [...rows].map((row) => {
    const given = values(row);
    expect(given).toHaveLength(columns(name).length);
    return Object.fromEntries(columns(name).map((column, index) => [column, given[index] ?? '']));
  });

describe('the rows at the beginning', () => {
  it('are items, warehouse, districts and stock of clause 4.3.3.1', () => {
    const items = records('item', itemRows(scale, stream()));
    expect(items.map(({ i_id }) => Number(i_id))).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1));
    for (const { i_price, i_im_id } of items) {
      expect(Number(i_price)).toBeGreaterThanOrEqual(1);
      expect(Number(i_price)).toBeLessThanOrEqual(100);
      expect(Number(i_im_id)).toBeLessThanOrEqual(10_000);
    }
    expect(records('warehouse', warehouseRows(scale, 3, stream()))).toMatchObject([
      { w_id: '3', w_ytd: '30000.00', w_zip: expect.stringMatching(/^'\d{4}11111'$/) },
    ]);
    const districts = records('district', districtRows(scale, 3, stream()));
    expect(districts).toHaveLength(10);
    for (const district of districts) {
      expect(district).toMatchObject({ d_w_id: '3', d_ytd: '3000.00', d_next_o_id: '301' });
      expect(Number(district['d_tax'])).toBeLessThanOrEqual(0.2);
    }
    const stock = records('stock', stockRows(3, 11, 40, stream()));
    expect(stock.map(({ s_i_id }) => Number(s_i_id))).toEqual(Array.from({ length: 30 }, (_, i) => i + 11));
    for (const row of stock) {
      expect(row).toMatchObject({ s_w_id: '3', s_ytd: '0', s_order_cnt: '0', s_remote_cnt: '0' });
      expect(row['s_dist_10']).toMatch(/^'\w{24}'$/);
      expect(Number(row['s_quantity'])).toBeGreaterThanOrEqual(10);
      expect(Number(row['s_quantity'])).toBeLessThanOrEqual(100);
    }
  });

  it('are customers with each last name, and a tenth of bad credit', () => {
    const customers = records('customer', customerRows(scale, 1, 2, stream()));
    expect(customers).toHaveLength(300);
    expect(customers.slice(0, 100).map(({ c_last }) => c_last)).toEqual(
      Array.from({ length: 100 }, (_, number) => `'${lastName(number)}'`),
    );
    const names = new Set(customers.slice(0, 100).map(({ c_last }) => c_last));
    for (const { c_last } of customers.slice(100)) expect(names).toContain(c_last);
    const bad = customers.filter(({ c_credit }) => c_credit === "'BC'").length;
    expect(bad).toBeGreaterThan(12);
    expect(bad).toBeLessThan(55);
    expect(customers[0]).toMatchObject({
      c_d_id: '2',
      c_middle: "'OE'",
      c_credit_lim: '50000.00',
      c_balance: '-10.00',
      c_ytd_payment: '10.00',
      c_payment_cnt: '1',
      c_delivery_cnt: '0',
      c_data: expect.stringMatching(/^'\w{300,500}'$/),
    });
    const history = records('history', historyRows(scale, 1, 2, stream()));
    expect(history).toHaveLength(300);
    expect(history[299]).toMatchObject({ h_c_id: '300', h_c_d_id: '2', h_d_id: '2', h_amount: '10.00' });
  });
});
