import type { Scenario } from '../model/plan.ts';
import { type Amount, tps } from '../model/measurements.ts';
import type { TrialState } from '../model/run-state.ts';

/** Speeds by scenario ID and sample. */
export type Speeds = ReadonlyMap<string, Samples>;
export type Samples = ReadonlyMap<number, Amount>;

const PASSES = 1e6;
/** A first look comes after all passes. */
const FIRST_LOOK = PASSES / 2;

/** A pass of a round, or a whole round for a trial in one piece. */
export function sampleOf(round: number, pass = 0): number {
  return round * PASSES + pass;
}

export function roundOf(sample: number): number {
  return Math.floor(sample / PASSES);
}

/** 0 for a trial in one piece. */
export function passOf(sample: number): number {
  return sample % PASSES;
}

type Measured = Pick<TrialState, 'round' | 'slices' | 'firstLook' | 'totals'>;

/** Slices of no time are skipped. */
export function samplesOf(trial: Measured): [sample: number, amount: Amount][] {
  const { round, slices, firstLook = [], totals } = trial;
  if (slices.length === 0 && totals !== null) return [[sampleOf(round), totals]];
  const looks = firstLook.map((slice) => ({ ...slice, pass: FIRST_LOOK + slice.pass }));
  return [...slices, ...looks].flatMap((slice): [number, Amount][] =>
    slice.durationMs > 0 ? [[sampleOf(round, slice.pass), slice]] : [],
  );
}

export function speedsOf(trials: readonly TrialState[]): Speeds {
  const speeds = new Map<string, Map<number, Amount>>();
  for (const trial of trials) {
    if (trial.totals === null && trial.firstLook === undefined) continue;
    const own = speeds.get(trial.scenarioId) ?? new Map<number, Amount>();
    for (const [sample, amount] of samplesOf(trial)) own.set(sample, amount);
    speeds.set(trial.scenarioId, own);
  }
  return speeds;
}

export function amountAt(perSecond: number): Amount {
  return { transactions: perSecond, durationMs: 1000 };
}

export function sampleCount(rates: Speeds): number {
  const samples = new Set<number>();
  for (const own of rates.values()) for (const sample of own.keys()) samples.add(sample);
  return samples.size;
}

type Repeated = Pick<Scenario, 'id' | 'isAaRepeat' | 'baselineId'>;

export function repeatsOf<S extends Repeated>(
  { id, isAaRepeat }: Pick<S, 'id' | 'isAaRepeat'>,
  scenarios: readonly S[],
): S[] {
  return isAaRepeat ? [] : scenarios.filter((one) => one.isAaRepeat && one.baselineId === id);
}

/** Both measurements of a baseline count: the sum of slices, or the geometric mean of trials. */
export function pooledSpeeds<S extends Repeated>(scenarios: readonly S[], rates: Speeds): Speeds {
  return new Map(
    scenarios.map((scenario) => {
      const own = [scenario, ...repeatsOf(scenario, scenarios)].flatMap(({ id }) => rates.get(id) ?? []);
      const samples = new Set(own.flatMap((one) => [...one.keys()]));
      return [
        scenario.id,
        new Map(
          [...samples].map((sample) => {
            const amounts = own.flatMap((one) => one.get(sample) ?? []);
            return [sample, passOf(sample) > 0 ? sumOf(amounts) : amountAt(geometricMean(amounts.map(tps)))];
          }),
        ),
      ];
    }),
  );
}

/** NaN for no values. A single value stays exact. */
export function geometricMean(values: readonly number[]): number {
  const [first] = values;
  if (values.length === 1 && first !== undefined) return first;
  return Math.exp(values.reduce((sum, one) => sum + Math.log(one), 0) / values.length);
}

function sumOf(amounts: readonly Amount[]): Amount {
  const sum = (of: (one: Amount) => number): number => amounts.reduce((all, one) => all + of(one), 0);
  const durationMs = sum((one) => one.durationMs);
  const others = sum((one) => (one.others ?? NaN) * one.durationMs) / durationMs;
  return {
    transactions: sum((one) => one.transactions),
    durationMs,
    ...(Number.isFinite(others) ? { others } : {}),
  };
}
