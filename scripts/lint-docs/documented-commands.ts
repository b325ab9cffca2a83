/** Every terminal command of the pages; tests/integration/cli/documented-commands.test.ts executes each. */
export type Execution = { how: 'here' | 'engine' } & TwinRun;

export interface TwinRun {
  /** Placeholders of the command with the test's values. */
  fill?: Readonly<Record<string, Place>>;
  /** Options that shorten a run to seconds; the last of two equal options counts. */
  append?: readonly string[];
  /** A file for standard input. */
  input?: string;
  /** A match in stdout or stderr. */
  says: RegExp;
  /** Default: 0. */
  exitCode?: number;
}

export type Place =
  'preset file' | 'ended early' | 'result' | 'other result' | 'kept preset' | 'MySQL image' | 'MariaDB image';

const TURN = [
  ...['--set', 'schedule={"rounds":1,"warmupSeconds":0,"durationSeconds":1,"sliceSeconds":1}'],
  ...['--set', 'aaCheck=false'],
];
/** MariaDB starts in half of MySQL's time; tables have a thousand rows. */
const LOG = ['--set', 'server.settings.redoLogMiB=64'];
const SERVER = ['--set', 'server.image=mariadb:11.8', ...LOG];
const POOL = ['--set', 'server.settings.bufferPool=64'];
const TABLES = ['--set', 'workload.tables=1', '--set', 'workload.tableSize=1000'];
const ONE_SCENARIO = ['--set', 'grid={"storages":["named-volume"],"paths":["published-port"]}'];
const TWO_STORAGES = ['--set', 'grid={"storages":["named-volume","bind-mount"],"paths":["published-port"]}'];
const COMPARE = [...TURN, ...SERVER, ...POOL, ...TABLES, ...ONE_SCENARIO];
const ORACLE = [
  ...[...TURN, ...SERVER, ...TABLES],
  ...['--set', 'bufferPools={"in-memory":{"name":"In memory","bufferPool":64}}'],
  ...['--set', 'scenarios=[{"storage":"named-volume","path":"host-network"}]'],
  ...['--set', 'baseline=named-volume.host-network'],
];
const ORACLE_REFERENCE = [
  '--set',
  'reference={"id":"oracle-2016-storage","cells":{"named-volume.host-network.in-memory":"volume.host.in-memory"}}',
];
const TASK = ['--set', 'schedule.rounds=1', '--set', 'aaCheck=false'];

const COMPARED = { how: 'here', fill: { A: 'result', B: 'other result' } } as const;

const PLAN = /Takes (about|at most)/;
const DONE = /Result: /;
/** One round: nothing can be faster. */
const NOT_FASTER = /No change was written/;

const each = (execution: Execution, ...commands: string[]): Record<string, Execution> =>
  Object.fromEntries(commands.map((command) => [command, execution]));

