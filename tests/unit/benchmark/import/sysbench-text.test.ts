import { saying } from '../../../helpers/saying.ts';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importSysbench } from '../../../../src/benchmark/import/sysbench-text.ts';
import { importedRunSchema } from '../../../../src/shared/model/imported.ts';
import { codes, fixture, FIXTURES, onlyRun, refusal } from './fixtures.ts';

describe('generations', () => {
  it('0.4: experiment 5 as published', () => {
    const run = onlyRun(fixture('0.4-experiment-5-host'));
    expect(run).toMatchObject({
      tps: 433.04,
      transactions: 129_923,
      ignoredErrors: 53,
      reconnects: null,
      latencyUs: { min: 3290, avg: 36_940, max: 1_097_630, percentile: { rank: 95, value: 55_540 } },
      windows: [],
      version: '0.4',
      versionText: '0.4.12',
      threads: 16,
      seconds: 300.0257,
      events: 129_923,
      reads: 1_819_664,
      writes: 649_746,
      other: 259_899,
      distribution: 'special',
      workload: 'oltp',
      line: 1,
    });
    expect(run.qps).toBeCloseTo((2_469_410 + 259_899) / 300.0257, 2);
    expect(codes(run)).toEqual(['import.oldTransactions', 'import.noIntervals']);
  });

  it('0.4 without its header', () => {
    const run = onlyRun(fixture('0.4-experiment-5-image'));
    expect(run).toMatchObject({
      tps: 347.81,
      version: '0.4',
      versionText: null,
      threads: null,
      workload: null,
    });
    expect(codes(run)).toEqual(['import.oldTransactions', 'import.rowIdsSpecial', 'import.noIntervals']);
  });

  it('0.4 with many deadlocks still has 21 statements', () => {
    // Figures of a public log: 10000 transactions, 2999 deadlocks.
    const text = [
      'OLTP test statistics:',
      '    queries performed:',
      '        read:                            181986',
      '        write:                           57056',
      '        other:                           22999',
      '        total:                           262041',
      '    transactions:                        10000  (50.00 per sec.)',
      '    deadlocks:                           2999   (14.99 per sec.)',
      '    read/write requests:                 239042 (1195.09 per sec.)',
      '    other operations:                    22999  (114.98 per sec.)',
      '',
    ];
    const run = onlyRun(text.join('\n'));
    expect(codes(run)).toContain('import.oldTransactions');
    expect(run.ignoredErrors).toBe(2999);
    expect(run.qps).toBe(1310.07);
    expect(codes(run)).toContain('import.partialReport');
  });

  it('0.5: interval lines, the command says the distribution', () => {
    const run = onlyRun(fixture('0.5'));
    expect(run).toMatchObject({
      tps: 212.92,
      qps: 4258.42,
      transactions: 6389,
      ignoredErrors: 3,
      reconnects: 0,
      version: '0.5',
      distribution: 'uniform',
      workload: 'oltp',
      notes: [],
    });
    expect(run.windows).toHaveLength(3);
    expect(run.windows[1]).toEqual({
      startSeconds: 10,
      durationSeconds: 10,
      threads: 4,
      tps: 220.61,
      qps: null,
      reads: 3088.42,
      writes: 882.39,
      other: null,
      latencyUs: { rank: 95, value: 25_370 },
      errorsPerSecond: 0,
      reconnectsPerSecond: 0,
    });
  });

  it('0.5: early interval lines have neither errors nor reconnects', () => {
    const line =
      '[   1s] threads: 16, tps: 0.00, reads/s: 0.00, writes/s: 13788.65, response time: 1.43ms (95%)\n';
    expect(onlyRun(line).windows[0]).toMatchObject({ writes: 13_788.65, errorsPerSecond: null });
  });

  it('1.0, real, with interval lines', () => {
    const run = onlyRun(fixture('1.0-real-intervals'));
    expect(run).toMatchObject({
      tps: 878.35,
      qps: 17_595.78,
      transactions: 7032,
      ignoredErrors: 14,
      reconnects: 0,
      latencyUs: { min: 1550, avg: 4550, max: 15_690, percentile: { rank: 95, value: 6790 } },
      version: '1.0',
      versionText: '1.0.20',
      threads: 4,
      seconds: 8.0055,
      distribution: null,
    });
    expect(run.windows).toHaveLength(8);
    expect(run.windows[0]).toEqual({
      startSeconds: 0,
      durationSeconds: 1,
      threads: 4,
      tps: 812.24,
      qps: 16_310.81,
      reads: 11_431.35,
      writes: 3249.97,
      other: 1629.48,
      latencyUs: { rank: 95, value: 7840 },
      errorsPerSecond: 1,
      reconnectsPerSecond: 0,
    });
    expect(codes(run)).toEqual(['import.rowIdsSpecial']);
  });

  it('1.0, real, without interval lines', () => {
    const run = onlyRun(fixture('1.0-real-plain'));
    expect(run).toMatchObject({ tps: 890.5, qps: 17_809.93, windows: [] });
    expect(codes(run)).toEqual(['import.rowIdsSpecial', 'import.noIntervals']);
  });

  it('master', () => {
    const run = onlyRun(fixture('master'));
    expect(run).toMatchObject({
      tps: 399.72,
      qps: 7994.45,
      version: '1.1',
      versionText: '1.1.0-df89d34',
      seconds: 10.0145,
      latencyUs: { percentile: { rank: 99, value: 49_210 } },
    });
    expect(run.notes[0]?.text).toContain('“uniform”');
    expect(onlyRun(fixture('master').split('\n').slice(15).join('\n')).version).toBe('1.1');
  });

  it('sysbench-tpcc: by its name, by its mix, and its errors explained', () => {
    const text = fixture('tpcc');
    const run = onlyRun(text);
    expect(run).toMatchObject({ tps: 181.45, qps: 5177.54, ignoredErrors: 237, workload: 'tpcc', line: 3 });
    expect(run.windows).toHaveLength(3);
    expect(codes(run)).toEqual(['import.tpccErrorShare']);
    expect(run.notes[0]?.text).toContain('0.44%');
    const nameless = text.split('\n').slice(2);
    expect(codes(onlyRun(nameless.join('\n')))).toEqual(['import.tpccErrorShare']);
    const intervalsOnly = nameless.filter((line) => line.startsWith('['));
    expect(codes(onlyRun(`${intervalsOnly.join('\n')}\n`))).toEqual(['import.tpccErrors', 'import.noTotals']);
  });
});

