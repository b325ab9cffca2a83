import { msg } from '../../shared/message.ts';
import type { ImportedRun } from '../../shared/model/imported.ts';
import { importedRun } from './imported-run.ts';
import { hasFigures, hasTotals, isRun, type PrintedRun, type Interval, newRun } from './printed-run.ts';
import { shortened, unreadable, whyUnreadable, type TextSeen } from './unreadable.ts';

/** A day of interval lines is smaller. */
export const LARGEST_IMPORT = 64 * 2 ** 20;
const LONGEST_LINE = 2000;

/** A quotation, the name that `docker compose logs` writes, and a time stamp. */
const PREFIX = /^(?:> ?)*(?:([A-Za-z][\w./-]{0,80}) ?\| ?)?(?:\d{4}-\d\d-\d\d[T ][\d:.]{8,18}Z? )?/;
/** A script, or sysbench, with options; prose has none. */
const COMMAND = /(?:^|[ /])(?:sysbench|[\w-]{1,60}\.lua) (?:.* )?(?:--|run$|\\$)/;
const FAILURE =
  /^(?:FATAL: |ALERT: |PANIC: |ERROR: |invalid option: |Worker threads failed to initialize|Segmentation fault)|sysbench: (?:command )?not found/;
/** 1.x begins with `[ 1s ] thds: 4 tps: 812.24 qps: …`, 0.5 with `[ 1s] threads: 4, tps: 812.24, …`. */
const INTERVAL = /^\[ ?(\d+(?:\.\d+)?)s ?\] (?:thds|threads): (\d+),? tps: (\d+\.\d\d)(?=[, ]|$)/;

const RATED = /^(\d+) \((\d+\.\d+|-?nan|inf) per sec\.\)$/;
const COUNT = /^(\d+)$/;
const SECONDS = /^(\d+\.\d+)s$/;
const MILLISECONDS = /^(\d+\.\d+)(?:ms)?$/;
const HEADING = /^$/;
const FIGURES: Readonly<Record<string, RegExp>> = {
  'SQL statistics': HEADING,
  'OLTP test statistics': HEADING,
  'queries performed': HEADING,
  'response time': HEADING,
  transactions: RATED,
  queries: RATED,
  'ignored errors': RATED,
  deadlocks: RATED,
  reconnects: RATED,
  'read/write requests': RATED,
  'other operations': RATED,
  read: COUNT,
  write: COUNT,
  other: COUNT,
  'total time': SECONDS,
  'time elapsed': SECONDS,
  min: MILLISECONDS,
  avg: MILLISECONDS,
  max: MILLISECONDS,
};

/**
 * All runs of sysbench 0.4 to 1.1 and sysbench-tpcc in a text. Figures are the text's or derived from its
 * counts, otherwise null. Throws IMPORT_UNREADABLE.
 */
export function importSysbench(text: string): ImportedRun[] {
  if (text.length > LARGEST_IMPORT) throw tooLarge();
  const readers = new Map<string, RunReader>();
  const seen: TextSeen = {};
  for (const { number, raw, isLast } of linesOf(text)) {
    if (raw === '') continue;
    if (raw.includes('\0')) throw unreadable(msg('import.binary', { line: number }));
    const line = raw.slice(0, LONGEST_LINE).replace(/\s+/g, ' ').trim();
    const prefix = PREFIX.exec(line);
    const body = line.slice(prefix?.[0].length);
    if (body === '') continue;
    seen.last = { line: number, text: shortened(body) };
    seen.first ??= seen.last;
    if (raw.length > LONGEST_LINE || (isLast && isCut(body))) continue;
    if (/^sysbench \d/.test(body)) seen.header ??= number;
    if (FAILURE.test(body)) seen.failure ??= seen.last;
    const program = prefix?.[1] ?? '';
    const reader = readers.get(program) ?? new RunReader();
    readers.set(program, reader);
    reader.read(body, number);
  }
  const runs = [...readers.values()].flatMap((reader) => reader.runs.filter(isRun));
  if (runs.length === 0) throw whyUnreadable(seen);
  return runs.sort((a, b) => a.line - b.line).map(importedRun);
}

export function tooLarge() {
  return unreadable(msg('file.tooLarge', { size: LARGEST_IMPORT / 2 ** 20 }));
}

function* linesOf(text: string): Generator<{ number: number; raw: string; isLast: boolean }> {
  const breaks = /\r\n|\n|\r/g;
  for (let number = 1, from = 0; ; number += 1) {
    const found = breaks.exec(text);
    yield { number, raw: text.slice(from, found?.index), isLast: found === null };
    if (found === null) return;
    from = breaks.lastIndex;
  }
}

/** A last figure without a line break may lack digits. */
function isCut(body: string): boolean {
  return /\d$/.test(body) && !/\.\d\d$/.test(body);
}

