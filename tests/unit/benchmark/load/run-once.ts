import { type Counts, emptyCounts } from '../../../../src/benchmark/load/builtin/counts.ts';
import type { LoadProgram } from '../../../../src/benchmark/load/builtin/workload-kind.ts';

/** Runs one transaction. Resolves with its counts, or rejects with the error that `done` got. */
export function runOnce(program: Pick<LoadProgram, 'run'>): Promise<Counts> {
  return new Promise((resolve, reject) => {
    const counts = emptyCounts();
    program.run(counts, (error) => {
      if (error === undefined) resolve(counts);
      else reject(error instanceof Error ? error : new Error(String(error)));
    });
  });
}
