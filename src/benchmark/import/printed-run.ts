export interface Interval {
  atSeconds: number;
  threads: number;
  tps: number;
  qps: number | null;
  errors: number | null;
  latency: { rank: number; ms: number } | null;
}

export interface PrintedRun {
  line: number;
  command: string;
  version: string | null;
  threads: number | null;
  rate: number | null;
  distribution: string | null;
  intervalSeconds: number | null;
  intervals: Interval[];
  /** By their printed names; a heading is 0. */
  figures: Map<string, { value: number; perSecond: number | null }>;
  percentile: { rank: number; ms: number } | null;
  failure: string | null;
}

export function newRun(line: number, command: string): PrintedRun {
  return {
    line,
    command,
    version: null,
    threads: null,
    rate: null,
    distribution: null,
    intervalSeconds: null,
    intervals: [],
    figures: new Map(),
    percentile: null,
    failure: null,
  };
}

export function hasTotals({ figures }: PrintedRun): boolean {
  return figures.size > 0;
}

export function hasFigures(run: PrintedRun): boolean {
  return run.intervals.length > 0 || hasTotals(run);
}

export function isRun({ intervals, figures }: PrintedRun): boolean {
  return intervals.length > 0 || figures.has('transactions') || figures.has('queries');
}
