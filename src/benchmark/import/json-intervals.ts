import * as z from 'zod';
import { checked, type IntervalReport } from './interval-lines.ts';

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

/** An object with one object inside, as the JSON hook prints. The bounds keep the search linear. */
const OBJECT = /\{[^{}]{0,400}\{[^{}]{0,400}\}[^{}]{0,400}\}/g;
const LONGEST_OBJECT = 1300;

/** Finds the JSON hook's interval reports in a stream of lines, however the JSON is broken into lines. */
export class JsonIntervals {
  #open = '';

  /** The reports that end in this line. */
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

  /** Keeps no more than an object that may still be open. */
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
