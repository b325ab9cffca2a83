import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readSysbench, type SysbenchRun } from '../../../../src/cli/commands/sysbench-text.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { sampled } from '../../../helpers/tier.ts';

const FIXTURES = 'tests/fixtures/sysbench';

function fixture(name: string): string {
  return readFileSync(`${FIXTURES}/${name}.txt`, 'utf8');
}

function onlyRun(text: string): SysbenchRun {
  const [run, ...others] = readSysbench(text);
  if (run === undefined || others.length > 0) throw new Error(`${others.length + 1} runs`);
  return run;
}

function codes(run: SysbenchRun): string[] {
  return run.notes.map(({ code }) => code);
}

function refusal(text: string): BenchmarkError {
  const runs = runsOf(text);
  if (runs instanceof BenchmarkError) return runs;
  throw new Error('It was read.');
}

function runsOf(text: string): SysbenchRun[] | BenchmarkError {
  try {
    return readSysbench(text);
  } catch (error) {
    if (error instanceof BenchmarkError && error.code === 'IMPORT_UNREADABLE') return error;
    throw error;
  }
}

describe('what sysbench printed', () => {
  it('has these figures, in each version of it', async () => {
    const names = readdirSync(FIXTURES).flatMap((name) => /^(.+)\.txt$/.exec(name)?.[1] ?? []);
    const read = names.map((name) => {
      const runs = runsOf(fixture(name));
      return `# ${name}\n${runs instanceof BenchmarkError ? runs.message : stringify(runs)}`;
    });
    const file = join(process.cwd(), 'tests/fixtures/documents/sysbench-figures.txt');
    await expect(read.join('\n')).toMatchFileSnapshot(file);
  });
});

describe('one run', () => {
  it('that breaks off before its totals: the mean of its intervals', () => {
    const [intervals = ''] = fixture('1.0-real-intervals').split('[ 6s ]');
    const run = onlyRun(`${intervals}FATAL: mysql_stmt_execute() returned error 2013\n`);
    expect(run.windows).toHaveLength(5);
    expect(run.tps).toBeCloseTo((812.24 + 903.99 + 902.3 + 922.87 + 904.13) / 5, 2);
    expect(run).toMatchObject({ qps: null, transactions: null, seconds: null, latencyUs: { avg: null } });
    expect(codes(run)).toEqual(['import.noTotals', 'import.stopped']);
    expect(run.notes.at(-1)?.text).toContain('error 2013');
  });

  it.each([
    ['with its interval', 'Report intermediate results every 1 second(s)\n', [1, 1, 1, 1]],
    ['with another interval', 'Report intermediate results every 2 second(s)\n', [1, 2, 2, 1]],
    ['without an interval', '', [1, 1, 1, 1]],
  ])('%s, that lacks lines: what is missing counts for nothing', (_, header, durations) => {
    const line = (at: number, tps: number): string => `[ ${at}s ] thds: 2 tps: ${tps}.00 qps: 1000.00`;
    const lines = [
      line(1, 50),
      line(3 - (durations[1] === 2 ? 0 : 1), 60),
      '...',
      line(11, 110),
      line(12, 90),
    ];
    const run = onlyRun(`sysbench 1.0.20\n${header}${lines.join('\n')}\n`);
    expect(run.windows.map(({ durationSeconds }) => durationSeconds)).toEqual(durations);
    const weights = durations.reduce((sum, one) => sum + one, 0);
    expect(run.notes.map(({ text }) => text)).toContain(
      `Interval lines for ${12 - weights} s are missing, so they aren’t counted.`,
    );
    const sum = [50, 60, 110, 90].reduce((all, tps, index) => all + tps * (durations[index] ?? 0), 0);
    expect(run.tps).toBeCloseTo(sum / weights, 2);
  });

  it.each([
    ['0.00', null],
    ['8.00', 8000],
    ['7.00', null],
    ['44.50', 44_500],
    ['46.00', null],
  ])('with a percentile of %s ms between 8.10 and 44.00 ms', (ms, value) => {
    const [before = ''] = fixture('1.0-real-intervals').split('Latency (ms):');
    const latency = `Latency (ms):\n min: 8.10\n avg: 20.00\n max: 44.00\n 95th percentile: ${ms}\n sum: 20000.00\n`;
    const run = onlyRun(before + latency);
    expect(run.latencyUs.percentile?.value ?? null).toBe(value);
    expect(codes(run)).toEqual(value === null ? ['import.impossiblePercentile'] : []);
  });

  it('with figures that aren’t numbers', () => {
    const text = fixture('1.0-real-plain')
      .replace('(890.50 per sec.)', '(-nan per sec.)')
      .replace(/avg: .*/, 'avg:                                     -nan');
    expect(onlyRun(text)).toMatchObject({ tps: 890.61, latencyUs: { avg: null } });
    const timeless = text.replace(/total time: .*\n/, '');
    expect(onlyRun(timeless)).toMatchObject({ tps: null, seconds: null });
  });
});