describe('what sysbench can be told to print', () => {
  it('no percentile', () => {
    const run = onlyRun(fixture('1.0-real-percentile-off'));
    expect(run.latencyUs).toEqual({ min: 1040, avg: 1220, max: 10_910, percentile: null });
    expect(run.windows.map(({ latencyUs }) => latencyUs)).toEqual([null, null, null, null]);
  });

  it('a fixed rate', () => {
    const run = onlyRun(fixture('1.0-real-rate'));
    expect(run).toMatchObject({ tps: 48.63, latencyUs: { percentile: { rank: 99, value: 8280 } } });
    expect(run.windows).toHaveLength(5);
    expect(codes(run)).toContain('import.heldRate');
    expect(codes(run)).not.toContain('import.oddRate');
  });

  it('a histogram', () => {
    expect(onlyRun(fixture('1.0-real-histogram'))).toMatchObject({
      tps: 667.15,
      windows: [],
      latencyUs: { percentile: { rank: 95, value: 3750 } },
    });
  });

  it('interval lines of the Lua reporter, without the colon', () => {
    const run = onlyRun(fixture('1.0-real-default-hook'));
    expect(run.windows.map(({ errorsPerSecond }) => errorsPerSecond)).toEqual([3, 4, 0, 0]);
  });

  it('rows of the CSV hook: the percentile is that of the final report', () => {
    const run = onlyRun(fixture('1.0-real-csv-hook'));
    expect(run).toMatchObject({ tps: 603.25, transactions: 2416 });
    expect(run.windows).toHaveLength(4);
    expect(run.windows[0]).toMatchObject({
      tps: 815.43,
      qps: 16_344.49,
      reads: 11_447.94,
      latencyUs: { rank: 95, value: 4030 },
      errorsPerSecond: 1,
    });
  });

  it('objects of the JSON hook, in any layout', () => {
    const text = fixture('1.0-real-json-hook');
    const run = onlyRun(text);
    expect(run.windows).toHaveLength(4);
    expect(run.windows[3]).toMatchObject({ startSeconds: 3, tps: 550.53, qps: 11_041.54, other: 1102.06 });
    const [before = '', after = ''] = text.split(/^\[\n[^]*^\]\n/m);
    const compact = JSON.stringify(JSON.parse(text.slice(before.length, text.length - after.length)));
    expect(onlyRun(`${before}${compact}\n${after}`).windows).toEqual(run.windows);
  });

  it.each(['csv', 'json'])('a final report of the %s hook is a row of no threads', (hook) => {
    const run = onlyRun(fixture(`1.0-real-${hook}-cumulative`));
    expect(run.tps).toBe(hook === 'csv' ? 391.3 : 381.81);
    expect(run.transactions).toBeNull();
    expect(run.windows).toHaveLength(4);
    expect(run.windows.every(({ threads }) => threads === 2)).toBe(true);
    expect(run.latencyUs.percentile).toBeNull();
    expect(codes(run)).toEqual(['import.rowIdsSpecial', 'import.unknownPercentile']);
  });

  it('checkpoints: one run for each section, none taken for wrong', () => {
    const runs = importSysbench(fixture('1.0-real-checkpoints'));
    expect(runs.map(({ tps }) => tps)).toEqual([435.56, 527.81, 391.2]);
    expect(runs.map(({ seconds }) => seconds)).toEqual([2.0002, null, null]);
    expect(runs.flatMap(({ windows }) => windows).map(({ tps }) => tps)).toEqual([
      307.71, 563.66, 576.32, 478.22, 392.51,
    ]);
    for (const run of runs) {
      expect(codes(run)).toContain('import.checkpoints');
      expect(codes(run)).not.toContain('import.oddRate');
      expect(run.versionText).toBe('1.0.20');
    }
  });

  it('a test without a database has no transactions', () => {
    const run = onlyRun(fixture('1.0-real-cpu'));
    expect(run).toMatchObject({ tps: null, qps: null, windows: [], events: 5461, latencyUs: { avg: 1100 } });
    expect(codes(run)).toEqual(['import.otherTest']);
  });
});

