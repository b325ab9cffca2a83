import { msg } from '../../shared/message.ts';
import type { ImportedRun } from '../../shared/model/imported.ts';
import { importedRun } from './imported-run.ts';
import { draftAfter, hasFigures, hasFinal, hasLatency, isRun, newDraft, type RunDraft } from './run-draft.ts';
import { LONGEST_LINE, type TextLine, textLines, unquoted, withoutRemark } from './text-lines.ts';
import { unreadable, whyUnreadable } from './unreadable.ts';
import { CommandReader } from './command-line.ts';
import { type IntervalReport, JsonIntervals, parseIntervalLine } from './interval-lines.ts';
import { parseReportLine, type ReportLine, type Section } from './report-lines.ts';

/** A day of interval lines is smaller. */
export const LARGEST_IMPORT = 64 * 2 ** 20;
const MOST_PROGRAMS = 1000;
/** Each takes many times the memory of its text. */
const MOST_RUNS = 10_000;

/**
 * All runs of sysbench 0.4 to 1.1 and sysbench-tpcc in a text. Figures are the text's or derived from its counts,
 * otherwise null. Throws IMPORT_UNREADABLE without a run.
 */
export function importSysbench(text: string): ImportedRun[] {
  if (text.length > LARGEST_IMPORT) throw tooLarge();
  const zero = text.indexOf('\0');
  if (zero !== -1) {
    throw unreadable(msg('import.binary', { line: lineOf(text, zero) }));
  }
  const collectors = new Map<string, RunCollector>();
  let begun = 0;
  for (const line of textLines(text.startsWith('\uFEFF') ? text.slice(1) : text)) {
    if (line.body === '') continue;
    const label = collectors.has(line.label) || collectors.size < MOST_PROGRAMS ? line.label : '';
    let collector = collectors.get(label);
    if (collector === undefined) {
      collector = new RunCollector();
      collectors.set(label, collector);
    }
    const before = collector.drafts.length;
    collector.add(line);
    begun += collector.drafts.length - before;
    if (begun > MOST_RUNS)
      throw unreadable(msg('import.tooManyRuns', { line: line.number, count: MOST_RUNS }));
  }
  const drafts = [...collectors.values()].flatMap((collector) => collector.drafts.filter(isRun));
  if (drafts.length === 0) throw whyUnreadable(text);
  return drafts.sort((a, b) => a.line - b.line).map(importedRun);
}

function lineOf(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

export function tooLarge() {
  return unreadable(msg('file.tooLarge', { size: LARGEST_IMPORT / 2 ** 20 }));
}

/**
 * Assigns the lines of one source to runs. A new run begins where a line says so, or repeats what the current run
 * has.
 */
class RunCollector {
  readonly drafts: RunDraft[] = [];
  #current: RunDraft | undefined;
  #section: Section = 'none';
  readonly #commands = new CommandReader();
  readonly #json = new JsonIntervals();

  add(line: TextLine): void {
    for (const report of this.#json.feed(line.body)) this.#interval(report, line.number);
    if (line.body.length > LONGEST_LINE) return;
    const whole = unquoted(line.body);
    const body = withoutRemark(whole);
    if (!line.mayBeCut || /(?:\.\d\d|\D)$/.test(body)) {
      const report = parseIntervalLine(body);
      if (report !== undefined) {
        this.#interval(report, line.number);
        return;
      }
    }
    const read = parseReportLine(body, line.mayBeCut);
    if (read !== undefined) this.#report(read, line.number);
    else if (this.#commands.read(whole)) this.#current = undefined;
  }

  #begin(line: number): RunDraft {
    const draft = newDraft(line, this.#commands.take());
    this.#open(draft);
    return draft;
  }

  #open(draft: RunDraft): void {
    const last = this.drafts.at(-1);
    // Drops what isn't a run: a text may begin any number.
    if (last !== undefined && !isRun(last)) this.drafts.pop();
    this.drafts.push(draft);
    this.#current = draft;
    this.#section = 'none';
  }

  #draft(line: number, taken: (current: RunDraft) => boolean): RunDraft {
    const current = this.#current;
    if (current === undefined) return this.#begin(line);
    if (!taken(current)) return current;
    if (!current.endsAtCheckpoint) return this.#begin(line);
    const next = draftAfter(current, line);
    this.#open(next);
    return next;
  }

  #interval(report: IntervalReport, line: number): void {
    if (report.threads === 0) {
      this.#draft(line, hasFinal).cumulative = report;
      return;
    }
    const isOver = (current: RunDraft): boolean =>
      hasFinal(current) || report.atSeconds <= (current.intervals.at(-1)?.atSeconds ?? 0);
    this.#draft(line, isOver).intervals.push(report);
  }

  #report(read: ReportLine, line: number): void {
    switch (read.kind) {
      case 'version':
        this.#draft(line, (one) => hasFigures(one) || one.versionText !== null).versionText = read.text;
        break;
      case 'options':
        this.#draft(line, hasFigures);
        break;
      case 'threads':
        this.#draft(line, hasFigures).threads = read.threads;
        break;
      case 'report-interval':
        this.#draft(line, hasFigures).reportInterval = read.seconds;
        break;
      case 'rate':
        this.#draft(line, hasFigures).rate = read.rate;
        break;
      case 'distribution':
        this.#draft(line, hasFigures).distribution = read.distribution;
        break;
      case 'workload':
        this.#draft(line, hasFigures).workload = read.workload;
        break;
      case 'not-sql':
        this.#draft(line, hasFinal).notSql ??= read.test;
        break;
      case 'checkpoint':
        this.#draft(line, hasFinal).endsAtCheckpoint = true;
        break;
      case 'failure':
        if (this.#current !== undefined && !hasFinal(this.#current)) this.#current.failure ??= read.text;
        break;
      default:
        this.#final(read, line);
    }
  }

  #final(read: FinalLine, line: number): void {
    switch (read.kind) {
      case 'section': {
        const { heading, section } = read;
        const begins = heading === 'sql' || heading === 'oltp';
        const draft = this.#draft(line, begins ? hasFinal : section === 'latency' ? hasLatency : () => false);
        draft.headings.add(heading);
        this.#section = section;
        break;
      }
      case 'rated': {
        const { key, count, perSecond } = read;
        this.#section = 'none';
        this.#draft(line, (one) => one.rated[key] !== undefined).rated[key] = { count, perSecond };
        break;
      }
      case 'plain':
        if (this.#section === 'queries' && this.#current !== undefined) {
          this.#current.plain[read.key] ??= read.count;
        }
        break;
      case 'latency':
        if (this.#section === 'latency' && this.#current !== undefined) {
          this.#current.latencyMs[read.key] ??= read.ms;
        }
        break;
      case 'percentile':
        if (this.#section === 'latency' && this.#current !== undefined) {
          this.#current.percentile ??= { rank: read.rank, ms: read.ms };
        }
        break;
      case 'seconds':
        this.#draft(line, (one) => one.seconds !== null).seconds = read.seconds;
        break;
      case 'events':
        this.#draft(line, (one) => one.events !== null).events = read.count;
        break;
      case 'events-rate':
        this.#draft(line, (one) => one.eventsPerSecond !== null).eventsPerSecond = read.perSecond;
        break;
    }
  }
}

type FinalLine = Extract<
  ReportLine,
  { kind: 'section' | 'rated' | 'plain' | 'latency' | 'percentile' | 'seconds' | 'events' | 'events-rate' }
>;
