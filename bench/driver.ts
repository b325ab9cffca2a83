import { resolve } from 'node:path';
import { HostClient } from '../src/benchmark/load/client/clients.ts';
import type { LoadClient, LoadTarget } from '../src/benchmark/load/load-client.ts';
import { geometricMean } from '../src/shared/analysis/samples.ts';
import { tps, type Totals } from '../src/shared/model/measurements.ts';
import {
  TRANSPORTS,
  type Transport,
  LOAD_GENERATORS,
  type LoadGenerator,
} from '../src/shared/model/names.ts';
import type { OltpKind } from '../src/shared/kinds/mixes.ts';
import { chooseTransport } from '../src/shared/model/transports.ts';
import { createRandom, shuffled } from '../src/benchmark/random.ts';
import type { TestServer } from '../tests/integration/helpers/docker-server.ts';
import { optionsOf } from '../scripts/setup/options.mjs';
import { Cleanup } from './lib/cleanup.ts';
import { startClient } from './lib/client.ts';
import { describeMachine } from './lib/machine.ts';
import { describeRatio, meanRatio } from './lib/ratio.ts';
import { startRunServer, workloadOf } from './lib/server.ts';
import { printTable } from './lib/table.ts';
import { cpuPerStatement, runTrial, type Trial } from './lib/trial.ts';

/*
 * Whalemark's load generator against sysbench: the same server with a run's own options on a volume, the same cores, the same client
 * container on the host's network; sysbench and both transports in each pass, in random order. Then the differences
 * between paths that each finds.
 */
const { values: args } = optionsOf(
  'npm run bench:driver -- [--passes N] [--kinds NAME,…] [--threads N,…] [--part cells|paths]',
  {
    passes: { type: 'string', default: '4' },
    kinds: { type: 'string', default: 'oltp_point_select,oltp_read_only,oltp_read_write,oltp_write_only' },
    threads: { type: 'string', default: '1,8,32' },
    part: { type: 'string', default: 'cells,paths' },
  },
);
const passes = Number(args.passes);
const seconds = 3;
const kinds = args.kinds.split(',') as OltpKind[];
const threads = args.threads.split(',').map(Number);
const signal = new AbortController().signal;
const cleanup = new Cleanup();
const random = createRandom(1);

type Contender = Transport | 'sysbench';
const CONTENDERS: readonly Contender[] = [...TRANSPORTS, 'sysbench'];

function loadOf(contender: Contender): Pick<Trial, 'loadGenerator' | 'transport'> {
  return contender === 'sysbench'
    ? { loadGenerator: 'sysbench' }
    : { loadGenerator: 'builtin', transport: contender };
}

async function cells(server: TestServer, client: LoadClient): Promise<void> {
  const head = ['workload', 'connections', 'TPS sysbench', 'CPU/statement'];
  const rows = [[...head, ...TRANSPORTS.flatMap((one) => [`TPS ${one}`, 'CPU', 'p95']), 'chosen']];
  const chosen: { tps: number[]; cpu: number[] } = { tps: [], cpu: [] };
  for (const kind of kinds) {
    const workload = workloadOf(kind);
    for (const connections of threads) {
      const cell: Record<Contender, Totals[]> = { threads: [], loop: [], sysbench: [] };
      for (let pass = 1; pass <= passes; pass++) {
        for (const contender of shuffled(CONTENDERS, random)) {
          const trial = { client, ...loadOf(contender), target: server.bridgeTarget, workload };
          cell[contender].push(await runTrial({ ...trial, connections, seconds, seed: pass }));
        }
      }
      const each = (of: Contender, figure: (totals: Totals) => number): number[] => cell[of].map(figure);
      const p95 = ({ latency }: Totals): number => latency?.p95Us ?? NaN;
      const choice = chooseTransport({ workload, levels: [connections], canBlock: true });
      chosen.tps.push(meanRatio(each(choice, tps), each('sysbench', tps)));
      chosen.cpu.push(meanRatio(each(choice, cpuPerStatement), each('sysbench', cpuPerStatement)));
      rows.push([
        kind,
        String(connections),
        geometricMean(each('sysbench', tps)).toFixed(0),
        `${geometricMean(each('sysbench', cpuPerStatement)).toFixed(1)} µs`,
        ...TRANSPORTS.flatMap((one) =>
          [tps, cpuPerStatement, p95].map((figure) =>
            describeRatio(each(one, figure), each('sysbench', figure)),
          ),
        ),
        choice,
      ]);
      console.log(rows.at(-1)?.join(' | '));
    }
  }
  printTable(rows);
  console.log(
    `The chosen transport / sysbench, TPS: geometric mean ${geometricMean(chosen.tps).toFixed(2)} (target: at least 1.0), ` +
      `lowest cell ${Math.min(...chosen.tps).toFixed(2)} (target: at least 0.9)\n` +
      `Client CPU per statement: geometric mean ${geometricMean(chosen.cpu).toFixed(2)} (target: at most 1.1)\n`,
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
    { name: 'published-port', clients: { builtin: here, sysbench: onHost }, target: server.target },
  ];
  const rates = all.map((): Record<LoadGenerator, number[]> => ({ builtin: [], sysbench: [] }));
  const workload = workloadOf('oltp_read_only');
  for (let pass = 1; pass <= passes; pass++) {
    const turns = all.flatMap((path, index) =>
      LOAD_GENERATORS.map((loadGenerator) => ({ path, index, loadGenerator })),
    );
    for (const { path, index, loadGenerator } of shuffled(turns, random)) {
      const trial = {
        client: path.clients[loadGenerator],
        ...loadOf(loadGenerator === 'builtin' ? 'threads' : 'sysbench'),
        target: path.target,
        workload,
      };
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
    const apart = meanRatio(rate.builtin, base.builtin) - meanRatio(rate.sysbench, base.sysbench);
    rows.push([
      name,
      describeRatio(rate.builtin, base.builtin),
      describeRatio(rate.sysbench, base.sysbench),
      `${(100 * apart).toFixed(0)} points (target: 5)`,
    ]);
  }
  console.log('oltp_read_only, 8 connections');
  printTable(rows);
}

function both(loadGenerator: LoadClient): Record<LoadGenerator, LoadClient> {
  return { builtin: loadGenerator, sysbench: loadGenerator };
}

await cleanup.around(async () => {
  const server = await startRunServer(64);
  cleanup.add(() => server.remove());
  const client = await startClient('host');
  cleanup.add(client.remove);
  await client.loadGenerator.prepare(server.bridgeTarget, workloadOf('oltp_read_write'), {
    seed: 1,
    onProgress: () => undefined,
    signal,
  });
  console.log(`${describeMachine()}\nMySQL, 4 × 50,000 rows in memory, ${passes} passes of ${seconds} s\n`);
  if (args.part.includes('cells')) await cells(server, client.loadGenerator);
  if (args.part.includes('paths')) await paths(server, client.loadGenerator);
});