describe('what stands around it', () => {
  it('prose, prompts, fences and quotation marks', () => {
    const [volume, bind, ...others] = importSysbench(fixture('two-runs-in-prose'));
    expect(others).toEqual([]);
    expect(volume).toMatchObject({
      tps: 239.71,
      distribution: 'uniform',
      workload: 'oltp_read_write',
      line: 7,
    });
    // What was said for the first run is not said for the second.
    expect(bind).toMatchObject({ tps: 99.43, distribution: null, workload: null, line: 44 });
    expect(bind?.latencyUs).toEqual({
      min: 21_400,
      avg: 80_310,
      max: 402_170,
      percentile: { rank: 95, value: 137_350 },
    });
  });

  it('two clients of one compose log, in colors', () => {
    const [client, second, ...others] = importSysbench(fixture('compose-log'));
    expect(others).toEqual([]);
    expect({ ...client, line: 1 }).toEqual(onlyRun(fixture('1.0-real-intervals')));
    expect({ ...second, line: 1 }).toEqual(onlyRun(fixture('1.0-real-plain')));
  });

  const plain = fixture('1.0-real-intervals');
  const lines = plain.trimEnd().split('\n');
  it.each([
    ['Windows line ends', fixture('crlf')],
    ['old Mac line ends', plain.replaceAll('\n', '\r')],
    ['a byte order mark', `\uFEFF${plain}`],
    ['a quotation', lines.map((line) => `> > ${line}`).join('\n')],
    ['indentation by tabs', lines.map((line) => `\t${line}`).join('\n')],
    ['hard spaces', plain.replaceAll(' ', '\u00a0')],
    ['a comment', lines.map((line) => `#${line}`).join('\n')],
    ['time stamps', lines.map((line) => `2026-03-01T10:00:00.123456789Z ${line}`).join('\n')],
    [
      'kubectl and time stamps',
      lines.map((line) => `[pod/bench-x/sb] 2026-03-01T10:00:00Z ${line}`).join('\n'),
    ],
    ['the journal', lines.map((line) => `Mar  1 10:00:00 host sysbench[123]: ${line}`).join('\n')],
    ['CRI', lines.map((line) => `2026-03-01T10:00:00.1+01:00 stdout F ${line}`).join('\n')],
    [
      'the engine’s log',
      lines.map((log) => JSON.stringify({ log: `${log}\n`, stream: 'stdout', time: 'x' })).join('\n'),
    ],
    ['a list of JSON texts', lines.map((line) => `    ${JSON.stringify(line)},`).join('\n')],
    [
      'remarks behind the figures',
      lines.map((line) => (line === '' ? '' : `${line}    # how many`)).join('\n'),
    ],
    ['blank lines between', lines.join('\n\n\n')],
  ])('%s', (_, text) => {
    const run = onlyRun(text);
    expect({ ...run, line: 1 }).toEqual({ ...onlyRun(plain), line: 1 });
  });

  it('runs one after the other, without any header', () => {
    const body = lines.slice(12).join('\n');
    const runs = importSysbench(`${body}\n${body}\n${body}\n`);
    expect(runs.map(({ tps, windows }) => [tps, windows.length])).toEqual([
      [878.35, 8],
      [878.35, 8],
      [878.35, 8],
    ]);
  });

  it('a command ends the run before it', () => {
    const [first, second] = [lines.slice(12, 14), lines.slice(14, 16)].map((some) => some.join('\n'));
    const runs = importSysbench(
      `${first}\n[root@db ~]# sysbench oltp_read_only --threads=8 run\n${second}\n`,
    );
    expect(runs.map(({ windows, workload }) => [windows.length, workload])).toEqual([
      [2, null],
      [2, 'oltp_read_only'],
    ]);
    expect(runs[1]?.windows[0]).toMatchObject({ startSeconds: 2, durationSeconds: 1 });
  });
});

