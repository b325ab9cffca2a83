import { appendFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { settings } from './settings.ts';

/** Outcome of a case. */
export type Verdict = 'accepted' | 'refused';

/** Output of scripts/fuzz.mjs for a target. */
export interface TargetFigures {
  target: string;
  cases: number;
  accepted: number;
  refused: number;
  /** CPU time of the whole process, ms: other programs on the machine don't make it longer. */
  slowestMs: number;
  /** The most that one case made the heap grow, garbage not yet collected included, MiB. */
  heapGrowthMiB: number;
  seconds: number;
}

export function heapMiB(): number {
  return getHeapStatistics().used_heap_size / 2 ** 20;
}

/** Adds up what a target's cases come to. */
export class Counter {
  readonly figures: TargetFigures;
  readonly #began = performance.now();

  constructor(target: string) {
    this.figures = { target, cases: 0, accepted: 0, refused: 0, slowestMs: 0, heapGrowthMiB: 0, seconds: 0 };
  }

  add(verdict: Verdict, ms: number, grownMiB: number): void {
    this.figures.cases += 1;
    this.figures[verdict] += 1;
    this.figures.slowestMs = Math.max(this.figures.slowestMs, ms);
    this.figures.heapGrowthMiB = Math.max(this.figures.heapGrowthMiB, grownMiB);
  }

  /** Hands the figures to the program that started this. */
  tell(): void {
    this.figures.seconds = (performance.now() - this.#began) / 1000;
    if (settings.figuresFile !== '')
      appendFileSync(settings.figuresFile, `${JSON.stringify(this.figures)}\n`);
  }
}
