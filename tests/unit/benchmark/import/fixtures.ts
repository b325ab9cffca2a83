import { readFileSync } from 'node:fs';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { ImportedRun } from '../../../../src/shared/model/imported.ts';
import { importSysbench } from '../../../../src/benchmark/import/sysbench-text.ts';

export const FIXTURES = 'tests/fixtures/sysbench';

export function fixture(name: string): string {
  return readFileSync(`${FIXTURES}/${name}.txt`, 'utf8');
}

/** The only run of a text. */
export function onlyRun(text: string): ImportedRun {
  const [run, ...others] = importSysbench(text);
  if (run === undefined || others.length > 0) throw new Error(`${others.length + 1} runs`);
  return run;
}

export function codes(run: ImportedRun): string[] {
  return run.notes.map(({ code }) => code);
}

/** The error that a text is refused with. */
export function refusal(text: string): BenchmarkError {
  try {
    importSysbench(text);
  } catch (error) {
    if (error instanceof BenchmarkError) return error;
    throw error;
  }
  throw new Error('It was imported.');
}
