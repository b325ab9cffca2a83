import type { Fault } from './fault.ts';
import { FAULTS, MATRIX, OTHERS } from './matrix.ts';
import { MOMENTS, PHASE_NAMES, PHASES, type Moment } from './phases.ts';
import type { CellResult, Results } from './results.ts';

export const REPORT_FILE = 'docs/dev/reliability.md';

const INTRODUCTION = `# Reliability: what happens when something breaks

Generated from \`docs/dev/reliability-results.json\` by \`npm run test:faults\`; do not edit.

Whatever breaks, and whenever:

- the run ends, or continues without the trial that was hit, and reports a code and a hint;
- trials measured before are kept, unchanged, and shown;
- \`whalemark resume RUN\` measures the missing trials;
- after the next start, nothing of Whalemark is left on the engine or in the data folder, except for cached datasets;
- other users' containers, volumes with files, and network are unchanged, even if a container inherits all of Whalemark's labels from its image;
- the terminal never shows a stack trace.

Each cell is one real run of the built command on a real engine, with a real server. It has one storage type, two network paths, two rounds. The fault
strikes when the run's journal shows its phase; trials are hit in round 2. Then follow the next start (\`whalemark clean\`, \`history\`) and
\`whalemark resume\`. A cell passes only if all of the above holds and the fault has the declared effect. A run that completes
as if nothing had happened fails, unless its cell declares no effect. A run that takes longer than three minutes to end fails, too.

| command | runs |
| --- | --- |
| \`npm run test:faults\` | every cell: two to three hours |
| \`npm run test:faults -- --fault server-killed --phase measure\` | one cell |
| \`npm run test:faults -- --only-missing\` | cells that have not passed yet, or are older than what they exercise |
| \`npm run test:faults -- --minutes 20\` | starts no cell after 20 minutes |
| \`npm run test:faults -- --report\` | none: writes this page |

This needs Linux and root, because it starts another engine in a network namespace, with its volumes on a small disk. \`npm run test:full\` runs four cells on the
engine that is present.
`;

/** Loads run in WebAssembly threads (4a66c3a9), and clones are made by directory (8313e47e). */
const EXERCISED_SINCE = '2026-11-24T16:53:04Z';
const OLDER =
  '† measured before loads ran in WebAssembly threads, tables were cloned by directory, and the container with the labels stood by.\n';

/** Measured before what it exercises was changed. */
export function isOlder({ date }: CellResult): boolean {
  return date < EXERCISED_SINCE;
}

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
    `${count('passed')} passed, ${count('no effect')} had no effect, as declared, ${count('failed')} failed, ${all.length - known.length} not run yet. ${measured(known)}\n`,
    '✓ as promised, ○ no effect, ✗ not as promised, – no such fault in this phase. Each cell shows how the run ended, its codes, the seconds from fault to end,',
    'and how many of its trials were measured by then. Every run was then resumed to its last trial.\n',
    ...(known.some(isOlder) ? [OLDER] : []),
    '### In every phase of a run\n',
    table(['fault', ...PHASES], rows),
    '\n### At other moments\n',
    table(['fault', 'when', 'result'], others),
    '',
    ...(failed.length === 0 ? [] : ['## What failed\n', ...failed.map(failureText), '']),
    '## The phases\n',
    ...MOMENTS.map((phase) => `- **${phase}**: ${PHASE_NAMES[phase]}`),
    '\n## The faults\n',
    table(['fault', 'name', 'how it is caused', 'not at'], FAULTS.map(faultRow)),
    ELSEWHERE,
  ].join('\n');
}

const ELSEWHERE = `
## Not covered

- The app. \`tests/e2e/kill.spec.ts\` kills the app and its utility process during a trial; app and terminal run the same core.
- The sleep of a whole machine and a jump of its clock: both are imitated, see above.
- Docker Desktop, macOS, and Windows: these results are from a Linux engine.
- A disk quota (EDQUOT): this kernel has no quota format. \`tests/unit/benchmark/servers/failure-doctor.test.ts\` covers the server's message.
- A rootless engine: rootlesskit is not available here.
- Process ids that macOS or Windows reuse after a restart: see \`tests/unit/benchmark/host/owner.test.ts\`.
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
  return `${mark} ${parts.join(', ')}${isOlder(cell.result) ? ' †' : ''}`;
}

function failureText({ fault, phase, result }: Cell): string {
  const remarks = result?.remarks ?? [];
  const lines = remarks.map((remark) => `  - ${remark.replace(/\s+/g, ' ').slice(0, 400)}`);
  return [`- **${fault.title}, ${phase}**`, ...lines].join('\n');
}

function faultRow(fault: Fault): string[] {
  const reasons = new Map<string, Moment[]>();
  for (const phase of PHASES) {
    const effect = fault.effect(phase);
    if (typeof effect !== 'string' && effect.none !== '')
      reasons.set(effect.none, [...(reasons.get(effect.none) ?? []), phase]);
  }
  const none = [...reasons].map(([reason, phases]) => `${phases.join(', ')}: ${reason}`);
  return [fault.title, `\`${fault.name}\``, fault.how, none.join('; ')];
}

/** On which engine, and how many cells on which day: older ones are of older code. */
function measured(cells: readonly CellResult[]): string {
  if (cells.length === 0) return '';
  const dates = cells.map(({ date }) => date.slice(0, 10));
  const days = [...new Set(dates)]
    .sort()
    .map((day) => `${dates.filter((one) => one === day).length} on ${day}`);
  const engines = [...new Set(cells.map(({ engine }) => engine))].filter((one) => one !== '').join(', ');
  const commits = [...new Set(cells.flatMap(({ commit }) => commit ?? []))].join(', ');
  return `Measured on ${engines}: ${days.join(', ')}${commits === '' ? '' : `; commits ${commits}`}.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
