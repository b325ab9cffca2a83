import type { Knee, Sweep, SweepLevel, ScenarioAnalysis } from './analysis.ts';
import { levelsOf, type Plan } from '../model/plan.ts';
import { keyWithout } from '../model/factors.ts';
import { grouped } from './grouped.ts';

const LEAST_LEVELS = 3;

export function sweepsOf(plan: Pick<Plan, 'scenarios'>, scenarios: readonly ScenarioAnalysis[]): Sweep[] {
  if (levelsOf(scenarios).length < 2) return [];
  const keys = new Map(plan.scenarios.map((one) => [one.id, keyWithout(one, 'connections')]));
  const curves = grouped(scenarios, ({ id }) => [keys.get(id) ?? id]);
  return [...curves.values()].flatMap((own) => {
    const rising = [...own].sort((a, b) => a.connections - b.connections);
    const [first] = rising;
    if (first === undefined) return [];
    // IDs of a sweep's scenarios end with their level.
    const id = first.id.slice(0, first.id.lastIndexOf('.'));
    const label = { ...first.label, connections: null };
    return [{ id, label, isBaseline: first.isBaseline, levels: rising.map(levelOf), knee: kneeOf(rising) }];
  });
}

/**
 * Throughput ÷ mean latency of a closed loop; by Little's law throughput² ÷ connections. Sources: L.
 * Kleinrock, ICC 1979, p. 43.1.1–43.1.10; J. D. C. Little, Operations Research 9(3), 1961,
 * doi:10.1287/opre.9.3.383.
 */
export function power(tps: number, connections: number): number {
  return tps ** 2 / connections;
}

/** The highest power in most rounds; ties go to the overall power, then to fewer connections. */
function kneeOf(rising: readonly ScenarioAnalysis[]): Knee | null {
  const measured = rising.filter(({ tps }) => tps !== null);
  const [lowest, highest] = [measured[0], measured.at(-1)];
  if (measured.length < LEAST_LEVELS || lowest === undefined || highest === undefined) return null;
  const named = new Map<number, number>();
  let rounds = 0;
  for (const { round } of lowest.rounds) {
    const rates = measured.map((level) => level.rounds.find((one) => one.round === round)?.tps);
    const powers = measured.map(({ connections }, index) => power(rates[index] ?? 0, connections));
    const most = Math.max(...powers);
    if (rates.includes(undefined) || most === 0) continue;
    const level = measured[powers.indexOf(most)]?.connections ?? 0;
    named.set(level, (named.get(level) ?? 0) + 1);
    rounds += 1;
  }
  const overall = ({ tps, connections }: ScenarioAnalysis): number => power(tps ?? 0, connections);
  const votes = ({ connections }: ScenarioAnalysis): number => named.get(connections) ?? 0;
  const knee = [...measured].sort((a, b) => votes(b) - votes(a) || overall(b) - overall(a))[0];
  if (knee === undefined || rounds === 0) return null;
  return {
    connections: knee.connections,
    agreeing: votes(knee),
    rounds,
    end: knee === lowest ? 'lowest' : knee === highest ? 'highest' : null,
  };
}

function levelOf({ id, connections, tps, rounds, latency }: ScenarioAnalysis): SweepLevel {
  const rates = rounds.map((round) => round.tps);
  const several = rates.length > 1;
  return {
    scenarioId: id,
    connections,
    tps,
    lowTps: several ? Math.min(...rates) : null,
    highTps: several ? Math.max(...rates) : null,
    p50Us: latency?.p50Us ?? null,
    p95Us: latency?.p95Us ?? null,
    p99Us: latency?.p99Us ?? null,
  };
}
