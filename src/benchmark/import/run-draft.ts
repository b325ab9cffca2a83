import type { Distribution } from '../../shared/model/names.ts';
import { NO_OPTIONS, type CommandOptions } from './command-line.ts';
import type { IntervalReport } from './interval-lines.ts';
import type { Heading, PlainCount, RatedCount } from './report-lines.ts';

export interface RunDraft {
  line: number;
  options: CommandOptions;
  versionText: string | null;
  threads: number | null;
  reportInterval: number | null;
  rate: number | null;
  distribution: Distribution | null;
  workload: string | null;
  notSql: string | null;
  startSeconds: number;
  intervals: IntervalReport[];
  cumulative: IntervalReport | null;
  headings: Set<Heading>;
  rated: Partial<Record<RatedCount, { count: number; perSecond: number | null }>>;
  plain: Partial<Record<PlainCount, number>>;
  latencyMs: Partial<Record<'min' | 'avg' | 'max', number>>;
  percentile: { rank: number; ms: number } | null;
  seconds: number | null;
  events: number | null;
  eventsPerSecond: number | null;
  endsAtCheckpoint: boolean;
  afterCheckpoint: boolean;
  failure: string | null;
}

export function newDraft(line: number, options: CommandOptions = NO_OPTIONS): RunDraft {
  return {
    line,
    options,
    versionText: null,
    threads: null,
    reportInterval: null,
    rate: null,
    distribution: null,
    workload: null,
    notSql: null,
    startSeconds: 0,
    intervals: [],
    cumulative: null,
    headings: new Set(),
    rated: {},
    plain: {},
    latencyMs: {},
    percentile: null,
    seconds: null,
    events: null,
    eventsPerSecond: null,
    endsAtCheckpoint: false,
    afterCheckpoint: false,
    failure: null,
  };
}

export function draftAfter(before: RunDraft, line: number): RunDraft {
  const { versionText, threads, reportInterval, rate, distribution, workload, notSql } = before;
  return {
    ...newDraft(line, before.options),
    ...{ versionText, threads, reportInterval, rate, distribution, workload, notSql },
    startSeconds: before.intervals.at(-1)?.atSeconds ?? before.startSeconds,
    afterCheckpoint: true,
  };
}

export function hasFinal(draft: RunDraft): boolean {
  return (
    Object.keys(draft.rated).length > 0 ||
    Object.keys(draft.plain).length > 0 ||
    hasLatency(draft) ||
    draft.cumulative !== null ||
    draft.seconds !== null ||
    draft.eventsPerSecond !== null
  );
}

export function hasLatency(draft: RunDraft): boolean {
  return Object.keys(draft.latencyMs).length > 0 || draft.percentile !== null;
}

export function hasFigures(draft: RunDraft): boolean {
  return draft.intervals.length > 0 || hasFinal(draft);
}

export function isRun(draft: RunDraft): boolean {
  if (draft.intervals.length > 0 || draft.cumulative !== null) return true;
  if (draft.rated.transactions !== undefined || draft.rated.queries !== undefined) return true;
  if (draft.eventsPerSecond !== null) return true;
  return hasLatency(draft) && (draft.events !== null || draft.versionText !== null);
}
