/**
 * Every command that README.md, CONTRIBUTING.md, SECURITY.md and docs/ show, and what executes it. The one source for
 * tests/unit/docs/commands.test.ts, which demands that it is complete, and tests/integration/cli/documented-commands.test.ts.
 */
export type Execution = { [Kind in keyof Kinds]: { how: Kind } & Kinds[Kind] }[keyof Kinds];

interface Kinds {
  /** The terminal twin; commands.test.ts executes it, in this order, in a folder and a data folder of its own, without an engine. */
  here: TwinRun;
  /** The terminal twin with the build's files and the real engine; documented-commands.test.ts executes it. */
  engine: TwinRun;
  /** A line that any shell of Linux executes at the root of the repository; commands.test.ts does. */
  shell: { says: RegExp };
  /** A script of package.json with `append` behind it; documented-commands.test.ts executes it at the root of the repository. */
  npm: { append?: readonly string[]; says: RegExp };
  /** Part of `npm test` or of a workflow: this file has this text, which starts the same. */
  by: { file: string; contains: string };
  /** The name of a command within a sentence; `of` is executed. */
  mention: { of: string };
  /** Nobody of us may or can execute it, for this reason. */
  shown: { why: string };
}

export interface TwinRun {
  /** What stands in the command in capitals or as an example, and what is put there; `places` of the tests have the values. */
  fill?: Readonly<Record<string, Place>>;
  /** Makes a run of seconds of one of minutes; the last of two equal options counts. */
  append?: readonly string[];
  /** What it reads from its standard input: a file of the repository. */
  input?: string;
  /** On stdout or stderr. */
  says: RegExp;
}

/** What a test puts where a command has a placeholder. */
export type Place =
  | 'preset'
  | 'preset file'
  | 'workload'
  | 'ended early'
  | 'context'
  | 'result'
  | 'other result'
  | 'kept preset';

/** Stands in `append` for a folder that the test takes away again. */
export const FOLDER = '<folder>';

const TRIAL = ['--rounds', '1', '--warmup', '0', '--duration', '1', '--set', 'noiseFloor=false'];
/** Up in half of MySQL's time, a thousand rows. */
const SERVER = ['--set', 'server.image=mariadb:11.8', '--set', 'server.settings.redoLogMiB=64'];
const POOL = ['--set', 'server.settings.bufferPool=64'];
const TABLES = ['--set', 'workload.tables=1', '--set', 'workload.tableSize=1000'];
const ONE_SCENARIO = ['--set', 'grid={"storages":["named-volume"],"paths":["published-port"]}'];
/** One scenario of `compare-my-setup`, or of a copy of it, for a second. */
const COMPARE = ['--short', ...TRIAL, ...SERVER, ...POOL, ...TABLES, ...ONE_SCENARIO];
/** One scenario of the storage experiment, in memory. */
const ORACLE = [
  ...[...TRIAL, ...SERVER, ...TABLES],
  ...['--set', 'regimes={"in-memory":{"name":"In memory","bufferPool":64}}'],
  ...['--set', 'scenarios=[{"storage":"named-volume","path":"host-network"}]'],
  ...['--set', 'baseline=named-volume.host-network'],
];
const ORACLE_REFERENCE = [
  '--set',
  'reference={"id":"oracle-2016-storage","cells":{"named-volume.host-network.in-memory":"volume.host.in-memory"}}',
];
/** One scenario of the network experiment. */
const PERCONA = [
  ...[...TRIAL, ...SERVER, ...POOL, ...TABLES],
  ...['--set', 'grid={"storages":["named-volume"],"paths":["published-port"],"drivers":["sysbench"]}'],
  ...['--set', 'scenarios=[]', '--set', 'baseline=named-volume.published-port.sysbench'],
  '--set',
  'reference={"id":"percona-2016-network-paths","cells":{"named-volume.published-port.sysbench":"port-forward"}}',
];

const RESULT = { RESULT: 'result' } as const;
const PLAN = /Takes about/;
const DONE = /Result: /;

