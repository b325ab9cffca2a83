import type { Sample, SoakedRun } from './soak-long-run.ts';
import { median } from './ratio.ts';
import { afterWarmUp, blockMedians, theilSen, verdictOn, type Point, type Slope } from './soak-slope.ts';
import { printTable } from './table.ts';

const HOUR_MS = 3_600_000;
/** A heap needs some seconds from one collection to the next. */
const BLOCK_H = 15 / 3600;
/** At least so long a process is left alone before its growth counts. */
const WARM_UP_H = 60 / 3600;
/** MiB for each hour, next to what a process keeps of the run on purpose. */
const LIMIT = 8;
/** The core keeps the windows of the measured run for its result: about so many times the size of their JSON. */
const KEPT = 2;
const MIB = 2 ** 20;

/** Prints what a soak found; false when something grows, was lost or was left. */
export function printRuns(runs: readonly SoakedRun[], left: readonly string[]): boolean {
  const [long] = runs;
  if (long === undefined) return false;
  const kept = (KEPT * 3600 * long.counts.bytesPerWindow) / MIB;
  const roles = [...new Set(long.samples.map(({ role }) => role))];
  let good = true;

  console.log(
    'Memory while the long trials were measured, the first third and minute of each left out (private, MiB):\n',
  );
  const rows = roles.map((role) => {
    const own = long.samples.filter((sample) => sample.role === role && sample.trial !== '');
    const limit = LIMIT + (role === 'core' ? kept : 0);
    const slope = slopeOf(own, ({ privateMiB }) => privateMiB);
    const verdict = verdictOn(slope, limit);
    if (verdict === 'grows') good = false;
    return [
      role,
      own.length === 0 ? '–' : median(own.map(({ privateMiB }) => privateMiB)).toFixed(0),
      slope === null ? '–' : described(slope),
      limit.toFixed(0),
      verdict,
      range(own.map(({ files }) => files)),
      range(own.map(({ threads }) => threads)),
    ];
  });
  printTable([['process', 'median', 'MiB an hour (95 %)', 'limit', '', 'open files', 'threads'], ...rows]);
  console.log(
    `\nLimit: ${LIMIT} MiB an hour; what folds the run keeps its windows besides (${long.counts.bytesPerWindow.toFixed(0)} bytes each in the journal).`,
  );

  console.log('\nMeasured windows:\n');
  printTable([
    ['run', 'trials', 'promised', 'journal', 'result', 'came to the window'],
    ...runs.map(({ counts }, index) => [
      index === 0 ? 'long' : `short ${index}`,
      ...[counts.trials, counts.promised, counts.journal, counts.result, counts.arrived].map(String),
    ]),
  ]);
  const problems = runs.flatMap(({ counts }) => [...counts.problems, ...counts.failed]);
  for (const problem of problems) console.log(`PROBLEM: ${problem}`);
  if (problems.length > 0) good = false;

  const figures = Object.keys(long.inside);
  console.log('\nAt home after each run, garbage collected:\n');
  printTable([
    ['after', ...figures],
    ...runs.map(({ inside }, index) => [
      index === 0 ? 'long' : `short ${index}`,
      ...figures.map((figure) => trimmed(inside[figure] ?? NaN)),
    ]),
  ]);
  console.log(`\nLeft behind: ${left.length === 0 ? 'nothing' : left.join(', ')}`);
  return good && left.length === 0;
}

function slopeOf(samples: readonly Sample[], value: (sample: Sample) => number): Slope | null {
  const points = samples.map((sample): Point => ({
    x: sample.at / HOUR_MS,
    y: value(sample),
    stretch: `${sample.pid} ${sample.trial}`,
  }));
  return theilSen(blockMedians(afterWarmUp(points, WARM_UP_H), BLOCK_H));
}

function described({ slope, low, high }: Slope): string {
  return `${slope.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`;
}

function range(values: readonly number[]): string {
  if (values.length === 0) return '–';
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? String(least) : `${least}–${most}`;
}

function trimmed(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
