import { readFileSync } from 'node:fs';
import type { LoadClient } from '../src/benchmark/load/load-client.ts';
import { geometricMean } from '../src/shared/analysis/samples.ts';
import type { Transport } from '../src/shared/model/names.ts';
import type { OltpWorkload } from '../src/shared/model/workload.ts';
import { docker, type TestServer } from '../tests/integration/helpers/docker-server.ts';
import { optionsOf } from '../scripts/setup/options.mjs';
import { Cleanup } from './lib/cleanup.ts';
import { startClient } from './lib/client.ts';
import { describeMachine } from './lib/machine.ts';
import { median } from './lib/ratio.ts';
import { startRunServer, workloadOf } from './lib/server.ts';
import { printTable } from './lib/table.ts';
import { cpuPerStatement, runTrial } from './lib/trial.ts';

/*
 * The cost of a statement for the load generator when there is more of everything: CPU and memory at 1 to 512 connections, 1 to
 * 64 tables, 10⁴ to 10⁷ rows. The points of a row are measured in passes, one after the other.
 */
const { values } = optionsOf('npm run bench:growth -- [--passes N]', {
  passes: { type: 'string', default: '3' },
});
const passes = Number(values.passes);
const seconds = 3;
const signal = new AbortController().signal;
const cleanup = new Cleanup();

interface Point {
  name: string;
  schema: string;
  workload: OltpWorkload;
  connections: number;
  transport?: Transport;
}

/** The most memory that the client and its worker have held so far, MiB. */
async function peakMiB(clientId: string): Promise<number> {
  const pids = (await docker('top', clientId, '-o', 'pid')).split('\n').slice(1);
  const peak = (pid: string): number =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid.trim()}/status`, 'utf8'))?.[1]) / 1024;
  return pids.reduce((sum, pid) => sum + peak(pid), 0);
}

async function fill(server: TestServer, client: LoadClient, { schema, workload }: Point): Promise<void> {
  await server.asRoot(`CREATE DATABASE ${schema}`);
  await server.asRoot(`GRANT ALL ON ${schema}.* TO bench`);
  const target = { ...server.bridgeTarget, database: schema };
  await client.prepare(target, workload, { seed: 1, onProgress: () => undefined, signal });
}

/** Measures each point in every pass, with a fresh client each time, so that its memory is its own. */
async function row(server: TestServer, title: string, points: readonly Point[]): Promise<void> {
  const cpu = points.map((): number[] => []);
  const memory = points.map((): number[] => []);
  for (let pass = 1; pass <= passes; pass++) {
    for (const [index, { schema, workload, connections, transport }] of points.entries()) {
      const client = await startClient('host');
      try {
        const target = { ...server.bridgeTarget, database: schema };
        const trial = {
          client: client.loadGenerator,
          loadGenerator: 'builtin' as const,
          transport,
          target,
          workload,
          connections,
        };
        cpu[index]?.push(cpuPerStatement(await runTrial({ ...trial, seconds, seed: pass })));
        memory[index]?.push(await peakMiB(client.id));
      } finally {
        await client.remove();
      }
    }
  }
  const center = geometricMean(cpu.map(median));
  printTable([
    [title, 'CPU/statement', 'of the mean', 'memory', 'memory a connection'],
    ...points.map(({ name, connections }, index) => {
      const one = median(cpu[index] ?? []);
      const held = median(memory[index] ?? []);
      const more = held - median(memory[0] ?? []);
      const others = connections - (points[0]?.connections ?? 0);
      return [
        name,
        `${one.toFixed(1)} µs`,
        (one / center).toFixed(2),
        `${held.toFixed(0)} MiB`,
        others > 0 ? `${((more * 1024) / others).toFixed(0)} KiB` : '',
      ];
    }),
  ]);
  console.log('reach: within 20 % of the mean\n');
}

await cleanup.around(async () => {
  const server = await startRunServer(600, 4096);
  cleanup.add(() => server.remove());
  const filler = await startClient('host');
  cleanup.add(filler.remove);
  console.log(`${describeMachine()}\noltp_read_only, median of ${passes} passes of ${seconds} s\n`);

  const four = workloadOf('oltp_read_only');
  const atConnections = (connections: number): Point => ({
    name: String(connections),
    schema: 'four',
    workload: four,
    connections,
  });
  const byConnections = [1, 8, 64, 512].map(atConnections);
  const onThreads = [1, 8, 32, 64].map((connections): Point => ({
    ...atConnections(connections),
    transport: 'threads',
  }));
  const byTables = [1, 8, 64].map((tables): Point => {
    const workload = workloadOf('oltp_read_only', { tables, tableSize: 5000 });
    return { name: String(tables), schema: `tables${tables}`, workload, connections: 8 };
  });
  const byRows = [1e4, 1e5, 1e6, 1e7].map((size): Point => {
    const workload = workloadOf('oltp_read_only', { tables: 1, tableSize: size });
    return { name: String(size), schema: `rows${size}`, workload, connections: 8 };
  });
  for (const point of [...byConnections.slice(0, 1), ...byTables, ...byRows]) {
    await fill(server, filler.loadGenerator, point);
  }
  await row(server, 'connections, on threads', onThreads);
  await row(server, 'connections, in the event loop', byConnections);
  await row(server, 'tables', byTables);
  await row(server, 'rows', byRows);
});