export const DOCUMENTED_COMMANDS: Readonly<Record<string, Execution>> = {
  // Each command finds what the ones before it have made.
  'whalemark --help': { how: 'here', says: /Exit codes: 0 done/ },
  'whalemark --version': { how: 'here', says: /^\d+\.\d+\.\d+$/m },
  'whalemark setup --image mysql:8.4 --env MYSQL_ROOT_PASSWORD=test --tmpfs /var/lib/mysql': {
    how: 'here',
    says: /Storage: tmpfs/,
  },
  'whalemark presets': { how: 'here', says: /oracle-2016-storage/ },
  'whalemark presets duplicate docker-options mine': { how: 'here', says: /Saved as mine\./ },
  'whalemark presets export mine mine.yaml': { how: 'here', says: /Saved: mine\.yaml/ },
  'whalemark presets remove mine': { how: 'here', says: /Removed: mine/ },
  'whalemark presets import mine.yaml': { how: 'here', says: /Saved as mine\./ },
  'whalemark presets remove ID': { how: 'here', fill: { ID: 'kept preset' }, says: /Removed: mine/ },
  'whalemark import sysbench.log': { how: 'here', says: /^Run +Threads +TPS/m },
  'whalemark import -': { how: 'here', input: 'tests/fixtures/sysbench/0.5.txt', says: /^1\. oltp /m },
  'whalemark mcp': { how: 'here', input: 'tests/fixtures/agents/initialize.jsonl', says: /"serverInfo"/ },
  'whalemark history': { how: 'here', says: /^20260601-093000-a1b2 /m },
  'whalemark compare results/': { how: 'here', says: /^ana +│? *[├●○]/m },
  'whalemark compare results/ -o board.html': { how: 'here', says: /Saved: board\.html/ },
  'whalemark analyze whalemark-report/result.json': { how: 'here', says: /published port/i },
  "whalemark analyze whalemark-report/result.json --fail-if 'path.published-port>1.3'": {
    how: 'here',
    says: /path\.published-port>1\.3 is false/,
  },
  "whalemark compare A B --fail-if 'slower>1.1'": { ...COMPARED, says: /slower>1\.1 is false/ },
  // The test looks for the files that these commands name.
  ...each(
    { how: 'here', fill: { RESULT: 'result' }, says: /Saved: / },
    'whalemark report RESULT html --output report.html',
    'whalemark report RESULT json --output result.whalemark',
    'whalemark report whalemark-report/result.json png --output card.png',
    'whalemark report whalemark-report/result.json html --language zh-CN --output report.zh-CN.html',
  ),

  'whalemark setup': { how: 'engine', says: /^db: MariaDB/m },
  'whalemark setup compose.yaml --service db --run --quick --allow database-folder': {
    how: 'engine',
    append: [...TURN, ...TABLES, ...POOL],
    says: DONE,
  },
  'whalemark setup compose.yaml --service db --override --allow database-folder': {
    how: 'engine',
    append: ['--quick', ...TURN, ...TABLES, ...POOL],
    says: NOT_FASTER,
  },
  ...each(
    { how: 'engine', append: ['--plan'], says: PLAN },
    'whalemark time ready',
    'whalemark time ready --setup compose.yaml --override',
    'whalemark time migrations',
    'whalemark time reset',
    'whalemark time import dump.sql.gz',
  ),
  'whalemark time --setup compose.yaml --override import dump.sql.gz': {
    how: 'engine',
    append: [...TASK, '--allow', 'database-folder'],
    says: NOT_FASTER,
  },
  ...each(
    {
      how: 'engine',
      fill: { 'mysql:8.4': 'MySQL image', 'mariadb:11.8': 'MariaDB image' },
      append: ['--plan'],
      says: /Server MariaDB /,
    },
    'whalemark time --image mysql:8.4 --image mariadb:11.8 import dump.sql.gz',
    'whalemark time --setup compose.yaml --image mysql:8.4 --image mariadb:11.8 import dump.sql.gz',
  ),
  'whalemark time migrations --storage bind-mount --storage tmpfs --change relaxed-flush': {
    how: 'engine',
    append: TASK,
    says: DONE,
  },
  'whalemark doctor': { how: 'engine', says: /●/ },
  'whalemark doctor --json': { how: 'engine', says: /"passport"/ },
  'whalemark doctor --output report.md': { how: 'engine', says: /Saved: report\.md/ },
  'whalemark licenses': { how: 'engine', says: /Apache License 2\.0/ },
  ...each(
    {
      how: 'engine',
      fill: {
        'mine.yaml': 'preset file',
        'my-comparison': 'kept preset',
        'my-comparison.yaml': 'preset file',
      },
      says: PLAN,
    },
    'whalemark setup compose.yaml --service db --plan',
    'whalemark time --plan -- php artisan migrate',
    'whalemark time --plan --before schema.sql -- php artisan db:seed',
    'whalemark plan docker-options',
    'whalemark plan docker-options --quick',
    'whalemark plan oracle-2016-storage --small',
    'whalemark plan mine.yaml',
    'whalemark plan my-comparison',
    'whalemark plan my-comparison.yaml',
  ),
  ...each(
    { how: 'engine', append: COMPARE, says: DONE },
    'whalemark run docker-options --quick',
    'whalemark run docker-options --output whalemark-report',
    // One round has no interval, so the run doesn't continue for half an hour.
    'whalemark run docker-options --until-conclusive 30',
    'whalemark run docker-options --server-option innodb-io-capacity=2000 --server-option innodb-flush-method=fsync',
    'whalemark run docker-options --config ./my.cnf',
  ),
  "whalemark run docker-options --fail-if 'storage.bind-mount>1.3'": {
    how: 'engine',
    append: [...COMPARE, ...TWO_STORAGES],
    says: /storage\.bind-mount>1\.3 is inconclusive: .*no confidence interval/,
    // One round has no confidence interval.
    exitCode: 7,
  },
  'whalemark run docker-options --set schedule.rounds=7 --connections 16 --image mysql:9': {
    how: 'engine',
    // The server has the image that the command names.
    append: ['--quick', ...TURN, ...POOL, ...LOG, ...TABLES, ...ONE_SCENARIO],
    says: DONE,
  },
  'whalemark run docker-options --set workload.kind=oltp_write_only --set server.settings.bufferPool=10%': {
    how: 'engine',
    // The pool is a tenth of the preset's tables, so they keep their size.
    append: ['--quick', ...TURN, ...ONE_SCENARIO],
    says: DONE,
  },
  'whalemark run oracle-2016-storage --small': {
    how: 'engine',
    // The 40 connections wait for each other's locks on so few rows.
    append: [...ORACLE, ...ORACLE_REFERENCE, '--connections', '4'],
    says: DONE,
  },
  'whalemark run oracle-2016-storage --small --connections 1,4,16': {
    how: 'engine',
    append: ORACLE,
    says: DONE,
  },
  'whalemark resume RUN': { how: 'engine', fill: { RUN: 'ended early' }, says: /Resuming: / },
  'whalemark clean': { how: 'engine', says: /There is nothing to remove|removed / },
  'whalemark clean --datasets': { how: 'engine', says: /removed volume whalemark-dataset-/ },
};

export function twinArguments(
  command: string,
  run: TwinRun,
  places: Readonly<Record<Place, string>>,
): string[] {
  const filled = command
    .split(' ')
    .slice(1)
    .map((quoted) => {
      const word = quoted.replace(/^'(.*)'$/, '$1');
      const [placeholder, place] =
        Object.entries(run.fill ?? {}).find(([name]) => word === name || word.endsWith(`=${name}`)) ?? [];
      return placeholder === undefined || place === undefined
        ? word
        : word.replace(placeholder, places[place]);
    });
  return [...filled, ...(run.append ?? [])];
}
