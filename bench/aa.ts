import { parseArgs } from 'node:util';
import type { RateComparison } from '../src/shared/analysis/speeds.ts';
import { tps } from '../src/shared/model/measurements.ts';
import type { OltpKind } from '../src/shared/kinds/mixes.ts';
import { createRandom, shuffled } from '../src/benchmark/random.ts';
import { comparedAs, effectsIn, planOf } from '../tests/unit/shared/statistics/runs.ts';
import { Cleanup } from './lib/cleanup.ts';
import { startClient } from './lib/client.ts';
import { describeMachine } from './lib/machine.ts';
import { median } from './lib/ratio.ts';
import { startRunServer, workloadOf } from './lib/server.ts';
import { printTable } from './lib/table.ts';
import { runTrial } from './lib/trial.ts';

/*
 * How often a run names a difference that isn't there: a grid whose combinations all load the same real server in the same
 * way, in rounds of random order, judged as a run of the app is, by effect and by scenario.
 */
const { values: args } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '5' },
    storages: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '1' },
    kind: { type: 'string', default: 'oltp_read_write' },
  },
});
const runs = Number(args.runs);
const rounds = Number(args.rounds);
const seconds = Number(args.seconds);
const plan = planOf(Number(args.storages), rounds, undefined, ['published-port', 'host-network']);
const ids = plan.scenarios.map(({ id }) => id);
const cleanup = new Cleanup();
const random = createRandom(1);

type Judged = Pick<RateComparison, 'ratio' | 'verdict'>;

const isDifference = ({ verdict }: Judged): boolean => verdict === 'slower' || verdict === 'faster';
const share = (part: number, whole: number): string =>
  `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;

function rowsOf(name: string, found: readonly (readonly Judged[])[]): string[][] {
  const all = found.flat();
  const missed = all.filter(({ ratio }) => ratio !== null && ((ratio.low ?? 0) > 1 || (ratio.high ?? 2) < 1));
  const width = median(all.map(({ ratio }) => Math.sqrt((ratio?.high ?? NaN) / (ratio?.low ?? NaN))));
  return [
    [
      `runs that name ${name} as different`,
      share(found.filter((one) => one.some(isDifference)).length, found.length),
      'at most 5 %',
    ],
    [`intervals of ${name} that do not hold 1`, share(missed.length, all.length), '5 %'],
    [
      `${name}: called the same`,
      share(all.filter(({ verdict }) => verdict === 'same').length, all.length),
      'as many as the noise allows',
    ],
    [`${name}: median half-width of an interval`, `${(100 * (width - 1)).toFixed(1)} %`, ''],
  ];
}

await cleanup.around(async () => {
  const server = await startRunServer('mysql', 100);
  cleanup.add(() => server.remove());
  const client = await startClient('host');
  cleanup.add(client.remove);
  const workload = workloadOf(args.kind as OltpKind);
  const { signal } = new AbortController();
  await client.loadGenerator.prepare(server.bridgeTarget, workload, {
    seed: 1,
    onProgress: () => undefined,
    signal,
  });
  console.log(
    `${describeMachine()}\n${args.kind}, 8 connections, ${runs} runs of ${rounds} rounds × ${ids.length} times the same, ${seconds} s each\n`,
  );

  const effects: Judged[][] = [];
  const cells: Judged[][] = [];
  let dependent = 0;
  for (let run = 1; run <= runs; run++) {
    const rates = new Map(ids.map((id) => [id, new Map<number, number>()]));
    for (let round = 1; round <= rounds; round++) {
      for (const id of shuffled(ids, random)) {
        const trial = {
          client: client.loadGenerator,
          loadGenerator: 'builtin' as const,
          target: server.bridgeTarget,
          workload,
        };
        const totals = await runTrial({
          ...trial,
          connections: 8,
          seconds,
          warmupSeconds: 0.5,
          seed: run * 1000 + round,
        });
        rates.get(id)?.set(round, tps(totals));
      }
    }
    const byEffect = effectsIn(plan, rates);
    cells.push(comparedAs(plan, rates));
    effects.push(byEffect);
    if (byEffect.some(({ dependsOn }) => dependsOn !== null)) dependent++;
  }

  printTable([
    ['', 'found', 'expected'],
    ...rowsOf('effects', effects),
    ['runs that name an effect as dependent', share(dependent, runs), 'at most 5 %'],
    ...rowsOf('scenarios', cells),
  ]);
});
