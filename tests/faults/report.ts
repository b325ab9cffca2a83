import type { Fault } from './fault.ts';
import { FAULTS } from './matrix.ts';
import { PHASE_NAMES, PHASES, type Phase } from './phases.ts';
import type { CellResult, Results } from './results.ts';

export const REPORT_FILE = 'docs/reliability.md';

const INTRODUCTION = `# Reliability: what happens when something breaks

Generated from \`docs/reliability-results.json\` by \`npm run test:faults\`; do not edit.

Whatever breaks, and whenever:

- the run ends, or goes on without the trial that was struck, and says what happened with a code and a hint;
- trials that were measured before are kept, unchanged, and shown;
- the run can be continued (\`whalemark continue RUN\`) until every trial is measured;
- after the next start nothing of ours is left on the engine or in the data folder, kept datasets aside;
- nothing of anybody else's is touched: a container, a volume with a file in it and a network without our labels are there before and
  must be the same after.

Each cell below is one real run of the built terminal twin on a real engine, with a real server: two paths to one storage, two rounds. The fault
strikes when the run's journal tells of its phase, in trials in round 2. Then come the next start (\`whalemark clean\`, \`history\`) and
\`whalemark continue\`. A cell passes only when all of the above holds; a run that does not end within three minutes fails.

To repeat it: \`npm run test:faults\` (all of it takes an hour or two), \`npm run test:faults -- --fault server-killed --phase measure\` (one cell),
\`-- --only-missing\` (what has not passed yet), \`-- --minutes 20\` (begin no cell after that), \`-- --report\` (only this page). It needs Linux and root,
for it runs on an engine of its own, in a network namespace, with its volumes on a small disk. \`npm test\` has four of the cells on the engine that is there.
`;

/** The page that the results come to. */
export function reportOf({ cells }: Results): string {
  const find = (fault: Fault, phase: Phase): CellResult | undefined =>
    cells.find((cell) => cell.fault === fault.name && cell.phase === phase);
  const rows = FAULTS.map((fault) => [
    fault.title,
    ...PHASES.map((phase) => cellText(fault, phase, find(fault, phase))),
  ]);
  const all = FAULTS.flatMap((fault) => PHASES.map((phase) => ({ fault, phase, cell: find(fault, phase) })));
  const count = (status: CellResult['status']): number =>
    all.filter(({ cell }) => cell?.status === status).length;
  const missing = all.filter(
    ({ fault, phase, cell }) => cell === undefined && typeof fault.effect(phase) === 'string',
  );
  const failed = all.flatMap(({ fault, phase, cell }) =>
    cell?.status === 'failed' ? [{ fault, phase, cell }] : [],
  );
  return [
    INTRODUCTION,
    '## The matrix\n',
    `${count('passed')} passed, ${count('failed')} failed, ${missing.length} not run yet. ${measured(cells)}\n`,
    table(['fault', ...PHASES], rows),
    '\n✓ as promised, ✗ not, – no such fault in this phase. Beside it: how the run ended, the codes it gave, how long after the fault it ended, and how',
    'many trials were kept of all; every run was then continued to its last trial.\n',
    ...(failed.length === 0 ? [] : ['## What failed\n', ...failed.map(failureText), '']),
    '## The phases\n',
    ...PHASES.map((phase) => `- **${phase}**: ${PHASE_NAMES[phase]}`),
    '\n## The faults, and how they are inflicted\n',
    ...FAULTS.map(faultText),
    '\n## What is not here\n',
    '- The app: its utility process and the app itself are killed in `tests/e2e/kill.spec.ts`, while a trial is measured; both faces run the same core.',
    '- The sleep of a whole machine, and a jump of its clock, can only be imitated here (above).',
    '- Docker Desktop, macOS and Windows: this page was measured on a Linux engine.',
    '',
  ].join('\n');
}

function cellText(fault: Fault, phase: Phase, cell: CellResult | undefined): string {
  if (typeof fault.effect(phase) !== 'string') return '–';
  if (cell === undefined) return 'not run';
  if (cell.status === 'none' || cell.status === 'impossible') return '–';
  const { status, outcome, codes, seconds, trials } = cell;
  const kept = trials === null ? [] : [`${trials.kept}/${trials.planned}`];
  const parts = [outcome ?? 'ended', ...codes.map((code) => `\`${code}\``), `${seconds ?? '?'} s`, ...kept];
  return `${status === 'passed' ? '✓' : '✗'} ${parts.join(', ')}`;
}

function failureText({ fault, phase, cell }: { fault: Fault; phase: Phase; cell: CellResult }): string {
  const lines = cell.remarks.map((remark) => `  - ${remark.replace(/\s+/g, ' ').slice(0, 400)}`);
  return [`- **${fault.title}, ${phase}**`, ...lines].join('\n');
}

function faultText(fault: Fault): string {
  const reasons = new Map<string, Phase[]>();
  for (const phase of PHASES) {
    const effect = fault.effect(phase);
    if (typeof effect !== 'string') reasons.set(effect.none, [...(reasons.get(effect.none) ?? []), phase]);
  }
  const none = [...reasons].map(([reason, phases]) => `not at ${phases.join(', ')}: ${reason}`);
  return `- **${fault.title}** (\`${fault.name}\`): ${[fault.how, ...none].join('; ')}.`;
}

function measured(cells: readonly CellResult[]): string {
  const dates = cells.map(({ date }) => date.slice(0, 10)).sort();
  const engines = [...new Set(cells.map(({ engine }) => engine))].join(', ');
  if (dates.length === 0) return '';
  const [first, last] = [dates[0], dates.at(-1)];
  return `Measured on ${engines}, ${first === last ? String(first) : `${String(first)} to ${String(last)}`}.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
