/*
 * How long the one-click comparison takes until every effect has a verdict, and how wide its intervals are at the end:
 * servers that take turns (the preset's own schedule) against one server at a time (the schedule of before: a start for
 * each server and round, trials of 1.3 s). Both run in turn through the real session.
 * `--passes N --minutes N` (of each run) `--preset ID --image NAME --only turns`.
 */
import { parseArgs } from 'node:util';
import { createRandom, shuffled } from '../src/benchmark/random.ts';
import type { Preset } from '../src/shared/model/preset.ts';
import { describeMachine } from './lib/machine.ts';
import { median } from './lib/ratio.ts';
import { builtInPreset, halfWidth, type SessionOutcome, withSessions } from './lib/session.ts';
import { printTable } from './lib/table.ts';

const { values } = parseArgs({
  options: {
    preset: { type: 'string', default: 'docker-options' },
    image: { type: 'string' },
    passes: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
});

const SCHEDULES = {
  alone: { rounds: 24, warmupSeconds: 0.7, durationSeconds: 1.3 },
  turns: undefined,
} as const;
type Kind = keyof typeof SCHEDULES;

function presetAs(kind: Kind, preset: Preset): Preset {
  const budget = { untilConclusive: { budgetMinutes: Number(values.minutes) } };
  return { ...preset, schedule: { ...(SCHEDULES[kind] ?? preset.schedule), ...budget } };
}

function row(kind: Kind, { effects, firstEffects, conclusive, measured, aa }: SessionOutcome): string[] {
  const widths = effects.flatMap(({ ratio }) => halfWidth(ratio) ?? []);
  const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(1)} %`);
  return [
    kind === 'turns' ? 'in turns' : 'one at a time',
    firstEffects === null ? '–' : `${firstEffects.toFixed(0)} s`,
    conclusive === null ? `not in ${values.minutes} min` : `${conclusive.toFixed(1)} min`,
    `${effects.filter(({ verdict }) => verdict !== 'inconclusive').length} of ${effects.length}`,
    widths.length === 0 ? '–' : percent(median(widths)),
    widths.length === 0 ? '–' : percent(Math.max(...widths)),
    percent(measured),
    aa === null ? '–' : `${aa.value.toFixed(3)} ± ${percent(halfWidth(aa))}`,
  ];
}

await withSessions(async (run) => {
  console.log(
    `${describeMachine()}\n${values.preset}, at most ${values.minutes} min of measuring in each run\n`,
  );
  const preset = await builtInPreset(values.preset, values.image);
  const rows: string[][] = [];
  for (let pass = 1; pass <= Number(values.passes); pass++) {
    for (const kind of shuffled(['alone', 'turns'] as const, createRandom(pass))) {
      if (values.only !== undefined && kind !== values.only) continue;
      rows.push(row(kind, await run(presetAs(kind, preset))));
      console.error(rows.at(-1)?.join(' | '));
    }
  }
  printTable([
    [
      'servers',
      'first effects',
      'every verdict',
      'verdicts',
      'median half-width',
      'widest',
      'measured',
      'A/A',
    ],
    ...rows,
  ]);
});
