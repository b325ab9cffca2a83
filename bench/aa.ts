/*
 * How often a run names a difference that isn't there: identical storages, each with servers, clones, and
 * clients as in every run, through the real session.
 */
import type { Effect } from '../src/shared/analysis/analysis.ts';
import { optionsOf } from '../scripts/setup/options.mjs';
import { describeMachine } from './lib/machine.ts';
import { median } from './lib/ratio.ts';
import { builtInPreset, halfWidth, withSessions } from './lib/session.ts';
import { printTable } from './lib/table.ts';

const { values } = optionsOf('npm run bench:aa -- [--runs N] [--minutes N] [--image NAME]', {
  runs: { type: 'string', default: '20' },
  minutes: { type: 'string', default: '2' },
  image: { type: 'string' },
});

const share = (part: number, whole: number): string =>
  `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;

await withSessions(async (run) => {
  const preset = await builtInPreset('docker-options', values.image);
  const names = ['volume-1', 'volume-2', 'volume-3'];
  const equal = {
    ...preset,
    scenarios: [],
    storages: Object.fromEntries(names.map((name) => [name, { kind: 'named-volume' as const, name }])),
    grid: { storages: names, paths: ['published-port' as const, 'host-network' as const] },
    baseline: 'volume-1.published-port',
    schedule: { ...preset.schedule, untilConclusive: { budgetMinutes: Number(values.minutes) } },
  };
  console.log(
    `${describeMachine()}\n${names.length} equal storages × 2 paths, ${values.minutes} min in each run\n`,
  );
  const found: Effect[][] = [];
  for (let done = 1; done <= Number(values.runs); done++) {
    const { effects } = await run(equal);
    found.push(effects.filter(({ factor }) => factor === 'storage'));
    console.error(
      `run ${done}: ${(found.at(-1) ?? []).map(({ ratio, verdict }) => `${ratio?.value.toFixed(3)} ± ${((halfWidth(ratio) ?? NaN) * 100).toFixed(1)} % ${verdict}`).join(', ')}`,
    );
  }
  const all = found.flat();
  const isDifferent = ({ verdict }: Effect): boolean => verdict === 'slower' || verdict === 'faster';
  const missed = all.filter(({ ratio }) => (ratio?.low ?? 0) > 1 || (ratio?.high ?? 2) < 1);
  const widths = all.flatMap(({ ratio }) => halfWidth(ratio) ?? []);
  printTable([
    ['', 'found', 'expected'],
    [
      'runs that name a difference',
      share(found.filter((one) => one.some(isDifferent)).length, found.length),
      'at most 5 %',
    ],
    ['intervals that don’t hold 1', share(missed.length, all.length), '5 %'],
    [
      'called the same',
      share(all.filter(({ verdict }) => verdict === 'same').length, all.length),
      'all, with time',
    ],
    ['median half-width', `${(100 * median(widths)).toFixed(1)} %`, ''],
  ]);
});
