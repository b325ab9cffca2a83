import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { HostClient } from '../src/benchmark/load/client/clients.ts';
import type { LoadClient, LoadTarget } from '../src/benchmark/load/load-client.ts';
import { tps, type Totals } from '../src/shared/model/measurements.ts';
import type { OltpKind } from '../src/shared/kinds/mixes.ts';
import { LOAD_GENERATORS, type LoadGenerator } from '../src/shared/model/names.ts';
import { createRandom, shuffled } from '../src/benchmark/random.ts';
import type { Flavor, TestServer } from '../tests/integration/helpers/docker-server.ts';
import { Cleanup } from './lib/cleanup.ts';
import { startClient } from './lib/client.ts';
import { describeMachine } from './lib/machine.ts';
import { describeRatio, geometricMean, meanRatio } from './lib/ratio.ts';
import { questions, startRunServer, workloadOf } from './lib/server.ts';
import { printTable } from './lib/table.ts';
import { cpuPerStatement, runTrial, statements } from './lib/trial.ts';

/*
 * Whalemark's load generator against sysbench: the same server with a run's own options on a volume, the same cores, the same client
 * container on the host's network; both load generators in each pass, in random order.
 */
const { values: args } = parseArgs({
  options: {
    passes: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '3' },
    kinds: { type: 'string', default: 'oltp_point_select,oltp_read_only,oltp_read_write,oltp_write_only' },
    threads: { type: 'string', default: '1,8,32' },
    flavor: { type: 'string', default: 'mysql' },
    part: { type: 'string', default: 'cells,paths' },
  },
});
const passes = Number(args.passes);
const seconds = Number(args.seconds);
const kinds = args.kinds.split(',') as OltpKind[];
const threads = args.threads.split(',').map(Number);
const signal = new AbortController().signal;
const cleanup = new Cleanup();
const random = createRandom(1);

/** Rejects when Whalemark's load generator counted anything but what the server was asked. */
async function checkCounts(server: TestServer, client: LoadClient, kind: OltpKind): Promise<void> {
  const connections = 8;
  const before = await questions(server);
  const trial = {
    client,
    loadGenerator: 'node' as const,
    target: server.bridgeTarget,
    workload: workloadOf(kind),
  };
  const totals = await runTrial({ ...trial, connections, seconds: 1, warmupSeconds: 0, seed: 99 });
  const asked = (await questions(server)) - before;
  const counted = statements(totals);
  // What was under way at the end is asked and not counted, and a few statements of Whalemark's read the counters.
  const most = counted + connections * 21 + 10;
  console.log(`${kind}: counted ${counted} statements, the server was asked ${asked}`);
  if (asked < counted || asked > most) throw new Error(`${kind}: expected ${counted} to ${most}`);
}

async function cells(server: TestServer, client: LoadClient): Promise<void> {
  for (const kind of kinds) await checkCounts(server, client, kind);
  const head = ['workload', 'threads', 'TPS node', 'TPS sysbench', 'TPS ratio'];
  const rows = [[...head, 'CPU/statement node', 'sysbench', 'CPU ratio', 'p95 ratio']];
  const tpsRatios: number[] = [];
  const cpuRatios: number[] = [];
  for (const kind of kinds) {
    for (const connections of threads) {
      const cell: Record<LoadGenerator, Totals[]> = { node: [], sysbench: [] };
      for (let pass = 1; pass <= passes; pass++) {
        for (const loadGenerator of shuffled(LOAD_GENERATORS, random)) {
          const trial = { client, loadGenerator, target: server.bridgeTarget, workload: workloadOf(kind) };
          cell[loadGenerator].push(await runTrial({ ...trial, connections, seconds, seed: pass }));
        }
      }
      const each = (figure: (totals: Totals) => number) => ({
        node: cell.node.map(figure),
        sysbench: cell.sysbench.map(figure),
      });
      const rate = each(tps);
      const cpu = each(cpuPerStatement);
      const p95 = each(({ latency }) => latency?.p95Us ?? NaN);
      tpsRatios.push(meanRatio(rate.node, rate.sysbench));
      cpuRatios.push(meanRatio(cpu.node, cpu.sysbench));
      rows.push([
        kind,
        String(connections),
        geometricMean(rate.node).toFixed(0),
        geometricMean(rate.sysbench).toFixed(0),
        describeRatio(rate.node, rate.sysbench),
        `${geometricMean(cpu.node).toFixed(1)} µs`,
        `${geometricMean(cpu.sysbench).toFixed(1)} µs`,
        describeRatio(cpu.node, cpu.sysbench),
        describeRatio(p95.node, p95.sysbench),
      ]);
    }
  }
  printTable(rows);
  console.log(
    `TPS, node / sysbench: geometric mean ${geometricMean(tpsRatios).toFixed(2)} (reach: at least 1.0), ` +
      `lowest cell ${Math.min(...tpsRatios).toFixed(2)} (reach: at least 0.9)\n` +
      `Client CPU per statement, node / sysbench: geometric mean ${geometricMean(cpuRatios).toFixed(2)} (reach: at most 1.1)\n`,
  );
}

