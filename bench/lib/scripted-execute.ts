// Stands in for `run/execute.ts` in the copy of the app that bench/ui.ts makes: windows come from here instead of a
// server. Session, journal, fold, processes and window are those of the real app.
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunContext } from '../../src/benchmark/context/context.ts';
import {
  createHistogram,
  encodeHistogram,
  summarizeHistogram,
} from '../../src/shared/histogram/histogram.ts';
import type { Totals, Window } from '../../src/shared/model/measurements.ts';
import { trialId } from '../../src/shared/model/plan.ts';
import { createRandom } from '../../src/benchmark/random.ts';

/** What the bench tells of the feed, in WHALEMARK_BENCH_FEED. */
export interface Feed {
  /** Windows a second until only those for measuring are left. */
  perSecond: number;
  /** The last windows of the run: they begin when `goFile` is there and come every `paceMs`. */
  paced: number;
  paceMs: number;
  goFile: string;
}

/** Tells the page that everything but the paced windows has been sent. */
export const FILLED = 'Every window but those for measuring is there.';

const BATCH = 200;
const HISTOGRAMS = 64;
const POLL_MS = 20;

export async function executeRun({ plan, runId, appVersion, emit, signal }: RunContext): Promise<void> {
  const feed = JSON.parse(process.env['WHALEMARK_BENCH_FEED'] ?? '{}') as Feed;
  emit({ type: 'run-started', runId, appVersion, plan });
  const random = createRandom(5);
  const kinds = Array.from({ length: HISTOGRAMS }, () => windowKind(random));
  const { durationSeconds } = plan.schedule;
  let left = plan.rounds.flat().length * durationSeconds;
  for (const [index, ids] of plan.rounds.entries()) {
    for (const scenarioId of ids) {
      const id = trialId(index + 1, scenarioId);
      emit({ type: 'trial-started', trialId: id });
      emit({ type: 'trial-phase', trialId: id, phase: 'measure' });
      const totals = new Sums();
      for (let second = 0; second < durationSeconds && !signal.aborted; second++) {
        if (left === feed.paced) {
          emit({
            type: 'notice',
            notice: { code: 'BENCH', message: { code: 'bench', params: {}, text: FILLED } },
          });
          while (!existsSync(feed.goFile) && !signal.aborted) await delay(POLL_MS);
        }
        const kind = kinds[Math.floor(random() * HISTOGRAMS)];
        if (kind === undefined) continue;
        emit({
          type: 'window',
          trialId: id,
          window: { ...kind.window, index: second, startMs: second * 1000 },
        });
        totals.add(kind);
        left -= 1;
        if (left < feed.paced) await delay(feed.paceMs);
        else if (left % BATCH === 0) await delay((1000 * BATCH) / feed.perSecond);
      }
      emit({ type: 'trial-finished', trialId: id, totals: totals.of(plan.connections, durationSeconds) });
    }
  }
  emit({ type: 'run-finished', outcome: signal.aborted ? 'stopped' : 'completed', error: null });
}

interface WindowKind {
  window: Window;
  histogram: ReturnType<typeof createHistogram>;
}

/** A second of about 800 transactions; now and then one that stalls. */
function windowKind(random: () => number): WindowKind {
  const histogram = createHistogram();
  const transactions = Math.round(random() < 0.04 ? 40 : 760 + 80 * random());
  for (let one = 0; one < transactions; one++) {
    histogram.recordValue(
      Math.round(1e6 * (8 / transactions) * (0.6 + 0.3 * (random() + random()) + 0.2 / (0.05 + random()))),
    );
  }
  return {
    histogram,
    window: {
      phase: 'measure',
      index: 0,
      startMs: 0,
      durationMs: 1000,
      ...countsOf(transactions),
      latency: summarizeHistogram(histogram),
      interrupted: false,
    },
  };
}

/** What so many transactions of `oltp_read_write` send. */
function countsOf(transactions: number) {
  return {
    transactions,
    reads: 14 * transactions,
    writes: 4 * transactions,
    other: 2 * transactions,
    errors: {},
    rollbacks: 0,
    mix: {},
  };
}

/** The totals of a trial: exactly the sums of its windows. */
class Sums {
  readonly #histogram = createHistogram();
  #transactions = 0;

  add({ window, histogram }: WindowKind): void {
    this.#transactions += window.transactions;
    this.#histogram.add(histogram);
  }

  of(connections: number, durationSeconds: number): Totals {
    const transactions = this.#transactions;
    return {
      durationMs: durationSeconds * 1000,
      excludedMs: 0,
      connections,
      uncounted: 0,
      ...countsOf(transactions),
      latency: summarizeHistogram(this.#histogram),
      histogram: encodeHistogram(this.#histogram),
      statements: {},
      transactionTypes: {},
      client: { cpuSeconds: 100, cpuShare: 0.4, loopDelayP99Us: 900, workers: 2, gcSeconds: 0, gcMaxUs: 0 },
    };
  }
}
