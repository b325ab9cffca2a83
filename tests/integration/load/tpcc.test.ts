import { expect, it } from 'vitest';
import { prepareTables } from '../../../src/benchmark/load/node/workload-engine.ts';
import { queryRows } from '../../../src/benchmark/load/node/query.ts';
import { checkTpccConsistency } from '../../../src/benchmark/load/node/tpcc/consistency.ts';
import { workloadSchema } from '../../../src/shared/model/workload.ts';
import { startServer } from '../helpers/docker-server.ts';
it.each(['mysql', 'mariadb'] as const)('try %s', async (flavour) => {
  const server = await startServer(flavour);
  try {
    const workload = workloadSchema.parse({ kind: 'tpcc', warehouses: 2, items: 2000, customersPerDistrict: 60 });
    const t = Date.now();
    await prepareTables(server.target, workload, { seed: 1, onProgress: () => undefined, signal: new AbortController().signal });
    console.log(Date.now() - t, 'ms');
    const r = await checkTpccConsistency((sql) => queryRows(server.target, sql, new AbortController().signal));
    console.log(r.conditions.filter((c) => !c.ok));
    console.log(await server.asRoot("select table_name, n_rows from mysql.innodb_table_stats where database_name='sbtest'"));
    expect(r.ok).toBe(true);
  } finally { await server.remove(); }
});
