import { beforeEach, describe, expect, it } from 'vitest';
import type { Totals } from '../../../src/shared/model/measurements.ts';
import type { OltpKind } from '../../../src/shared/kinds/mixes.ts';
import { OLTP_KINDS } from '../../../src/shared/model/names.ts';
import { oltpWorkloadSchema, type OltpWorkload } from '../../../src/shared/model/workload.ts';
import type { Flavor } from '../helpers/docker-server.ts';
import { IN_THE_WAY, prepare, runOurs } from './loads.ts';
import { shapeOf } from './oltp-shapes.ts';
import { counters, difference, openConnectionsSoon } from './server-counters.ts';
import { FLAVORS, full, useServer } from './shared-server.ts';

const build = (kind: OltpKind, fields: Partial<OltpWorkload> = {}): OltpWorkload =>
  oltpWorkloadSchema.parse({ kind, tables: 2, tableSize: 5000, ...fields });

const KINDS: Record<Flavor, readonly OltpKind[]> = {
  mysql: OLTP_KINDS,
  mariadb: ['oltp_read_write', 'oltp_complex', 'oltp_insert', 'oltp_delete'],
};
const AS_SYSBENCH: Partial<OltpWorkload> = {};
const MODES: [string, Partial<OltpWorkload>][] = [
  ['as sysbench does it', AS_SYSBENCH],
  ['without transactions', { skipTransactions: true }],
  ['as text', { preparedStatements: false }],
  ['as text without transactions', { preparedStatements: false, skipTransactions: true }],
];
/** The gate runs the mix in all modes, and each kind with its own counts, on either protocol. */
const inGate = (flavor: Flavor, kind: OltpKind, mode: Partial<OltpWorkload>): boolean =>
  flavor === 'mariadb'
    ? kind === 'oltp_read_write' || (['oltp_insert', 'oltp_delete'].includes(kind) && mode === AS_SYSBENCH)
    : ['oltp_read_write', 'oltp_point_select'].includes(kind) && mode === AS_SYSBENCH;

describe.each(FLAVORS)('OLTP workloads on %s', (flavor) => {
  const server = useServer(flavor);
  const once = full(flavor !== 'mariadb');
  beforeEach(() => server.clear());

  const run = (workload: OltpWorkload, connections: number, durationMs = 500): Promise<Totals> =>
    runOurs(server, workload, { connections, durationMs });

  describe.each(KINDS[flavor])('%s', (kind) => {
    describe.each(MODES)('%s', (_, mode) => {
      it('counts what the server counts', full(!inGate(flavor, kind, mode)), async () => {
        const workload = build(kind, mode);
        await prepare(server, workload);
        const before = await counters(server);
        // One connection meets no lock of another: every transaction is made of the same statements.
        const totals = await run(workload, 1);
        const counted = difference(await counters(server), before);
        const expected = shapeOf(kind, workload.skipTransactions);
        const statements = Object.values(expected.server).reduce((sum, n) => sum + n, 0);
        const sent = Object.keys(expected.server) as (keyof typeof expected.server)[];

        const n = totals.transactions;
        expect(n).toBeGreaterThan(0);
        const done = sent.reduce((sum, name) => sum + counted[name], 0) / statements;
        expect(done).toBe(n + totals.uncounted);
        for (const name of sent) expect(counted[name]).toBe(expected.server[name] * done);
        expect(counted.rollback).toBe(0);

        const { select, update, insert } = expected.server;
        const table = select + update + expected.server.delete + insert;
        const prepared = workload.preparedStatements && kind !== 'oltp_insert';
        expect(counted.stmt_execute).toBe(prepared ? table * done : 0);
        expect(counted.stmt_prepare > 0).toBe(prepared);

        const rows = await server.asRoot(
          'SELECT (SELECT COUNT(*) FROM sbtest.sbtest1) + (SELECT COUNT(*) FROM sbtest.sbtest2)',
        );
        const { reads, writes, other } = expected.client;
        expect(totals).toMatchObject({ errors: {}, rollbacks: 0, mix: {}, reads: reads * n });
        expect(totals.writes + totals.other).toBe((writes + other) * n);
        if (kind === 'oltp_delete') {
          // Deleting a row again writes nothing.
          const gone = 10_000 - Number(rows[0]?.[0]);
          expect(gone).toBeGreaterThanOrEqual(totals.writes);
          expect(gone).toBeLessThanOrEqual(totals.writes + totals.uncounted);
        } else {
          expect(totals.writes).toBe(writes * n);
          expect(Number(rows[0]?.[0])).toBe(10_000 + (kind === 'oltp_insert' ? done : 0));
        }
      });
    });
  });

  it('gives new rows the next ids', once, async () => {
    const workload = build('oltp_insert');
    await prepare(server, workload);
    await run(workload, 4);
    for (const number of [1, 2]) {
      const added = await server.asRoot(
        `SELECT COUNT(*) > 0, MIN(id), COUNT(DISTINCT id) = COUNT(*), SUM(k BETWEEN 1 AND 5000) = COUNT(*),
           SUM(c REGEXP '^[0-9]{11}(-[0-9]{11}){9}$' AND pad REGEXP '^[0-9]{11}(-[0-9]{11}){4}$') = COUNT(*)
         FROM sbtest.sbtest${number} WHERE id > 5000`,
      );
      expect(added.map((row) => row.map(Number))).toEqual([[1, 5001, 1, 1, 1]]);
    }
  });

  it('lives with connections in each other’s way without transactions', once, async () => {
    const workload = build('oltp_write_only', { tables: 1, tableSize: 100, skipTransactions: true });
    await prepare(server, workload);
    const totals = await run(workload, 32, 2000);
    expect(totals.transactions).toBeGreaterThan(0);
    expect(totals.errors['1062']).toBeGreaterThan(0);
    for (const code of Object.keys(totals.errors)) expect(['1062', ...IN_THE_WAY]).toContain(code);
    expect(await openConnectionsSoon(server)).toBe(0);
  });
});
