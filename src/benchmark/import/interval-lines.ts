import * as z from 'zod';

export interface IntervalReport {
  atSeconds: number;
  threads: number;
  tps: number;
  qps: number | null;
  reads: number | null;
  writes: number | null;
  other: number | null;
  rank: number | null;
  /** Null if not measured; sysbench then prints 0.00. */
  latencyMs: number | null;
  errors: number | null;
  reconnects: number | null;
}

const NUMBER = '(-?(?:\\d+(?:\\.\\d+)?|nan|inf))';
const TIME = '\\[\\s*(\\d+(?:\\.\\d+)?)s\\s*\\]';

/** 1.x. Lua's default reporter, used by sysbench-tpcc, has no colon after `err/s`. */
const MODERN = new RegExp(
  `^${TIME}\\s+thds:\\s+(\\d+)\\s+tps:\\s+${NUMBER}\\s+qps:\\s+${NUMBER}\\s+` +
    `\\(r/w/o:\\s+${NUMBER}/${NUMBER}/${NUMBER}\\)\\s+lat\\s+\\(ms,\\s*(\\d+)%\\):\\s+${NUMBER}\\s+` +
    `err/s:?\\s+${NUMBER}\\s+reconn/s:?\\s+${NUMBER}$`,
);
/** 0.5; first builds lack errors and reconnects. */
const LEGACY = new RegExp(
  `^${TIME}\\s+threads:\\s+(\\d+),\\s+tps:\\s+${NUMBER},\\s+reads(?:/s)?:\\s+${NUMBER},\\s+writes(?:/s)?:\\s+${NUMBER},` +
    `\\s+response\\s+time:\\s+${NUMBER}ms\\s+\\((\\d+)%\\)` +
    `(?:,\\s+(?:errors|deadlocks)(?:/s)?:\\s+${NUMBER}(?:,\\s+reconnects(?:/s)?:\\s+${NUMBER})?)?$`,
);
const CSV = /^\d+(?:\.\d+)?,\d+(?:,\d+\.\d+){8}$/;

export function parseIntervalLine(body: string): IntervalReport | undefined {
  const first = body.charCodeAt(0);
  if (first === OPENING_BRACKET) return parseModern(body) ?? parseLegacy(body);
  return first >= DIGIT_0 && first <= DIGIT_9 ? parseCsv(body) : undefined;
}
const OPENING_BRACKET = 0x5b;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

function parseModern(body: string): IntervalReport | undefined {
  const found = MODERN.exec(body);
  if (found === null) return undefined;
  const [, at, threads, tps, qps, reads, writes, other, rank, latency, errors, reconnects] = found;
  return checked({
    atSeconds: Number(at),
    threads: Number(threads),
    tps: Number(tps),
    qps: finite(qps),
    reads: finite(reads),
    writes: finite(writes),
    other: finite(other),
    rank: Number(rank),
    latencyMs: finite(latency),
    errors: finite(errors),
    reconnects: finite(reconnects),
  });
}

function parseLegacy(body: string): IntervalReport | undefined {
  const found = LEGACY.exec(body);
  if (found === null) return undefined;
  const [, at, threads, tps, reads, writes, latency, rank, errors, reconnects] = found;
  return checked({
    atSeconds: Number(at),
    threads: Number(threads),
    tps: Number(tps),
    qps: null,
    reads: finite(reads),
    writes: finite(writes),
    other: null,
    rank: Number(rank),
    latencyMs: finite(latency),
    errors: finite(errors),
    reconnects: finite(reconnects),
  });
}

function parseCsv(body: string): IntervalReport | undefined {
  if (!CSV.test(body)) return undefined;
  const [at, threads, tps, qps, reads, writes, other, latency, errors, reconnects] = body
    .split(',')
    .map(Number);
  if (reads === undefined || writes === undefined || other === undefined || qps === undefined)
    return undefined;
  // Any table of numbers might match; in sysbench's the parts add up.
  if (Math.abs(reads + writes + other - qps) > 0.05 + qps / 1000) return undefined;
  return checked({
    atSeconds: at ?? 0,
    threads: threads ?? 0,
    tps: tps ?? 0,
    qps,
    reads,
    writes,
    other,
    rank: null,
    latencyMs: latency ?? null,
    errors: errors ?? null,
    reconnects: reconnects ?? null,
  });
}

function checked(report: IntervalReport): IntervalReport | undefined {
  if (!(report.atSeconds > 0) || !Number.isFinite(report.atSeconds) || !Number.isFinite(report.threads)) {
    return undefined;
  }
  if (!(report.tps >= 0) || !Number.isFinite(report.tps)) return undefined;
  // With percentiles off (rank 0) and after a checkpoint sysbench prints 0.00.
  const measured = report.latencyMs !== null && report.latencyMs > 0 && report.rank !== 0;
  const rank = report.rank !== null && report.rank > 0 && report.rank <= 100 ? report.rank : null;
  return { ...report, rank, latencyMs: measured ? report.latencyMs : null };
}

function finite(text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  return Number.isFinite(number) && number >= 0 ? number : null;
}

const number = z.number().nonnegative();
const rowSchema = z.object({
  time: number,
  threads: number,
  tps: number,
  qps: z.object({ total: number, reads: number, writes: number, other: number }),
  latency: number,
  errors: number,
  reconnects: number,
});

/** An object with one inside, as the JSON hook prints. Bounded, so linear. */
const OBJECT = /\{[^{}]{0,400}\{[^{}]{0,400}\}[^{}]{0,400}\}/g;
const LONGEST_OBJECT = 1300;

/** The JSON hook's reports, however broken into lines. */
export class JsonIntervals {
  #open = '';

  feed(body: string): IntervalReport[] {
    if (this.#open === '' && !body.includes('{')) return [];
    this.#open += `${body}\n`;
    const reports: IntervalReport[] = [];
    if (body.includes('}') && this.#open.includes('"tps"')) {
      let end = 0;
      for (const found of this.#open.matchAll(OBJECT)) {
        end = found.index + found[0].length;
        const report = parseRow(found[0]);
        if (report !== undefined) reports.push(report);
      }
      this.#open = this.#open.slice(end);
    }
    this.#forget();
    return reports;
  }

  #forget(): void {
    const inner = this.#open.lastIndexOf('{');
    const outer = inner <= 0 ? inner : this.#open.lastIndexOf('{', inner - 1);
    this.#open = inner === -1 ? '' : this.#open.slice(Math.max(outer, 0));
    if (this.#open.length > LONGEST_OBJECT) this.#open = '';
  }
}

function parseRow(json: string): IntervalReport | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const row = rowSchema.safeParse(value);
  if (!row.success) return undefined;
  const { time, threads, tps, qps, latency, errors, reconnects } = row.data;
  return checked({
    atSeconds: time,
    threads,
    tps,
    qps: qps.total,
    reads: qps.reads,
    writes: qps.writes,
    other: qps.other,
    rank: null,
    latencyMs: latency,
    errors,
    reconnects,
  });
}
