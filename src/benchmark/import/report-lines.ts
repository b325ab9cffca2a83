import { DISTRIBUTIONS, type Distribution } from '../../shared/model/names.ts';

const RATED = {
  transactions: 'transactions',
  queries: 'queries',
  'ignored errors': 'ignoredErrors',
  deadlocks: 'deadlocks',
  reconnects: 'reconnects',
  'read/write requests': 'readWrite',
  'other operations': 'otherOperations',
} as const;
export type RatedCount = (typeof RATED)[keyof typeof RATED];
export type PlainCount = 'read' | 'write' | 'other' | 'total';
export type Section = 'queries' | 'latency' | 'none';

export type ReportLine =
  | { kind: 'version'; text: string }
  | { kind: 'options' }
  | { kind: 'threads'; threads: number }
  | { kind: 'report-interval'; seconds: number }
  | { kind: 'rate'; rate: number }
  | { kind: 'distribution'; distribution: Distribution | null }
  | { kind: 'workload'; workload: string }
  | { kind: 'not-sql'; test: string }
  | { kind: 'checkpoint' }
  | { kind: 'section'; section: Section; heading: Heading }
  | { kind: 'rated'; key: RatedCount; count: number; perSecond: number | null }
  | { kind: 'plain'; key: PlainCount; count: number }
  | { kind: 'latency'; key: 'min' | 'avg' | 'max'; ms: number }
  | { kind: 'percentile'; rank: number; ms: number }
  | { kind: 'seconds'; seconds: number }
  | { kind: 'events'; count: number }
  | { kind: 'events-rate'; perSecond: number }
  | { kind: 'failure'; text: string };

export type Heading =
  | 'sql'
  | 'oltp'
  | 'queries'
  | 'general'
  | 'summary'
  | 'throughput'
  | 'latency'
  | 'response-time'
  | 'per-request'
  | 'fairness';

const HEADINGS: Record<string, { section: Section; heading: Heading }> = {
  'SQL statistics:': { section: 'none', heading: 'sql' },
  'OLTP test statistics:': { section: 'none', heading: 'oltp' },
  'queries performed:': { section: 'queries', heading: 'queries' },
  'General statistics:': { section: 'none', heading: 'general' },
  'Test execution summary:': { section: 'none', heading: 'summary' },
  'Throughput:': { section: 'none', heading: 'throughput' },
  'Latency (ms):': { section: 'latency', heading: 'latency' },
  'response time:': { section: 'latency', heading: 'response-time' },
  'per-request statistics:': { section: 'latency', heading: 'per-request' },
  'Threads fairness:': { section: 'none', heading: 'fairness' },
};

const NOT_SQL: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:CPU speed:|Prime numbers limit:|Doing CPU performance benchmark|Maximum prime number checked)/,
    'cpu',
  ],
  [/^(?:Running memory speed test|Doing memory operations speed test)/, 'memory'],
  [/^(?:File operations:|Extra file open flags:|Doing (?:random|sequential) .{0,20}test$)/, 'fileio'],
  [/^(?:Doing thread subsystem performance test|Doing mutex performance test)/, 'threads'],
];

export const FAILURE =
  /^(?:FATAL: |ALERT: |PANIC: |ERROR: |invalid option: |Worker threads failed to initialize|Segmentation fault)|sysbench: (?:command )?not found/;

/** Undefined for other lines. `mayBeCut`: the text ends here, so an incomplete figure is ignored. */
export function parseReportLine(body: string, mayBeCut: boolean): ReportLine | undefined {
  const heading = Object.hasOwn(HEADINGS, body) ? HEADINGS[body] : undefined;
  if (heading !== undefined) return { kind: 'section', ...heading };
  if (FAILURE.test(body)) return { kind: 'failure', text: body };
  if (mayBeCut && /\d$/.test(body) && !/\.\d\d$/.test(body)) return undefined;
  return parseFigure(body) ?? parseHeader(body);
}