describe('what stands around a run', () => {
  const plain = fixture('1.0-real-intervals');
  const lines = plain.trimEnd().split('\n');

  it.each([
    ['Windows line ends', plain.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${plain}`],
    ['a quotation', lines.map((line) => `> > ${line}`).join('\n')],
    ['tabs and hard spaces', lines.map((line) => `\t${line.replaceAll(' ', '\u00a0')}`).join('\n')],
    ['time stamps', lines.map((line) => `2026-03-01T10:00:00.123456789Z ${line}`).join('\n')],
    ['times in brackets', lines.map((line) => `[2026-03-01 10:00:00,123] ${line}`).join('\n')],
    ['a system log', lines.map((line) => `Mar  1 10:00:00 db-host sysbench[812]: ${line}`).join('\n')],
    [
      'a compose log in color, with time stamps',
      lines.map((line) => `\u001b[36msysbench-1  |\u001b[0m 2026-03-01T10:00:00.1Z ${line}`).join('\r\n'),
    ],
    ['a log of pods', lines.map((line) => `[pod/bench-0/client] ${line}`).join('\n')],
    ['a title and other commands of a terminal', `\u001b]0;bench\u0007\u001b[2J\u0007${plain}\u001b[?25h`],
    ['words', `First the volume:\n\`\`\`\n${plain}\`\`\`\nThat is 878 TPS. min: I can't explain it.`],
  ])('%s', (_, text) => {
    const run = onlyRun(text);
    expect({ ...run, line: 1 }).toEqual({ ...onlyRun(plain), line: 1 });
  });

  it('another program of the same compose log', () => {
    const [one, other] = [plain, fixture('1.0-real-plain')].map((text) => text.split('\n'));
    const mixed = one?.flatMap((line, index) => [`a-1 | ${line}`, `b-1 | ${other?.[index] ?? ''}`]) ?? [];
    const [first, second, ...others] = readSysbench(mixed.join('\n'));
    expect(others).toEqual([]);
    expect({ ...first, line: 1 }).toEqual(onlyRun(plain));
    expect({ ...second, line: 1 }).toEqual(onlyRun(fixture('1.0-real-plain')));
  });

  it('runs one after the other, without any header', () => {
    const body = lines.slice(12).join('\n');
    const runs = readSysbench(`${body}\n${body}\n${body}\n`);
    expect(runs.map(({ tps, windows }) => [tps, windows.length])).toEqual([
      [878.35, 8],
      [878.35, 8],
      [878.35, 8],
    ]);
  });

  it('a command belongs to the run below it only', () => {
    const command = '$ sysbench oltp_read_write --threads=8 \\\n  --rand-type=uniform run';
    const [first, second] = readSysbench(`${command}\n${plain}\n${plain}`);
    expect(first).toMatchObject({ distribution: 'uniform', workload: 'oltp_read_write', line: 3 });
    expect(second).toMatchObject({ distribution: null, workload: null });
  });

  it('a preparation and a cleanup are no runs', () => {
    const command = (what: string): string => `$ sysbench oltp_read_write --tables=2 ${what}\n`;
    const text = `${command('prepare')}${fixture('1.0-real-prepare')}${command('run')}${plain}${command('cleanup')}`;
    expect(onlyRun(text)).toMatchObject({ tps: 878.35, workload: 'oltp_read_write' });
  });

  it('a command ends the run before it', () => {
    const [first, second] = [lines.slice(12, 14), lines.slice(14, 16)].map((some) => some.join('\n'));
    const runs = readSysbench(`${first}\n[root@db ~]# sysbench oltp_read_only --threads=8 run\n${second}\n`);
    expect(runs.map(({ windows, workload }) => [windows.length, workload])).toEqual([
      [2, null],
      [2, 'oltp_read_only'],
    ]);
    expect(runs[1]?.windows[0]).toMatchObject({ startSeconds: 2, durationSeconds: 1 });
  });
});

describe('refusals', () => {
  it.each([
    ['blanks', ' \n\n\t', 'the text is empty'],
    [
      'a letter',
      'Dear all,\nno numbers today.',
      'line 1 and the lines below it aren’t sysbench output: “Dear',
    ],
    ['a long line', `x${'y'.repeat(500)}`, `“x${'y'.repeat(118)}…”`],
    ['a program', 'MZ\n\u0000\u0001', 'line 2 contains a zero byte, so this is a binary file'],
    [
      'a run that failed',
      fixture('1.0-real-fatal'),
      'line 10 says “FATAL: unable to connect to MySQL server',
    ],
    ['a preparation', fixture('1.0-real-prepare'), 'line 1 is sysbench’s header, but no transactions follow'],
    [
      'a test without a database',
      'sysbench 1.0.20\nCPU speed:\n events per second: 1810.31\nLatency (ms):\n avg: 1.10\n',
      'no transactions follow',
    ],
    ['a shell', 'bash: sysbench: command not found\n', 'line 1 says “bash: sysbench: command not found”'],
  ])('%s', (_, text, reason) => {
    const error = refusal(text);
    expect(error.code).toBe('IMPORT_UNREADABLE');
    expect(error.message).toContain(reason);
  });

  it('quotes no commands to the terminal', () => {
    expect(refusal('\u001b[31mDear\u0007 all\u001b]0;x\u0007\n').message).toContain('“Dear all”');
  });
});

const FIGURES = [
  'transactions',
  'ignoredErrors',
  'reconnects',
  'seconds',
  'reads',
  'writes',
  'other',
  'versionText',
  'distribution',
  'workload',
] as const;

/** Every figure of a part is one of the whole, or missing; only a TPS that is called a mean may be new. */
function expectNothingInvented(part: SysbenchRun, whole: SysbenchRun): void {
  for (const key of FIGURES) expect([null, whole[key]], key).toContain(part[key]);
  for (const key of ['min', 'avg', 'max', 'percentile'] as const) {
    expect([null, whole.latencyUs[key]], key).toContainEqual(part.latencyUs[key]);
  }
  if (part.qps !== null) expect(Math.abs(part.qps - (whole.qps ?? 0))).toBeLessThan(0.02);
  if (!codes(part).includes('import.noTotals')) expect([null, whole.tps]).toContain(part.tps);
  expect(part.windows.length).toBeLessThanOrEqual(whole.windows.length);
  for (const [index, window] of part.windows.entries()) {
    const known = Object.entries(window).filter(([, value]) => value !== null);
    expect(whole.windows[index]).toMatchObject(Object.fromEntries(known));
  }
}

const WHOLE = ['0.4-experiment-5-host', '0.5', '1.0-real-intervals', '1.0-real-rate', 'master', 'tpcc'];

describe('a text that is cut off', () => {
  it.each(sampled(WHOLE, 3))('%s at any character', (name) => {
    const text = fixture(name);
    const whole = onlyRun(text);
    let seen = 0;
    for (let end = 0; end <= text.length; end += 1) {
      const read = runsOf(text.slice(0, end));
      const runs = read instanceof BenchmarkError ? [] : read;
      seen = runs.length;
      for (const run of runs) expectNothingInvented(run, whole);
    }
    expect(seen).toBe(1);
  });
});
