import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cpuMs, referenceMs } from '../../helpers/references.ts';
import { Counter, heapMiB, type Verdict } from './figures.ts';
import { settings } from './settings.ts';
import { Watch } from './watch.ts';

/** Most CPU time that reading once may take, in times of the reference work. What needs too much memory ends the process. */
const CASE_REFERENCES = 100;
const TEST_MS = 3_600_000;
/** How long a counterexample is made smaller. */
const SHRINKING_MS = 20_000;
/** Whole counterexamples are written here; messages only begin them. */
const FOLDER = 'test-results/fuzz';
const QUOTED = 1500;

export interface Target<T> {
  /** Unique, short: `npm run fuzz -- NAME` takes it. */
  name: string;
  cases: fc.Arbitrary<T>;
  /** Has the code read it. Throws for what must never happen. */
  judge: (input: T) => Verdict | Promise<Verdict>;
  /** Every case counts as accepted here, or every one as refused; else both have to occur. */
  only?: Verdict;
  /** How often a case reads its input; the limit of its time is for each. */
  reads?: number;
  /** A process with a limit of time reads it. */
  isApart?: boolean;
  /** Share of the few cases of `npm test` to run, where one costs much. */
  share?: number;
}

/** Makes a test of a target. It fails for the first case that throws, is slow, or blows up, with what repeats it. */
export function fuzz<T>({
  name,
  cases,
  judge,
  only,
  reads = 1,
  isApart = false,
  share = 1,
}: Target<T>): void {
  it(
    name,
    async () => {
      const numRuns = settings.path === '' ? Math.ceil(settings.cases * (settings.isShort ? share : 1)) : 1;
      const counter = new Counter(name);
      const reference = referenceMs();
      const watch = new Watch(`${name} --seed ${settings.seed}`);
      let failedAt: number | undefined;
      const one = async (input: T): Promise<void> => {
        // The smallest counterexample found by then will do.
        if (failedAt !== undefined && performance.now() - failedAt > SHRINKING_MS) return;
        watch.next();
        try {
          const [began, heap] = [cpuMs(), heapMiB()];
          const verdict = await judge(input);
          const took = cpuMs() - began;
          counter.add(verdict, took, heapMiB() - heap);
          const most = CASE_REFERENCES * reads;
          if (!isApart && took > most * reference && took > most * referenceMs()) {
            throw new Error(`took ${Math.round(took)} ms of CPU time, ${most} times the reference work`);
          }
        } catch (error) {
          failedAt ??= performance.now();
          throw error;
        }
      };
      try {
        const details = await fc.check(fc.asyncProperty(cases, one), {
          numRuns,
          seed: settings.seed,
          ...(settings.path === '' ? {} : { path: settings.path, endOnFailure: true }),
        });
        if (details.failed) throw new Error(report(name, details));
      } finally {
        await watch.end();
        counter.tell();
      }
      const { accepted, refused } = counter.figures;
      if (only === undefined && numRuns >= 100) {
        // Generators that only ever make one of the two would prove nothing of the other.
        expect(accepted, 'accepted cases').toBeGreaterThan(0);
        expect(refused, 'refused cases').toBeGreaterThan(0);
      } else if (only !== undefined) expect({ accepted, refused }[only]).toBe(counter.figures.cases);
    },
    TEST_MS,
  );
}

function report<T>(name: string, details: fc.RunDetails<[T]>): string {
  const { counterexamplePath, counterexample, errorInstance, seed, numRuns, numShrinks } = details;
  const [input] = counterexample ?? [];
  const text = typeof input === 'string' ? input : fc.stringify(input);
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${name}-${seed}.txt`);
  writeFileSync(file, text);
  const error =
    errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance);
  return [
    `${name}: failed after ${numRuns} cases and ${numShrinks} attempts to make it smaller.`,
    `Repeat it with: npm run fuzz -- ${name} --seed ${seed} --path ${counterexamplePath ?? '0'}`,
    `Counterexample (whole in ${file}): ${JSON.stringify(text.slice(0, QUOTED))}`,
    error,
  ].join('\n');
}