function parseFigure(body: string): ReportLine | undefined {
  const colon = body.indexOf(':');
  if (colon <= 0 || colon > 40) return undefined;
  const name = body.slice(0, colon).trimEnd();
  const rest = body.slice(colon + 1).trimStart();
  if (Object.hasOwn(RATED, name)) {
    const found = /^(\d+)\s+\((\d+(?:\.\d+)?|-?nan|inf) per sec\.\)$/.exec(rest);
    const count = numberOf(found?.[1]);
    if (count === undefined) return undefined;
    const key = RATED[name as keyof typeof RATED];
    return { kind: 'rated', key, count, perSecond: numberOf(found?.[2]) ?? null };
  }
  switch (name) {
    case 'read':
    case 'write':
    case 'other':
    case 'total': {
      const count = /^\d+$/.test(rest) ? numberOf(rest) : undefined;
      return count === undefined ? undefined : { kind: 'plain', key: name, count };
    }
    case 'min':
    case 'avg':
    case 'max': {
      const ms = milliseconds(rest);
      return ms === undefined ? undefined : { kind: 'latency', key: name, ms };
    }
    case 'total time':
    case 'time elapsed': {
      const seconds = numberOf(/^(\d+(?:\.\d+)?)s$/.exec(rest)?.[1]);
      return seconds === undefined ? undefined : { kind: 'seconds', seconds };
    }
    case 'total number of events': {
      const count = /^\d+$/.test(rest) ? numberOf(rest) : undefined;
      return count === undefined ? undefined : { kind: 'events', count };
    }
    case 'events/s (eps)': {
      const perSecond = numberOf(rest);
      return perSecond === undefined ? undefined : { kind: 'events-rate', perSecond };
    }
  }
  const rank = numberOf(/^(?:approx\.\s+)?(\d{1,3}(?:\.\d+)?)(?:st|nd|rd|th)? percentile$/.exec(name)?.[1]);
  const ms = milliseconds(rest);
  if (rank === undefined || ms === undefined || rank <= 0 || rank > 100) return undefined;
  return { kind: 'percentile', rank, ms };
}

function parseHeader(body: string): ReportLine | undefined {
  const version = /^sysbench (\d[\w.+-]{0,40}):?(?=\s|$)/.exec(body)?.[1];
  if (version !== undefined) return { kind: 'version', text: version };
  if (body === 'Running the test with following options:') return { kind: 'options' };
  const threads = numberOf(/^Number of threads:\s+(\d{1,9})$/.exec(body)?.[1]);
  if (threads !== undefined) return { kind: 'threads', threads };
  const seconds = numberOf(/^Report intermediate results every (\d{1,9}) second/.exec(body)?.[1]);
  if (seconds !== undefined) return { kind: 'report-interval', seconds };
  const rate = numberOf(/^Target transaction rate:\s+(\d{1,9})\/sec/.exec(body)?.[1]);
  if (rate !== undefined) return { kind: 'rate', rate };
  const drawn = /^Using (\w{1,20}) distribution\b/.exec(body)?.[1]?.toLowerCase();
  if (drawn !== undefined) {
    return { kind: 'distribution', distribution: DISTRIBUTIONS.find((known) => known === drawn) ?? null };
  }
  if (body === 'Doing OLTP test.') return { kind: 'workload', workload: 'oltp' };
  if (/^\[\s*\d+s\s*\] Checkpoint report:$/.test(body)) return { kind: 'checkpoint' };
  if (/^\[\s*\d+s\s*\] thds: \d+ eps: /.test(body)) return { kind: 'not-sql', test: 'no database' };
  const test = NOT_SQL.find(([pattern]) => pattern.test(body))?.[1];
  return test === undefined ? undefined : { kind: 'not-sql', test };
}

function milliseconds(text: string): number | undefined {
  return numberOf(/^(\d+\.\d+)(?:ms)?$/.exec(text)?.[1]);
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
