import type { TrialView, WindowColumn } from '../../shared/model/run-view.ts';
import type { Series } from './series.ts';

/** Lines by chart; empty ones are hidden. */
export const TRIAL_CHARTS = {
  tps: ['tps'],
  statements: ['reads', 'writes', 'other'],
  latency: ['p50Ms', 'p95Ms', 'p99Ms'],
  waiting: ['waiting'],
  cpu: ['cores'],
  block: ['blockRead', 'blockWrite'],
} as const satisfies Record<string, readonly WindowColumn[]>;

export type TrialChart = keyof typeof TRIAL_CHARTS;
export type TrialLine = (typeof TRIAL_CHARTS)[TrialChart][number];

/** Throughput and latency are always shown. */
export function chartsOf({ windows }: Pick<TrialView, 'windows'>): TrialChart[] {
  const isKnown = (column: WindowColumn): boolean =>
    windows[column].subarray(0, windows.length).some((value) => !Number.isNaN(value));
  const charts = Object.keys(TRIAL_CHARTS) as TrialChart[];
  return charts.filter(
    (chart) =>
      chart === 'tps' || chart === 'statements' || chart === 'latency' || TRIAL_CHARTS[chart].some(isKnown),
  );
}

/** A value per measured second. */
export function trialSeries(
  { windows, status }: Pick<TrialView, 'windows' | 'status'>,
  chart: TrialChart,
  nameOf: (line: TrialLine) => string,
): Series[] {
  return TRIAL_CHARTS[chart].map((line) => ({
    scenarioId: line,
    name: nameOf(line),
    lines:
      windows.length === 0
        ? []
        : [
            {
              length: windows.length,
              x: windows.seconds,
              y: windows[line],
              shift: 0,
              isGrowing: status === 'running',
            },
          ],
  }));
}
