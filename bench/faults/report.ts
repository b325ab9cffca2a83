import type { Fault } from './fault.ts';
import { tableOf } from '../lib/table.ts';
import { FAULTS } from './matrix.ts';
import { MOMENTS, PHASE_NAMES, type Moment } from './phases.ts';
import type { CellResult, Results } from './results.ts';

export const REPORT_FILE = 'docs/dev/reliability.md';

const INTRODUCTION = `# Reliability: what happens when something breaks

Generated from \`docs/dev/reliability-results.json\` by \`npm run test:faults\`; do not edit.

Whatever breaks, and whenever:

- the run ends, or continues without the trial that was hit, and reports a code and a hint;
- trials measured before are kept, unchanged, and shown;
- \`whalemark resume RUN\` keeps whole rounds, and measures the others;
- after the next start, nothing of Whalemark is left on the engine or in the data folder, except for cached datasets;
- other users' containers, volumes with files, and networks are unchanged;
- the terminal never shows a stack trace.

A cell is a fault in one phase of a real run of the built command, with two paths and two rounds.
Then follow the next start (\`whalemark clean\`, \`history\`) and \`whalemark resume\`.
A cell passes only if all of the above holds, and the fault has its declared effect.
The run has to end within three minutes, in a virtual machine within fifteen.
[\`bench/faults\`](../../bench/faults/matrix.ts) describes every fault and how it is caused.
[The results](reliability-results.json) have a line per cell: outcome, codes, trials kept, seconds from fault to end.

| command | runs |
| --- | --- |
| \`npm run test:faults\` | every cell on this machine's kernel: two to three hours |
| \`npm run test:faults -- --vm\` | every cell of a virtual machine ([testing](testing.md#other-engines)) |
| \`npm run test:faults -- --fault server-killed --phase measure\` | one cell |
| \`npm run test:faults -- --only-missing\` | cells that haven't passed since what they exercise changed |
| \`npm run test:faults -- --report\` | none: writes this page |

This needs Linux and root, because it starts another engine with its volumes on a small disk.
\`npm run test:full\` runs six cells on the engine that is present.
`;

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

/** The page that the results come to. */
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
    INTRODUCTION,
    '## Results\n',
    `${having('passed').length} passed, ${having('no effect').length} had no effect, as declared, ${having('failed').length} failed, ${all.length - known.length} not run yet.`,
    measured(known),
    ...(older === 0 ? [] : [`${older} are ${OLDER}.`]),
    '',
    tableOf([['phase', 'the fault strikes', 'as declared'], ...phases]),
    '\n### No effect, as declared\n',
    ...having('no effect').map(({ fault, phase }) => `- ${fault.title}, ${phase}`),
    ...(having('failed').length === 0 ? [] : ['\n### Failed\n', ...having('failed').map(failureText)]),
    ELSEWHERE,
  ].join('\n');
}

const ELSEWHERE = `
## Not covered

- The app. \`tests/e2e/kill.spec.ts\` kills the app and its utility process during a trial; app and terminal run the same core.
- The sleep of a whole machine and a jump of its clock: both are imitated, and happen to a virtual machine for real.
- Docker Desktop, macOS, and Windows.
- A disk quota (EDQUOT): this kernel has no quota format. \`tests/unit/benchmark/servers/failure-doctor.test.ts\` covers the server's message.
- A virtual machine without memory, and its share that turns read-only under open files: neither could be brought about in time.
- A rootless engine: rootlesskit is not available here.
- Process IDs that macOS or Windows reuse after a restart: see \`tests/unit/benchmark/owners/owner.test.ts\`.
`;

function failureText({ fault, phase, result }: Cell): string {
  const { outcome = null, codes = [], remarks = [] } = result ?? {};
  const came = [outcome ?? 'not begun', ...codes.map((code) => `\`${code}\``)].join(', ');
  const lines = remarks.map((remark) => `  - ${remark.replace(/\s+/g, ' ').slice(0, 400)}`);
  return [`- **${fault.title}, ${phase}**: ${came} (${fault.how})`, ...lines].join('\n');
}

/** On which engine, and how many cells on which day: older ones are of older code. */
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
