import { BenchmarkError } from '../../shared/errors.ts';

const LONGEST_LINE = 2000;
const TIME = String.raw`\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d[\d.,]{0,10}(?:Z|[+-]\d\d:?\d\d)?\]? `;
const SYSLOG = String.raw`[A-Z][a-z]{2} \d{1,2} \d\d:\d\d:\d\d [\w.-]{1,60} [\w./-]{1,60}(?:\[\d{1,9}\])?: `;
/** Colors, titles, and the rest (ECMA-48). */
const ESCAPE = /(?:\u001b\[|\u009b)[\d;?]*[ -/]*[@-~]|\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;
const BLANKS = /[\s\p{Cc}]+/gu;
/** A quotation, a container's name in a log, and a time. */
const PREFIX = new RegExp(
  String.raw`^(?:> ?)*(?:\[?([A-Za-z][\w./-]{0,120})(?:\] | ?\| ?))?(?:${TIME}|${SYSLOG})?`,
);
const FAILURE =
  /^(?:FATAL: |ALERT: |PANIC: |ERROR: |invalid option: |Worker threads failed to initialize|Segmentation fault)|sysbench: (?:command )?not found/;

/** A command has options; prose has none. */
const COMMAND = /(?:^|[ /])(?:sysbench|[\w-]{1,60}\.lua) /;
const ITS_OPTIONS = / --| run$|\\$/;
/** The last match of a pattern counts. */
const IN_COMMAND: [string, RegExp][] = [
  ['workload', /--test=(\w{1,60})/],
  ['workload', /(?:^| )((?:oltp|select|bulk)_\w{1,60})/],
  ['workload', /([\w-]{1,60})\.lua\b/],
  ['distribution', /--(?:rand|oltp[-_]dist)[-_]type=(\w{1,20})/],
];
const VERSION = /^sysbench (\d[\w.+-]{0,40}):?(?= |$)/;
const IN_HEADER: [string, RegExp][] = [
  ['version', VERSION],
  ['threads', /^Number of threads: (\d{1,9})/],
  ['distribution', /^Using (\w{1,20}) distribution\b/],
  ['interval', /^Report intermediate results every (\d{1,9}) second/],
];
/** 1.x begins with `[ 1s ] thds: 4 tps: 812.24 qps: …`, 0.5 with `[ 1s] threads: 4, tps: 812.24, …`. */
const INTERVAL =
  /^\[ ?(\d{1,9}(?:\.\d{1,9})?)s ?\] (?:thds|threads): (\d{1,9}),? tps: (\d{1,12}\.\d\d)(?=[, ]|$)/;
const HEADING = /^(SQL statistics|OLTP test statistics|queries performed):$/;
const RATED =
  /^(transactions|queries|ignored errors|deadlocks|reconnects|read\/write requests|other operations): (\d{1,15}) \((\d{1,12}\.\d{1,9}|-?nan|inf) per sec\.\)$/;
const PLAIN =
  /^(?:(read|write|other): (\d{1,15})|(total time|time elapsed): (\d{1,9}\.\d{1,9})s|(min|avg|max): (\d{1,12}\.\d{1,9})(?:ms)?)$/;
const PERCENTILE =
  /^(?:approx\. )?(\d{1,3}(?:\.\d{1,3})?)(?:st|nd|rd|th)? percentile: (\d{1,12}\.\d{1,9})(?:ms)?$/;

/** Throws IMPORT_UNREADABLE without a run of sysbench 0.4 to 1.1 or sysbench-tpcc. */
export function readSysbench(text: string): SysbenchRun[] {
  const programs = new Map<string, PrintedRun[]>();
  let [number, first, header, failure]: [number, string?, string?, string?] = [0];
  for (const [, raw = '', end] of text.matchAll(/([^\r\n]*)(\r\n?|\n|$)/g)) {
    number += 1;
    if (raw.includes('\0')) throw unreadable(`line ${number} contains a zero byte, so this is a binary file`);
    const line = raw.slice(0, LONGEST_LINE).replace(ESCAPE, '').replace(BLANKS, ' ').trim();
    const [prefix = '', program = ''] = PREFIX.exec(line) ?? [];
    const body = line.slice(prefix.length);
    if (body === '') continue;
    first ??= `line ${number} and the lines below it aren’t sysbench output: ${quoted(body)}`;
    // A last figure without a line break may lack digits.
    if (raw.length > LONGEST_LINE || (end === '' && /\d$/.test(body) && !/\.\d\d$/.test(body))) continue;
    if (VERSION.test(body)) header ??= `line ${number} is sysbench’s header, but no transactions follow`;
    if (FAILURE.test(body)) failure ??= `line ${number} says ${quoted(body)}`;
    const runs = programs.get(program) ?? [];
    programs.set(program, runs);
    readLine(runs, body, number);
  }
  const runs = [...programs.values()].flat().filter(({ intervals, figures }) => {
    return intervals.length > 0 || figures.has('transactions') || figures.has('queries');
  });
  if (runs.length === 0) throw unreadable(failure ?? header ?? first ?? 'the text is empty');
  return runs.sort((a, b) => a.line - b.line).map(runOf);
}

export function unreadable(reason: string, cause?: unknown): BenchmarkError {
  return new BenchmarkError('IMPORT_UNREADABLE', { reason }, { cause });
}

function quoted(text: string): string {
  return `“${text.length <= 120 ? text : `${text.slice(0, 119)}…`}”`;
}

/** An earlier kind of line begins the next run. */
const ORDER = ['command', 'header', 'interval', 'totals'];

type PrintedRun = ReturnType<typeof newRun>;
function newRun() {
  return {
    ...{ line: 0, part: '', isContinued: false, failure: '', intervals: new Array<Interval>() },
    /** A rate's name ends with “/s”, and a heading's value is 0. */
    figures: new Map<string, number>(),
    options: new Map<string, string>(),
    percentile: percentileOf(),
  };
}

function readLine(runs: PrintedRun[], body: string, line: number): void {
  const last = runs.at(-1);
  const at = (part: string, isNext = false): PrintedRun => {
    const isOther = last === undefined || isNext || ORDER.indexOf(part) < ORDER.indexOf(last.part);
    const run = isOther ? newRun() : last;
    if (isOther) runs.push(run);
    Object.assign(run, { part, isContinued: false });
    if (part !== 'command') run.line ||= line;
    return run;
  };
  const interval = intervalOf(body);
  const [option, value] = optionsIn(body, IN_HEADER)[0] ?? [];
  const [, name, count, perSecond] = RATED.exec(body) ?? HEADING.exec(body) ?? [];
  if (interval !== undefined) {
    at('interval', interval.at <= (last?.intervals.at(-1)?.at ?? 0)).intervals.push(interval);
  } else if (option !== undefined && value !== undefined) {
    at('header', option === 'version' && last?.options.has(option)).options.set(option, value);
  } else if (name !== undefined) {
    const { figures } = at('totals', last?.figures.has(name));
    figures.set(name, Number(count ?? 0)).set(`${name}/s`, Number(perSecond));
  } else if (last?.isContinued === true || (COMMAND.test(body) && ITS_OPTIONS.test(body))) {
    const run = at('command', last?.isContinued !== true);
    for (const [name, text] of optionsIn(body, IN_COMMAND)) run.options.set(name, text);
    run.isContinued = body.endsWith('\\');
  } else if (last?.part === 'totals') {
    const [figure, text] = (PLAIN.exec(body) ?? []).slice(1).filter((one) => one !== undefined);
    if (figure !== undefined && !last.figures.has(figure)) last.figures.set(figure, Number(text));
    const [, rank, ms] = PERCENTILE.exec(body) ?? [];
    last.percentile ??= percentileOf(rank, ms);
  } else if (last !== undefined && FAILURE.test(body)) {
    last.failure ||= quoted(body);
  }
}

function optionsIn(body: string, forms: readonly [string, RegExp][]): [string, string][] {
  return forms.flatMap(([option, form]): [string, string][] => {
    const value = form.exec(body)?.[1];
    return value === undefined ? [] : [[option, value]];
  });
}

type Interval = NonNullable<ReturnType<typeof intervalOf>>;

function intervalOf(body: string) {
  const [found, at = 0, threads = 0, tps = 0] = (INTERVAL.exec(body) ?? []).map(Number);
  if (found === undefined || at === 0) return undefined;
  const numberIn = (form: RegExp): number | null => known(Number(form.exec(body)?.[1]));
  const [, rank, ms] = / lat \(ms, ?(\d{1,3})%\): (\d{1,12}\.\d\d)(?= |$)/.exec(body) ?? [];
  const [, oldMs, oldRank] = / response time: (\d{1,12}\.\d\d)ms \((\d{1,3})%\)/.exec(body) ?? [];
  const latencyUs = percentileOf(rank ?? oldRank, ms ?? oldMs);
  return {
    ...{ at, threads, tps, qps: numberIn(/ qps: (\d{1,12}\.\d\d)(?= |$)/) },
    // sysbench prints 0.00 for what it didn't measure.
    latencyUs: latencyUs?.value === 0 ? null : latencyUs,
    errorsPerSecond: numberIn(/ (?:err\/s|errors|deadlocks)(?:\/s)?:? (\d{1,12}\.\d\d)(?=[, ]|$)/),
  };
}

/** The rank is 0 without percentiles. */
function percentileOf(text?: string, ms?: string) {
  const rank = Number(text);
  return rank > 0 && rank <= 100 ? { rank, value: Math.round(1000 * Number(ms)) } : null;
}

export type SysbenchRun = ReturnType<typeof runOf>;

/** A figure is null if neither printed nor computable. */
function runOf({ line, options, intervals, figures, percentile, failure }: PrintedRun) {
  const valueOf = (...names: string[]): number => firstOf(names.map((name) => figures.get(name)));
  const micros = (name: string): number | null => known(Math.round(1000 * valueOf(name)));
  const seconds = valueOf('total time', 'time elapsed');
  const rateOf = (name: string): number => firstOf([figures.get(`${name}/s`), valueOf(name) / seconds]);
  const { windows, meanTps, missing } = windowsOf(intervals, Number(options.get('interval')));
  const isMean = meanTps !== null && !figures.has('transactions');
  // sysbench's buckets are wide, so a percentile may lie outside the measured range.
  const ms = (percentile?.value ?? 0) / 1000;
  const isPossible = ms > 0 && !(ms < 0.98 * valueOf('min')) && !(ms > 1.02 * valueOf('max'));
  const impossible = `The text’s p${percentile?.rank} of ${ms} ms is impossible, so it is left out; some builds on Apple silicon print such values.`;
  const notes = [
    ['noTotals', isMean && 'The TPS is the mean of the interval lines: the text ends before the totals.'],
    ['missingLines', missing > 0 && `Interval lines for ${missing} s are missing, so they aren’t counted.`],
    ['impossiblePercentile', percentile !== null && !isPossible && impossible],
    ['stopped', failure !== '' && `sysbench stopped: ${failure}.`],
  ] as const;
  return {
    tps: isMean ? meanTps : known(rateOf('transactions')),
    // BEGIN and COMMIT count, as in 1.x; 0.4 and 0.5 print the rate in two parts.
    qps: known(firstOf([rateOf('queries'), rateOf('read/write requests') + rateOf('other operations')])),
    transactions: known(valueOf('transactions')),
    ignoredErrors: known(valueOf('ignored errors', 'deadlocks')),
    reconnects: known(valueOf('reconnects')),
    latencyUs: {
      min: micros('min'),
      avg: micros('avg'),
      max: micros('max'),
      percentile: isPossible ? percentile : null,
    },
    windows,
    version: /^(?:0\.4|0\.5|1\.0|1\.1)(?!\d)/.exec(options.get('version') ?? '')?.[0] ?? null,
    versionText: options.get('version') ?? null,
    threads: known(Number(options.get('threads') ?? windows[0]?.threads)),
    seconds: Number.isNaN(seconds) ? null : seconds,
    reads: known(valueOf('read')),
    writes: known(valueOf('write')),
    other: known(valueOf('other', 'other operations')),
    distribution: options.get('distribution')?.toLowerCase() ?? null,
    workload: options.get('workload') ?? null,
    line,
    notes: notes.flatMap(([code, text]) => (text === false ? [] : [{ code: `import.${code}`, text }])),
  };
}

/** A line measures the named interval, or else the smallest between two. */
function windowsOf(intervals: readonly Interval[], interval: number) {
  const gaps = intervals.map(({ at }, index) => at - (intervals[index - 1]?.at ?? 0));
  const length = interval || gaps.slice(1).reduce((least, gap) => Math.min(least, gap), Infinity);
  let [transactions, measured] = [0, 0];
  const windows = intervals.map(({ at, ...rest }, index) => {
    const durationSeconds = hundredths(Math.min(length, gaps[index] ?? length));
    transactions += rest.tps * durationSeconds;
    measured += durationSeconds;
    return { startSeconds: hundredths(at - durationSeconds), durationSeconds, ...rest };
  });
  const all = (intervals.at(-1)?.at ?? 0) - (windows[0]?.startSeconds ?? 0);
  return { windows, meanTps: known(transactions / measured), missing: hundredths(all - measured) };
}

function firstOf(values: (number | undefined)[]): number {
  return values.find((value) => value !== undefined && Number.isFinite(value)) ?? NaN;
}

function known(value: number): number | null {
  return Number.isFinite(value) ? hundredths(value) : null;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
