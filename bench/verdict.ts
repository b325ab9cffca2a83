/*
 * How long the one-click comparison takes until every effect has a verdict, and how wide its intervals are at the end, through
 * the real session. `--passes N --minutes N` (of each run) `--image NAME`.
 */
import { parseArgs } from 'node:util';
import { describeMachine } from './lib/machine.ts';
import { median } from './lib/ratio.ts';
import { builtInPreset, halfWidth, withSessions } from './lib/session.ts';
import { printTable } from './lib/table.ts';

const { values } = parseArgs({
  options: {
    image: { type: 'string' },
    passes: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '5' },
  },
});

await withSessions(async (run) => {
  console.log(`${describeMachine()}\nat most ${values.minutes} min of measuring in each run\n`);
  const found = await builtInPreset('docker-options', values.image);
  const untilConclusive = { budgetMinutes: Number(values.minutes) };
  const preset = { ...found, schedule: { ...found.schedule, untilConclusive } };
  const rows: string[][] = [];
  for (let pass = 1; pass <= Number(values.passes); pass++) {
    const { effects, firstEffects, conclusive } = await run(preset);
    const widths = effects.flatMap(({ ratio }) => halfWidth(ratio) ?? []);
    rows.push([
      firstEffects === null ? '–' : `${firstEffects.toFixed(0)} s`,
      conclusive === null ? `not in ${values.minutes} min` : `${conclusive.toFixed(1)} min`,
      `${effects.filter(({ verdict }) => verdict !== 'inconclusive').length} of ${effects.length}`,
      widths.length === 0 ? '–' : `${(100 * median(widths)).toFixed(1)} %`,
    ]);
    console.error(rows.at(-1)?.join(' | '));
  }
  printTable([['first effects', 'every verdict', 'verdicts', 'median half-width'], ...rows]);
});