const unit: Execution = { how: 'by', file: 'scripts/test.mjs', contains: "vitest('unit')" };
/** With 300 cases a target; a call with a target goes through scripts/fuzz.mjs itself. */
const fuzz: Execution = { how: 'by', file: 'scripts/test.mjs', contains: "vitest('fuzz')" };
const integration: Execution = { how: 'by', file: 'scripts/test.mjs', contains: "vitest('integration')" };
const endToEnd: Execution = {
  how: 'by',
  file: 'scripts/test.mjs',
  contains: "tool('@playwright/test', 'playwright'), 'test'",
};
const types: Execution = {
  how: 'by',
  file: 'package.json',
  contains:
    '"types": "tsc --noEmit && svelte-check --tsconfig src/renderer/tsconfig.json --fail-on-warnings"',
};
const everything: Execution = { how: 'by', file: '.ci/run', contains: '\nnpm test\n' };
const sampled: Execution = {
  how: 'by',
  file: 'tests/integration/faults/sample.test.ts',
  contains: 'npm run test:faults',
};
const packaged: Execution = {
  how: 'by',
  file: 'tests/e2e/support/package.ts',
  contains: 'scripts/package.mjs',
};
const measures: Execution = {
  how: 'shown',
  why: 'measures for minutes to hours on a machine that does nothing else; `npm run types` checks its code, and tests/unit/bench what it works out',
};