describe('doubts', () => {
  it('a text that ends in the middle of an interval line', () => {
    const run = onlyRun(fixture('cut-in-intervals'));
    expect(run.windows).toHaveLength(5);
    expect(run.tps).toBeCloseTo((546.32 + 599.15 + 601 + 636 + 578) / 5, 2);
    expect(run).toMatchObject({
      transactions: null,
      seconds: null,
      latencyUs: { avg: null, percentile: null },
    });
    expect(codes(run)).toEqual(['import.rowIdsSpecial', 'import.noTotals']);
  });

  it('a text that ends in the middle of the final report', () => {
    const run = onlyRun(fixture('cut-in-final'));
    expect(run).toMatchObject({ tps: 878.35, reconnects: null, latencyUs: { avg: null } });
    expect(codes(run)).toEqual(['import.rowIdsSpecial', 'import.partialReport']);
  });

  it('rates that are not their counts by the time', () => {
    const wrong = fixture('1.0-real-plain').replace('890.50 per sec.', '989.50 per sec.');
    const note = onlyRun(wrong).notes.find(({ code }) => code === 'import.oddRate');
    expect(note?.text).toContain('989.50');
  });

  it('a run that broke off with an error', () => {
    const text = `${fixture('1.0-real-intervals').split('SQL statistics')[0]}FATAL: mysql_stmt_execute() returned error 2013\n`;
    const run = onlyRun(text);
    expect(codes(run)).toEqual(['import.rowIdsSpecial', 'import.noTotals', 'import.stopped']);
    expect(run.notes[2]?.text).toContain('error 2013');
  });

  it('a report that lost its SQL part', () => {
    const text = fixture('master').split('\n').slice(25).join('\n');
    const run = onlyRun(text);
    expect(run).toMatchObject({ tps: 399.7223, transactions: null, qps: null });
    expect(codes(run)).toContain('import.eventsCounted');
  });

  it('figures that are none', () => {
    const text = fixture('1.0-real-plain')
      .replace('(890.50 per sec.)', '(-nan per sec.)')
      .replace(/avg: .*/, 'avg:                                     -nan');
    const run = onlyRun(text);
    expect(run.tps).toBe(890.61);
    expect(run.latencyUs.avg).toBeNull();
  });
});

describe('refusals', () => {
  it.each([
    ['nothing', '', 'the text is empty'],
    ['blanks', ' \n\n\t', 'the text is empty'],
    [
      'a letter',
      'Dear all,\nno numbers today.',
      'line 1 and the lines below it aren’t sysbench output: “Dear all,”',
    ],
    ['a long line', `x${'y'.repeat(500)}`, `“x${'y'.repeat(118)}…”`],
    ['a program', 'MZ\n\u0000\u0001', 'line 2 contains a zero byte, so this is a binary file'],
    [
      'a run that failed',
      fixture('1.0-real-fatal'),
      'line 10 says “FATAL: unable to connect to MySQL server',
    ],
    [
      'a preparation',
      fixture('1.0-real-prepare'),
      'line 1 is sysbench’s header, but no results follow; the text ends with line 8',
    ],
    ['a shell', 'bash: sysbench: command not found\n', 'line 1 says “bash: sysbench: command not found”'],
    [
      'figures of something else',
      'min: 3.2\navg: 5.1\nmax: 9.0\ntotal: 12\n',
      'line 1 and the lines below it aren’t sysbench output',
    ],
    [
      'a table',
      'a,b\n1,2,3.00,4.00,5.00,6.00,7.00,8.00,9.00,1.00\n',
      'line 1 and the lines below it aren’t sysbench output',
    ],
  ])('%s', (_, text, reason) => {
    const error = refusal(text);
    expect(error.code).toBe('IMPORT_UNREADABLE');
    expect(error.message).toContain(reason);
  });

  it('name every failure and what was looked for', () => {
    const { evidence } = refusal(fixture('1.0-real-fatal'));
    expect(evidence[0]).toEqual(saying('line 11 says “FATAL: error 1045'));
    expect(evidence.at(-1)).toEqual(saying(/^Looked for/));
  });

  it('what is too large', () => {
    expect(refusal(' '.repeat(64 * 2 ** 20 + 1)).message).toContain('larger than 64 MiB');
  });
});

it('every fixture that is imported fits the model', () => {
  for (const file of readdirSync(FIXTURES)) {
    const name = file.replace('.txt', '');
    if (!file.endsWith('.txt') || ['1.0-real-fatal', '1.0-real-prepare'].includes(name)) continue;
    for (const run of importSysbench(fixture(name))) {
      expect(importedRunSchema.parse(run), name).toEqual(run);
    }
  }
});
