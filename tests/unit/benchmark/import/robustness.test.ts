import { describe, expect, it } from 'vitest';
import { importSysbench } from '../../../../src/benchmark/import/sysbench-text.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { importedRunSchema, type ImportedRun } from '../../../../src/shared/model/imported.ts';
import { sampled } from '../../../helpers/tier.ts';
import { codes, fixture, onlyRun } from './fixtures.ts';

/** The runs of a text, none when it is refused; any other error fails the test. */
function runsOf(text: string): ImportedRun[] {
  try {
    return importSysbench(text);
  } catch (error) {
    if (error instanceof BenchmarkError && error.code === 'IMPORT_UNREADABLE') return [];
    throw error;
  }
}

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
function expectNothingInvented(part: ImportedRun, whole: ImportedRun): void {
  importedRunSchema.parse(part);
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
      const runs = runsOf(text.slice(0, end));
      seen = runs.length;
      for (const run of runs) expectNothingInvented(run, whole);
    }
    expect(seen).toBe(1);
  });
});