export const DOCUMENTED_COMMANDS: Readonly<Record<string, Execution>> = {
  // The terminal twin without an engine, in an order in which each finds what the ones before it have made.
  'whalemark --help': { how: 'here', says: /Exit codes: 0 done/ },
  'whalemark --version': { how: 'here', says: /^\d+\.\d+\.\d+$/m },
  'whalemark presets': { how: 'here', says: /oracle-2016-storage/ },
  'whalemark presets show nfs-vs-local': { how: 'here', says: /^id: nfs-vs-local$/m },
  'whalemark presets duplicate compare-my-setup mine': { how: 'here', says: /Kept as mine\./ },
  'whalemark presets export mine mine.yaml': { how: 'here', says: /mine is in mine\.yaml\./ },
  'whalemark presets remove mine': { how: 'here', says: /mine is removed\./ },
  'whalemark presets import mine.yaml': { how: 'here', says: /Kept as mine\./ },
  'whalemark presets remove ID': { how: 'here', fill: { ID: 'kept preset' }, says: /mine is removed\./ },
  'whalemark import sysbench.log': { how: 'here', says: /Stored: / },
  'whalemark import -': { how: 'here', input: 'tests/fixtures/sysbench/0.5.txt', says: /Stored: / },
  'whalemark history': {
    how: 'here',
    says: /sysbench\.log[\s\S]*pasted text|pasted text[\s\S]*sysbench\.log/,
  },
  'whalemark compare A B': {
    how: 'here',
    fill: { A: 'result', B: 'other result' },
    says: /named-volume\.published-port|named volume/i,
  },
  'whalemark analyse whalemark-report/result.json': { how: 'here', says: /published port/i },
  'whalemark report RESULT --format html --out report.html': {
    how: 'here',
    fill: RESULT,
    says: /Written: report\.html/,
  },
  'whalemark report RESULT --format json --out result.whalemark': {
    how: 'here',
    fill: RESULT,
    says: /Written: result\.whalemark/,
  },
  'whalemark report whalemark-report/result.json --format png --out card.png': {
    how: 'here',
    says: /Written: card\.png/,
  },
  'whalemark report whalemark-report/result.json --format html --language zh-CN --out report.html': {
    how: 'here',
    says: /Written: report\.html/,
  },

  // With the real engine.
  'whalemark doctor': { how: 'engine', says: /●/ },
  'whalemark doctor --json': { how: 'engine', says: /"passport"/ },
  'whalemark diagnostics': { how: 'engine', says: /### Whalemark diagnostics/ },
  'whalemark diagnostics --out report.md': { how: 'engine', says: /Written to report\.md/ },
  'whalemark licences': { how: 'engine', says: /Apache License 2\.0/ },
  'whalemark plan compare-my-setup': { how: 'engine', says: PLAN },
  'whalemark plan compare-my-setup --short': { how: 'engine', says: PLAN },
  'whalemark plan oracle-2016-storage --short': { how: 'engine', says: PLAN },
  'whalemark plan PRESET': { how: 'engine', fill: { PRESET: 'preset' }, says: PLAN },
  'whalemark plan FILE': { how: 'engine', fill: { FILE: 'preset file' }, says: PLAN },
  'whalemark plan mine.yaml': { how: 'engine', fill: { 'mine.yaml': 'preset file' }, says: PLAN },
  'whalemark plan my.yaml': { how: 'engine', fill: { 'my.yaml': 'preset file' }, says: PLAN },
  'whalemark run my.yaml --rounds 2 --duration 2 --warmup 1': {
    how: 'engine',
    fill: { 'my.yaml': 'preset file' },
    append: COMPARE,
    says: DONE,
  },
  'whalemark plan my-comparison': { how: 'engine', fill: { 'my-comparison': 'kept preset' }, says: PLAN },
  'whalemark plan my-comparison.yaml': {
    how: 'engine',
    fill: { 'my-comparison.yaml': 'preset file' },
    says: PLAN,
  },
  'whalemark plan compare-my-setup --set workload.kind=oltp_my_mix': {
    how: 'engine',
    fill: { oltp_my_mix: 'workload' },
    says: PLAN,
  },
  'whalemark run compare-my-setup --short': { how: 'engine', append: COMPARE, says: DONE },
  'whalemark run compare-my-setup --out whalemark-report': { how: 'engine', append: COMPARE, says: DONE },
  'whalemark run compare-my-setup --rounds 7 --duration 10 --threads 16 --image mysql:9': {
    how: 'engine',
    // Of the image that it names.
    append: [
      '--short',
      ...TRIAL,
      ...POOL,
      '--set',
      'server.settings.redoLogMiB=64',
      ...TABLES,
      ...ONE_SCENARIO,
    ],
    says: DONE,
  },
  'whalemark run compare-my-setup --until-settled 30': {
    how: 'engine',
    // One round: nothing that could be settled goes on for half an hour.
    append: COMPARE,
    says: DONE,
  },
  'whalemark run compare-my-setup --option --innodb-io-capacity=2000 --option --innodb-flush-method=fsync': {
    how: 'engine',
    append: COMPARE,
    says: DONE,
  },
  'whalemark run compare-my-setup --config ./my.cnf': { how: 'engine', append: COMPARE, says: DONE },
  'whalemark run compare-my-setup --set workload.kind=oltp_write_only --set server.settings.bufferPool=10%': {
    how: 'engine',
    // A tenth of the preset's own tables, on its own server.
    append: ['--short', ...TRIAL, ...ONE_SCENARIO],
    says: DONE,
  },
  'whalemark run my-comparison': {
    how: 'engine',
    fill: { 'my-comparison': 'kept preset' },
    append: COMPARE,
    says: DONE,
  },
  'whalemark run PRESET --context NAME': {
    how: 'engine',
    fill: { PRESET: 'preset', NAME: 'context' },
    append: COMPARE,
    says: DONE,
  },
  'whalemark run oracle-2016-storage --short': {
    how: 'engine',
    append: [...ORACLE, ...ORACLE_REFERENCE],
    says: DONE,
  },
  'whalemark run oracle-2016-storage --short --ramp 1,4,16': { how: 'engine', append: ORACLE, says: DONE },
  'whalemark run percona-2016-network-paths --short --driver sysbench': {
    how: 'engine',
    append: PERCONA,
    says: DONE,
  },
  'whalemark continue RUN': { how: 'engine', fill: { RUN: 'ended early' }, says: /Going on: / },
  'whalemark clean': { how: 'engine', says: /Nothing was left behind|removed / },
  'whalemark clean --datasets': { how: 'engine', says: /removed volume whalemark-dataset-/ },

  // Names of commands.
  whalemark: { how: 'mention', of: 'whalemark --help' },
  'whalemark X': { how: 'mention', of: 'whalemark doctor' },
  'whalemark plan': { how: 'mention', of: 'whalemark plan compare-my-setup' },
  'whalemark run': { how: 'mention', of: 'whalemark run compare-my-setup --short' },
  'whalemark continue': { how: 'mention', of: 'whalemark continue RUN' },
  'whalemark diagnostics --out': { how: 'mention', of: 'whalemark diagnostics --out report.md' },
  'node scripts/test.mjs NAME…': {
    how: 'mention',
    of: 'node scripts/test.mjs format lint types unit fuzz build',
  },

  // Scripts.
  'npm run setup -- --needs modules': { how: 'npm', says: /modules/ },
  'npm run fuzz': fuzz,
  'npm run fuzz -- --cases 500': fuzz,
  'npm run fuzz -- preset-round-trip': { how: 'npm', append: ['--cases', '2'], says: /preset-round-trip/ },
  'npm test': everything,
  'npm ci': { how: 'by', file: '.ci/run', contains: '\nnpm ci ' },
  'node scripts/test.mjs format lint types unit fuzz build': {
    how: 'by',
    file: '.github/workflows/check.yml',
    contains: 'run: node scripts/test.mjs format lint types unit fuzz build',
  },
  'node scripts/test.mjs integration "end to end"': {
    how: 'by',
    file: 'scripts/test.mjs',
    contains: "['end to end', endToEnd]",
  },
  'npm run types': { how: 'by', file: 'scripts/test.mjs', contains: "'npm', 'run', '--silent', 'types'" },
  'npm run build': { how: 'by', file: 'scripts/test.mjs', contains: "'scripts/build.mjs'" },
  'npm run audit': { how: 'by', file: '.github/workflows/audit.yml', contains: 'run: npm run audit' },
  'npm run schema': {
    how: 'by',
    file: 'tests/unit/shared/preset/preset-schema.test.ts',
    contains: 'toMatchFileSnapshot',
  },
  'npm run test:statistics': unit,
  'npm run test:faults': sampled,
  'npm run test:faults -- --only-missing': sampled,
  'npm run test:faults -- --fault server-killed --phase measure': sampled,
  'npm run package': {
    how: 'by',
    file: '.github/workflows/package.yml',
    contains: '          npm run package\n',
  },
  'npm run package -- --linux tar.gz --x64': packaged,
  'npm run package -- --dir': packaged,
  'npm run package:npm': {
    how: 'npm',
    append: ['--', '--out', FOLDER],
    says: /whalemark-\d+\.\d+\.\d+\.tgz/,
  },
  'npx tsc --noEmit -p .': types,
  'npx svelte-check --tsconfig src/renderer/tsconfig.json --fail-on-warnings': types,
  'npx vitest run --project unit tests/unit/shared/words/units.test.ts': unit,
  'npx vitest run --project unit -t "part of a title"': unit,
  'npx vitest run --project unit tests/unit/benchmark/target/support.test.ts': unit,
  'npx vitest run --project unit tests/unit/shared tests/unit/renderer/palette.test.ts': unit,
  'npx vitest run --project unit tests/unit/benchmark/runtime': unit,
  'npx vitest run --project unit tests/unit/benchmark/target/support.test.ts tests/unit/shared/docker/docker-trouble.test.ts tests/unit/shared/words/spoken.test.ts':
    unit,
  'npx vitest run --project unit tests/unit/benchmark/target tests/unit/benchmark/dataset/clone.test.ts':
    unit,
  'npx vitest run --project unit tests/unit/shared/words tests/unit/shared/reproduce tests/unit/shared/preset tests/unit/shared/wizard':
    unit,
  'npx vitest run --project unit tests/unit/renderer/palette.test.ts tests/unit/docs/guides.test.ts': unit,
  'npx vitest run --project unit tests/unit/shared': unit,
  'npx vitest run --project unit tests/unit/benchmark/load': unit,
  'npx vitest run --project unit tests/unit/benchmark/dataset/dataset-key.test.ts': unit,
  'npx vitest run --project integration tests/integration/run/run.test.ts': integration,
  'npx vitest run --project integration tests/integration/dataset/dataset-clone.test.ts': integration,
  'npx vitest run --project load tests/integration/load/workloads.test.ts': integration,
  'env $(npm run --silent setup) npx vitest run --project integration tests/integration/run/native.test.ts':
    integration,
  'env $(npm run --silent setup) xvfb-run -a npx playwright test tests/e2e/settings.spec.ts': endToEnd,
  'npx playwright test --grep-invert @engine': endToEnd,

  // Shell.
  'grep -rn "unix-socket" src tests docs': { how: 'shell', says: /src\/shared\/model\/names\.ts/ },
  'grep -rn "ingress" src tests docs': { how: 'shell', says: /src\/benchmark\/run\/servers/ },
  'grep -rniE "colima|orbstack" src tests docs': { how: 'shell', says: /src\/benchmark\/runtime/ },
  'grep -rn "anonymous-volume" src presets tests docs': { how: 'shell', says: /src\/benchmark\/target/ },
  'grep -rn "tmpfs" src presets tests docs': { how: 'shell', says: /src\/benchmark\/target/ },
  [`grep -rnE "'(native|external)'" src --include=*.ts --include=*.svelte`]: {
    how: 'shell',
    says: /src\/benchmark/,
  },
  'grep -rn "oltp_complex" src tests docs presets': { how: 'shell', says: /src\/benchmark\/load/ },
  [`grep -rnE "isTpcc|'tpcc'" src tests scripts`]: { how: 'shell', says: /src\/shared\/model/ },
  'printf %s colima | sha256sum': { how: 'shell', says: /^[0-9a-f]{64} / },

  // Shown only.
  'npm start': {
    how: 'shown',
    why: 'installs what is missing and opens a window until somebody closes it; end-to-end tests start the same program, and the twin runs what it runs without a display',
  },
  'npm run soak': measures,
  'npm run soak -- --minutes 10': measures,
  'npm run soak -- --minutes N': measures,
  'npm run soak -- --cycles 200': measures,
  'npm run bench:aa': measures,
  'npm run bench:driver': measures,
  'npm run bench:profile': measures,
  'npm run bench:growth': measures,
  'npm run bench:prepare': measures,
  'npm run bench:overhead': measures,
  'npm run bench:observer': measures,
  'npm run bench:ui': measures,
  'npm run bench:startup': measures,
  'npm run screenshots': { how: 'shown', why: 'replaces the pictures of docs/ by those of a run of its own' },
  'npm run example': {
    how: 'shown',
    why: 'replaces the example result of the app by that of a run of its own',
  },
  'npm version 1.2.3 --no-git-tag-version': { how: 'shown', why: 'changes the version of this repository' },
  'curl --silent --unix-socket SOCKET http://localhost/version > version.json': {
    how: 'shown',
    why: 'for a machine that has another runtime; the twin asks every engine the same',
  },
  'curl --silent --unix-socket SOCKET http://localhost/info > info.json': {
    how: 'shown',
    why: 'for a machine that has another runtime; the twin asks every engine the same',
  },
  'docker run --rm -e MYSQL_ALLOW_EMPTY_PASSWORD=yes IMAGE --innodb-buffer-pool-size=64M --YOUR-OPTION=VALUE':
    {
      how: 'shown',
      why: 'an image and an option of the reader’s; the server runs until somebody stops it',
    },
};

/** The words of a `whalemark` command behind its name, with what the test puts in the places of its placeholders. */
export function twinArguments(
  command: string,
  run: TwinRun,
  places: Readonly<Record<Place, string>>,
): string[] {
  const filled = command
    .split(' ')
    .slice(1)
    .map((word) => {
      const [placeholder, place] =
        Object.entries(run.fill ?? {}).find(([name]) => word === name || word.endsWith(`=${name}`)) ?? [];
      return placeholder === undefined || place === undefined
        ? word
        : word.replace(placeholder, places[place]);
    });
  return [...filled, ...(run.append ?? [])];
}
