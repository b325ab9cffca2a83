import type { Fault } from './fault.ts';
import { tableOf } from '../lib/table.ts';
import { FAULTS } from './matrix.ts';
import { MOMENTS, PHASE_NAMES, type Moment } from './phases.ts';
import type { CellResult, Results } from './results.ts';

/** Loads run in WebAssembly threads (4a66c3a9), and clones are made by directory (8313e47e). */
const EXERCISED_SINCE = '2026-11-24T16:53:04Z';
const OLDER = 'from before loads ran in WebAssembly threads and tables were cloned by directory';

/** Measured before what it exercises was changed. */
export function isOlder({ date }: CellResult): boolean {
  return date < EXERCISED_SINCE;
}

interface Cell {
  fault: Fault;
  phase: Moment;
  result: CellResult | undefined;
}

/** The part of docs/dev/reliability.md that the results come to, as Markdown. */
export function reportOf({ cells }: Results): string {
  const all = FAULTS.flatMap((fault) =>
    MOMENTS.filter((phase) => typeof fault.effect(phase) === 'string').map((phase): Cell => ({
      fault,
      phase,
      result: cells.find((cell) => cell.fault === fault.name && cell.phase === phase),
    })),
  );
  const known = all.flatMap(({ result }) => result ?? []);
  const having = (status: CellResult['status'], of = all): Cell[] =>
    of.filter(({ result }) => result?.status === status);
  const older = known.filter(isOlder).length;
  const phases = MOMENTS.map((phase) => {
    const own = all.filter((cell) => cell.phase === phase);
    return [
      phase,
      PHASE_NAMES[phase],
      `${having('passed', own).length + having('no effect', own).length} of ${own.length}`,
    ];
  });
  return [
    `${having('passed').length} passed, ${having('no effect').length} had no effect, as declared, ${having('failed').length} failed, ${all.length - known.length} not run yet.`,
    measured(known),
    ...(older === 0 ? [] : [`${older} are ${OLDER}.`]),
    '',
    tableOf([['phase', 'the fault strikes', 'as declared'], ...phases]),
    '\n### No effect, as declared\n',
    ...having('no effect').map(({ fault, phase }) => `- ${fault.title}, ${phase}`),
    ...(having('failed').length === 0 ? [] : ['\n### Failed\n', ...having('failed').map(failureText)]),
    '',
  ].join('\n');
}

function failureText({ fault, phase, result }: Cell): string {
  const { outcome = null, codes = [], remarks = [] } = result ?? {};
  const came = [outcome ?? 'not begun', ...codes.map((code) => `\`${code}\``)].join(', ');
  const lines = remarks.map((remark) => `  - ${remark.replace(/\s+/g, ' ').slice(0, 400)}`);
  return [`- **${fault.title}, ${phase}**: ${came} (${fault.how})`, ...lines].join('\n');
}

/** The engines, and how many cells ran on which day: older cells are of older code. */
function measured(cells: readonly CellResult[]): string {
  if (cells.length === 0) return '';
  const dates = cells.map(({ date }) => date.slice(0, 10));
  const days = [...new Set(dates)]
    .sort()
    .map((day) => `${dates.filter((one) => one === day).length} on ${day}`);
  const engines = [...new Set(cells.map(({ engine }) => engine))].filter((one) => one !== '');
  const commits = [...new Set(cells.flatMap(({ commit }) => commit ?? []))];
  return [
    `Measured ${days.join(', ')}.`,
    `Engines: ${engines.join(', ')}.`,
    `Commits: ${commits.join(', ')}.`,
  ].join('\n');
}
