import { type Counts, emptyCounts } from '../../../../src/benchmark/load/builtin/counts.ts';
import type { LoadProgram } from '../../../../src/benchmark/load/builtin/workload-kind.ts';

/** One transaction; resolves with what it counted, rejects with what `done` got. */
export function runOnce(program: Pick<LoadProgram, 'run'>): Promise<Counts> {
  return new Promise((resolve, reject) => {
    const counts = emptyCounts();
    program.run(counts, (error) => {
      if (error === undefined) resolve(counts);
      else reject(error instanceof Error ? error : new Error(String(error)));
    });
  });
}
