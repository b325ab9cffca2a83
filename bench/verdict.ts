/*
 * How long the one-click comparison takes to its first line and to its end, with how many verdicts and how wide intervals, through
 * the real session.
 */
import { optionsOf } from '../scripts/setup/options.mjs';
import { describeMachine } from './lib/machine.ts';
import { median } from './lib/ratio.ts';
import { builtInPreset, halfWidth, withSessions } from './lib/session.ts';
import { printTable } from './lib/table.ts';

const { values } = optionsOf('npm run bench:verdict -- [--passes N] [--minutes N] [--image NAME]', {
  image: { type: 'string' },
  passes: { type: 'string', default: '2' },
  minutes: { type: 'string', default: '3' },
});

await withSessions(async (run) => {
  console.log(`${describeMachine()}\nat most ${values.minutes} min of measuring in each run\n`);
  const found = await builtInPreset('docker-options', values.image);
  const untilConclusive = { budgetMinutes: Number(values.minutes) };
  const preset = { ...found, schedule: { ...found.schedule, untilConclusive } };
  const rows: string[][] = [];
  for (let pass = 1; pass <= Number(values.passes); pass++) {
    const { effects, firstLine, whole, share, isConclusive } = await run(preset);
    const widths = effects.flatMap(({ ratio }) => halfWidth(ratio) ?? []);
    rows.push([
      firstLine === null ? '–' : `${firstLine.toFixed(0)} s`,
      `${whole.toFixed(0)} s`,
      `${effects.filter(({ verdict }) => verdict !== 'inconclusive').length} of ${effects.length}${isConclusive ? '' : ', time is up'}`,
      widths.length === 0 ? '–' : `${(100 * median(widths)).toFixed(1)} %`,
      share.toFixed(2),
    ]);
    console.error(rows.at(-1)?.join(' | '));
  }
  printTable([['first line', 'whole run', 'verdicts', 'median half-width', 'share that measures'], ...rows]);
});