/** Where each load generator's client is on each path, as in a run. */
interface Path {
  name: string;
  clients: Record<LoadGenerator, LoadClient>;
  target: LoadTarget;
}

async function paths(server: TestServer, onHost: LoadClient): Promise<void> {
  const here = new HostClient(resolve('out/main/client.cjs'));
  cleanup.add(here.close);
  const [bridge, shared] = [await startClient('bridge'), await startClient(`container:${server.id}`)];
  cleanup.add(bridge.remove);
  cleanup.add(shared.remove);
  const all: Path[] = [
    {
      name: 'shared-netns',
      clients: both(shared.loadGenerator),
      target: { ...server.bridgeTarget, host: '127.0.0.1' },
    },
    { name: 'user-bridge', clients: both(bridge.loadGenerator), target: server.bridgeTarget },
    { name: 'published-port', clients: { node: here, sysbench: onHost }, target: server.target },
  ];
  const rates = all.map((): Record<LoadGenerator, number[]> => ({ node: [], sysbench: [] }));
  const workload = workloadOf('oltp_read_only');
  for (let pass = 1; pass <= passes; pass++) {
    const turns = all.flatMap((path, index) =>
      LOAD_GENERATORS.map((loadGenerator) => ({ path, index, loadGenerator })),
    );
    for (const { path, index, loadGenerator } of shuffled(turns, random)) {
      const trial = { client: path.clients[loadGenerator], loadGenerator, target: path.target, workload };
      rates[index]?.[loadGenerator].push(
        tps(await runTrial({ ...trial, connections: 8, seconds, seed: pass })),
      );
    }
  }
  const [base] = rates;
  if (base === undefined) return;
  const rows = [['path / shared-netns', 'node', 'sysbench', 'apart']];
  for (const [index, { name }] of all.entries()) {
    const rate = rates[index];
    if (rate === undefined || rate === base) continue;
    const apart = meanRatio(rate.node, base.node) - meanRatio(rate.sysbench, base.sysbench);
    rows.push([
      name,
      describeRatio(rate.node, base.node),
      describeRatio(rate.sysbench, base.sysbench),
      `${(100 * apart).toFixed(0)} points (reach: 5)`,
    ]);
  }
  console.log('oltp_read_only, 8 threads');
  printTable(rows);
}

function both(loadGenerator: LoadClient): Record<LoadGenerator, LoadClient> {
  return { node: loadGenerator, sysbench: loadGenerator };
}

await cleanup.around(async () => {
  const server = await startRunServer(args.flavor as Flavor, 64);
  cleanup.add(() => server.remove());
  const client = await startClient('host');
  cleanup.add(client.remove);
  await client.loadGenerator.prepare(server.bridgeTarget, workloadOf('oltp_read_write'), {
    seed: 1,
    onProgress: () => undefined,
    signal,
  });
  console.log(
    `${describeMachine()}\n${args.flavor}, 4 × 50,000 rows in memory, ${passes} passes of ${seconds} s\n`,
  );
  if (args.part.includes('cells')) await cells(server, client.loadGenerator);
  if (args.part.includes('paths')) await paths(server, client.loadGenerator);
});
