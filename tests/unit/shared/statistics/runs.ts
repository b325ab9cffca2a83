import {
  compareRates,
  CONFIDENCE,
  type RateComparison,
  type Rates,
} from '../../../../src/shared/analysis/compare-rates.ts';

/** A plan with a baseline, `s0`, and scenarios that are compared with it. */
export function planOf(scenarios: number, rounds: number, budgetMinutes?: number) {
  return {
    scenarios: Array.from({ length: scenarios }, (_, index) => ({
      id: `s${index}`,
      baselineId: 's0',
      isAaRepeat: false,
    })),
    schedule: {
      rounds,
      warmupSeconds: 5,
      durationSeconds: 10,
      ...(budgetMinutes === undefined ? {} : { untilConclusive: { budgetMinutes } }),
    },
    equivalence: 0.05,
  };
}

/** What a run comes to, without its baseline. */
export function comparedAs(plan: ReturnType<typeof planOf>, rates: Rates): RateComparison[] {
  const all = compareRates(plan, rates, {
    confidence: CONFIDENCE,
    equivalence: plan.equivalence,
    baselineOf: () => 's0',
  });
  return [...all].flatMap(([id, one]) => (id === 's0' ? [] : [one]));
}

/** A line of a table of shares. */
export function printRow(name: string, shares: number[]): void {
  const cells = shares.map((one) => `${(100 * one).toFixed(1)} %`.padStart(9));
  process.stdout.write(`${name.padEnd(62)}${cells.join('')}\n`);
}

export function printHead(title: string, columns: string[]): void {
  process.stdout.write(`\n${title}\n${''.padEnd(62)}${columns.map((one) => one.padStart(9)).join('')}\n`);
}
