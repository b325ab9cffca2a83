import type { Fault } from './fault.ts';
import { FAULTS, MATRIX, OTHERS } from './matrix.ts';
import { MOMENTS, PHASE_NAMES, PHASES, type Moment } from './phases.ts';
import type { CellResult, Results } from './results.ts';

export const REPORT_FILE = 'docs/dev/reliability.md';

const INTRODUCTION = `# Reliability: what happens when something breaks

Generated from \`docs/dev/reliability-results.json\` by \`npm run test:faults\`; do not edit.

Whatever breaks, and whenever:

- the run ends, or continues without the trial that was struck, and says what happened with a code and a hint;
- trials that were measured before are kept, unchanged, and shown;
- the run can be continued (\`whalemark resume RUN\`) until every trial is measured;
- after the next start nothing of Whalemark is left on the engine or in the data folder, except for kept datasets;
- nothing else is touched: a container, a volume with a file in it, and a network without Whalemark's labels are there before and
  must be the same after;
- the terminal never shows a stack trace.

Each cell below is one real run of the built terminal twin on a real engine, with a real server: two paths to one storage, two rounds. The fault
strikes when the run's journal shows its phase, in trials in round 2. Then come the next start (\`whalemark clean\`, \`history\`) and
\`whalemark resume\`. A cell passes only when all of the above holds and the fault shows the effect that the cell declares: a run that completes
as if nothing had happened fails, unless the cell says that the fault has no effect there. A run that does not end within three minutes fails.

To repeat it: \`npm run test:faults\` (all of it takes two to three hours), \`npm run test:faults -- --fault server-killed --phase measure\` (one cell),
\`-- --only-missing\` (what has not passed yet), \`-- --minutes 20\` (begin no cell after that), \`-- --report\` (only this page). It needs Linux and root,
because it runs on an engine of its own, in a network namespace, with its volumes on a small disk. \`npm run test:full\` has four of the cells on the engine that is there.
`;

interface Cell {
  fault: Fault;
  phase: Moment;
  result: CellResult | undefined;
}

/** The page that the results come to. */
export function reportOf({ cells }: Results): string {
  const cellsOf = (fault: Fault): Cell[] =>
    MOMENTS.filter((phase) => typeof fault.effect(phase) === 'string').map((phase) => ({
      fault,
      phase,
      result: cells.find((cell) => cell.fault === fault.name && cell.phase === phase),
    }));
  const all = FAULTS.flatMap(cellsOf);
  const known = all.flatMap(({ result }) => result ?? []);
  const count = (status: CellResult['status']): number =>
    known.filter((cell) => cell.status === status).length;
  const failed = all.filter(({ result }) => result?.status === 'failed');
  const rows = MATRIX.map((fault) => {
    const own = cellsOf(fault);
    return [fault.title, ...PHASES.map((phase) => cellText(own.find((one) => one.phase === phase)))];
  });
  const others = OTHERS.flatMap(cellsOf).map((cell) => [cell.fault.title, cell.phase, cellText(cell)]);
  return [
    INTRODUCTION,
    '## Results\n',
    `${count('passed')} passed, ${count('no effect')} had no effect, as they declare, ${count('failed')} failed, ${all.length - known.length} not run yet. ${measured(known)}\n`,
    '✓ as promised, ○ struck without any effect, ✗ not as promised, – no such fault in this phase. Next to it: how the run ended, the codes it gave,',
    'how long after the fault it ended, and how many of its trials were measured by then; every run was then continued to its last trial.\n',
    '### In every phase of a run\n',
    table(['fault', ...PHASES], rows),
    '\n### At a moment of their own\n',
    table(['fault', 'when', 'result'], others),
    '',
    ...(failed.length === 0 ? [] : ['## What failed\n', ...failed.map(failureText), '']),
    '## The phases\n',
    ...MOMENTS.map((phase) => `- **${phase}**: ${PHASE_NAMES[phase]}`),
    '\n## The faults, and how they are caused\n',
    ...FAULTS.map(faultText),
    ELSEWHERE,
  ].join('\n');
}

const ELSEWHERE = `
## What is not here

- The app: its utility process and the app itself are killed in \`tests/e2e/kill.spec.ts\`, while a trial is measured; both faces run the same core.
- The sleep of a whole machine, and a jump of its clock, can only be imitated here (above).
- Docker Desktop, macOS and Windows: this page was measured on a Linux engine.
- A disk quota (EDQUOT): the kernel here has no quota format. \`tests/unit/benchmark/target/failure-doctor.test.ts\` has what a server says then.
- A rootless engine: the packages here have no rootlesskit.
- Process ids that macOS or Windows use again after a restart: \`tests/unit/benchmark/machine/owner.test.ts\`.
`;

function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return '–';
  if (cell.result === undefined) return 'not run';
  const { status, outcome, codes, seconds, trials } = cell.result;
  if (status === 'none') return '–';
  if (status === 'impossible') return 'not possible here';
  const kept = trials === null ? [] : [`${trials.kept}/${trials.planned}`];
  const parts = [
    outcome ?? 'not begun',
    ...codes.map((code) => `\`${code}\``),
    `${seconds ?? '?'} s`,
    ...kept,
  ];
  const mark = { passed: '✓', 'no effect': '○ no effect:', failed: '✗' }[status];
  return `${mark} ${parts.join(', ')}`;
}

function failureText({ fault, phase, result }: Cell): string {
  const remarks = result?.remarks ?? [];
  const lines = remarks.map((remark) => `  - ${remark.replace(/\s+/g, ' ').slice(0, 400)}`);
  return [`- **${fault.title}, ${phase}**`, ...lines].join('\n');
}

function faultText(fault: Fault): string {
  const reasons = new Map<string, Moment[]>();
  for (const phase of PHASES) {
    const effect = fault.effect(phase);
    if (typeof effect !== 'string' && effect.none !== '')
      reasons.set(effect.none, [...(reasons.get(effect.none) ?? []), phase]);
  }
  const none = [...reasons].map(([reason, phases]) => `not at ${phases.join(', ')}: ${reason}`);
  return `- **${fault.title}** (\`${fault.name}\`): ${[fault.how, ...none].join('; ')}.`;
}

/** On which engine, and how many cells on which day: older ones are of older code. */
function measured(cells: readonly CellResult[]): string {
  if (cells.length === 0) return '';
  const dates = cells.map(({ date }) => date.slice(0, 10));
  const days = [...new Set(dates)]
    .sort()
    .map((day) => `${dates.filter((one) => one === day).length} on ${day}`);
  const engines = [...new Set(cells.map(({ engine }) => engine))].filter((one) => one !== '').join(', ');
  return `Measured on ${engines}: ${days.join(', ')}.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