class RunReader {
  readonly runs: PrintedRun[] = [];
  #run: PrintedRun | undefined;
  #command = '';

  read(body: string, line: number): void {
    const interval = intervalOf(body);
    if (interval !== undefined) {
      const isOver = ({ intervals }: PrintedRun) => interval.atSeconds <= (intervals.at(-1)?.atSeconds ?? 0);
      this.#at(line, (run) => hasTotals(run) || isOver(run)).intervals.push(interval);
      return;
    }
    const [, name = '', value = ''] = /^([^:]{1,40}): ?(.*)$/.exec(body) ?? [];
    if (this.#figure(name, value, line) || this.#header(body, line)) return;
    if (FAILURE.test(body)) {
      if (this.#run !== undefined && !hasTotals(this.#run)) this.#run.failure ??= body;
    } else if (this.#command.endsWith('\\') || COMMAND.test(body)) {
      const begun = this.#command.endsWith('\\') ? this.#command.slice(0, -1) : '';
      this.#command = `${begun} ${body}`.slice(0, LONGEST_LINE);
      this.#run = undefined;
    }
  }

  #at(line: number, isOver: (run: PrintedRun) => boolean): PrintedRun {
    if (this.#run !== undefined && !isOver(this.#run)) return this.#run;
    const last = this.runs.at(-1);
    if (last !== undefined && !isRun(last)) this.runs.pop();
    this.#run = newRun(line, this.#command);
    this.#command = '';
    this.runs.push(this.#run);
    return this.#run;
  }

  #figure(name: string, value: string, line: number): boolean {
    const rank = Number(/^(?:approx\. )?(\d{1,3}(?:\.\d+)?)(?:st|nd|rd|th)? percentile$/.exec(name)?.[1]);
    if (rank > 0 && rank <= 100) {
      const ms = MILLISECONDS.exec(value)?.[1];
      if (ms !== undefined && this.#run !== undefined) this.#run.percentile ??= { rank, ms: Number(ms) };
      return true;
    }
    const form = Object.hasOwn(FIGURES, name) ? FIGURES[name] : undefined;
    const found = form?.exec(value);
    if (found === null || found === undefined) return false;
    const begins = form === RATED || form === HEADING;
    const run = begins ? this.#at(line, ({ figures }) => figures.has(name)) : this.#run;
    if (run === undefined || run.figures.has(name)) return true;
    const perSecond = Number(found[2]);
    run.figures.set(name, {
      value: Number(found[1] ?? 0),
      perSecond: Number.isFinite(perSecond) ? perSecond : null,
    });
    return true;
  }

  #header(body: string, line: number): boolean {
    const version = /^sysbench (\d[\w.+-]{0,40}):?(?= |$)/.exec(body)?.[1];
    if (version !== undefined) {
      this.#at(line, (run) => hasFigures(run) || run.version !== null).version = version;
      return true;
    }
    const [, threads, rate, distribution, seconds] =
      /^(?:Number of threads: (\d{1,9})|Target transaction rate: (\d{1,9})\/sec|Using (\w{1,20}) distribution\b|Report intermediate results every (\d{1,9}) second)/.exec(
        body,
      ) ?? [];
    if ((threads ?? rate ?? distribution ?? seconds) === undefined) return false;
    const run = this.#at(line, hasFigures);
    if (threads !== undefined) run.threads = Number(threads);
    if (rate !== undefined) run.rate = Number(rate);
    if (distribution !== undefined) run.distribution = distribution.toLowerCase();
    if (Number(seconds) > 0) run.intervalSeconds = Number(seconds);
    return true;
  }
}

function intervalOf(body: string): Interval | undefined {
  const found = INTERVAL.exec(body);
  if (found === null) return undefined;
  const [, atSeconds, threads, tps] = found.map(Number);
  if (atSeconds === undefined || threads === undefined || tps === undefined || atSeconds <= 0) {
    return undefined;
  }
  const modern = / lat \(ms, ?(\d{1,3})%\): (\d+\.\d\d)(?= |$)/.exec(body);
  const older = / response time: (\d+\.\d\d)ms \((\d{1,3})%\)/.exec(body);
  const rank = Number(modern?.[1] ?? older?.[2]);
  const ms = Number(modern?.[2] ?? older?.[1]);
  return {
    atSeconds,
    threads,
    tps,
    qps: perSecond(/ qps: (\d+\.\d\d)(?= |$)/.exec(body)),
    errors: perSecond(/ (?:err\/s|errors|deadlocks)(?:\/s)?:? (\d+\.\d\d)(?=[, ]|$)/.exec(body)),
    // sysbench prints 0.00 for what it didn't measure, and rank 0 without percentiles.
    latency: rank > 0 && rank <= 100 && ms > 0 ? { rank, ms } : null,
  };
}

function perSecond(found: RegExpExecArray | null): number | null {
  return found === null ? null : Number(found[1]);
}
