import { describe, expect, it } from 'vitest';
import { importSysbench } from '../../../../src/benchmark/import/sysbench-text.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { importedRunSchema, type ImportedRun } from '../../../../src/shared/model/imported.ts';
import { sampled } from '../../../helpers/tier.ts';
import { codes, fixture, onlyRun, refusal } from './fixtures.ts';
import { saying } from '../../../helpers/saying.ts';
import { inReferences } from '../../../helpers/references.ts';

/** The runs of a text, none when it is refused; any other error fails the test. */
function runsOf(text: string): ImportedRun[] {
  try {
    return importSysbench(text);
  } catch (error) {
    if (error instanceof BenchmarkError && error.code === 'IMPORT_UNREADABLE') return [];
    throw error;
  }
}

/** Every figure of a part is one of the whole, or missing; only rates that are called means may be new. */
function expectNothingInvented(part: ImportedRun, whole: ImportedRun, text: string): void {
  importedRunSchema.parse(part);
  const counts = [
    'transactions',
    'ignoredErrors',
    'reconnects',
    'seconds',
    'events',
    'reads',
    'writes',
  ] as const;
  for (const key of [...counts, 'other', 'versionText', 'distribution', 'workload'] as const) {
    expect([null, whole[key]], key).toContain(part[key]);
  }
  for (const key of ['min', 'avg', 'max'] as const) {
    expect([null, whole.latencyUs[key]], key).toContain(part.latencyUs[key]);
  }
  const { percentile } = part.latencyUs;
  if (percentile !== null) expect(percentile).toEqual(whole.latencyUs.percentile);
  const isMean = codes(part).includes('import.noTotals');
  if (!isMean) {
    if (part.tps !== null)
      expect([whole.tps, Number(/eps\): +([\d.]+)/.exec(text)?.[1])]).toContain(part.tps);
    if (part.qps !== null) expect(Math.abs(part.qps - (whole.qps ?? 0))).toBeLessThan(0.02);
  } else {
    const rates = part.windows.map(({ tps }) => tps);
    expect(part.tps).toBeGreaterThanOrEqual(Math.min(...rates) - 0.01);
    expect(part.tps).toBeLessThanOrEqual(Math.max(...rates) + 0.01);
  }
  expect(part.windows.length).toBeLessThanOrEqual(whole.windows.length);
  for (const [index, window] of part.windows.entries()) {
    const known = Object.entries(window).filter(([, value]) => value !== null);
    expect(whole.windows[index]).toMatchObject(Object.fromEntries(known));
  }
}

const WHOLE = [
  '0.4-experiment-5-host',
  '0.5',
  '1.0-real-intervals',
  '1.0-real-percentile-off',
  '1.0-real-rate',
  '1.0-real-histogram',
  '1.0-real-csv-hook',
  '1.0-real-json-hook',
  'master',
  'tpcc',
];

describe('a text that is cut off', () => {
  it.each(WHOLE)('%s at any line', (name) => {
    const text = fixture(name);
    const whole = onlyRun(text);
    const lines = text.split('\n');
    let seen = 0;
    for (let end = 0; end <= lines.length; end += 1) {
      const part = lines.slice(0, end).map((line) => `${line}\n`);
      const runs = runsOf(part.join(''));
      expect(runs.length).toBeGreaterThanOrEqual(seen);
      seen = runs.length;
      for (const run of runs) expectNothingInvented(run, whole, text);
    }
    expect(seen).toBe(1);
  });

  it.each(sampled(WHOLE, 3))('%s at any character', (name) => {
    const text = fixture(name);
    const whole = onlyRun(text);
    for (let end = 0; end < text.length; end += 1) {
      for (const run of runsOf(text.slice(0, end))) expectNothingInvented(run, whole, text);
    }
  });

  it('two runs at any line: the first stays whole', () => {
    const lines = fixture('two-runs-in-prose').split('\n');
    for (let end = 38; end < lines.length; end += 1) {
      const [first] = runsOf(lines.slice(0, end).join('\n'));
      expect(first).toMatchObject({ tps: 239.71, distribution: 'uniform' });
    }
  });
});

describe('memory stays in proportion to the text', () => {
  const MIB = 2 ** 20;
  const programs = Array.from({ length: 200_000 }, (_, index) => `client${index} | sysbench 1.0.20\n`).join(
    '',
  );

  it.each([
    ['empty lines', '\n'.repeat(8 * MIB)],
    ['runs that are only begun', 'sysbench 1\n'.repeat(400_000)],
    ['programs', programs],
  ])('with millions of %s', (_, text) => {
    expect(runsOf(text)).toEqual([]);
  });

  it('with more runs than anybody looks at: the line is named', () => {
    const runs = 'transactions: 1 (1.00 per sec.)\n'.repeat(20_000);
    expect(refusal(runs).message).toContain('line 10001');
    expect(refusal(`\n\n\0${runs}`).params['reason']).toEqual(saying(/line 3 .*zero byte/));
  });
});

describe('time stays linear', () => {
  const million = 1_000_000;
  const final = fixture('1.0-real-plain');

  it.each([
    ['letters', 'x'.repeat(million)],
    ['spaces', ' '.repeat(million)],
    ['brackets', '['.repeat(million)],
    ['brackets and spaces', '[ '.repeat(million / 2)],
    ['escapes', '\u001b['.repeat(million / 2)],
    ['braces', '{'.repeat(million)],
    ['pairs of braces', '{"tps"}'.repeat(million / 7)],
    ['sparse braces', `{${'"tps" '.repeat(50)}`.repeat(million / 300)],
    ['digits', '1'.repeat(million)],
    ['commas', '1,'.repeat(million / 2)],
    ['a count', `transactions: ${'9'.repeat(million)} (1.00 per sec.)`],
    ['quotation', '> '.repeat(million / 2)],
    ['dashes', '--'.repeat(million / 2)],
  ])('one line of %s', async (_, line) => {
    const took = await inReferences(() => {
      expect(runsOf(line)).toEqual([]);
      expect(onlyRun(`${line}\n${final}`)).toMatchObject({ tps: 890.5 });
    });
    expect(took, 'times the reference work').toBeLessThan(200);
  });

  it('200,000 lines of noise around a run, and 200,000 interval lines', { tags: ['full'] }, () => {
    const noise = [
      '{"tps": 1} }',
      '[ 1s ] thds: x',
      '> # | - sysbench --threads=1 \\',
      'name | text',
      `a${' '.repeat(1500)}|`,
      'min: 1.0',
    ];
    const many = Array.from({ length: 200_000 }, (_, index) => `${noise[index % noise.length]} ${index}`);
    expect(runsOf(many.join('\n'))).toEqual([]);
    expect(importSysbench(`${many.join('\n')}\n${final}`)).toHaveLength(1);
    const intervals = Array.from(
      { length: 200_000 },
      (_, index) =>
        `[ ${index + 1}s ] thds: 4 tps: 10.00 qps: 200.00 (r/w/o: 140.00/40.00/20.00) lat (ms,95%): 7.84 err/s: 1.00 reconn/s: 0.00`,
    );
    const run = onlyRun(`${intervals.join('\n')}\n`);
    expect(run.windows).toHaveLength(200_000);
    expect(run.tps).toBe(10);
  });
});
