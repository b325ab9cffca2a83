import { stringify } from 'yaml';
import { type Plan, type Scenario, configOf, passportOf } from '../../shared/model/plan.ts';
import type { RunOutline } from '../../shared/model/run-state.ts';
import { isTpcc, type OltpWorkload } from '../../shared/model/workload.ts';
import { optionProblem } from '../../shared/preset/mount-options.ts';
import { presetOfPlan } from '../../shared/preset/preset-of-plan.ts';
import { usesSwarm } from '../../shared/kinds/paths.ts';
import { isContainerStorage, isInMemory } from '../../shared/kinds/storages.ts';
import { shellWord } from '../../shared/project/patch/moves.ts';
import type { Message } from '../../shared/message.ts';
import { SYSBENCH_IGNORED_ERRORS, sysbenchOptions, sysbenchRefusal } from '../../shared/preset/sysbench.ts';
import { CLIENT, composeText, DATABASE, ENV_TEXT, HOST_PORT, SERVICE, sysbenchAddress } from './compose.ts';

const REPRODUCTION_NOTES = [
  /** From a stranger's result: its volume would mount what no preset may. */
  'refused-volume',
  /** The load was Whalemark's; sysbench comes closest. */
  'own-load',
  'no-sysbench',
  'private',
  'substituted',
  'swarm',
  'bind-folder',
  'device',
  'other-node',
] as const;
type ReproductionNote = (typeof REPRODUCTION_NOTES)[number];

interface Reproduction {
  compose: { file: string; env: string } | null;
  steps: ReproductionStep[];
  notes: ReproductionNote[];
}

const TAKEN_OUT = /<(?:private|path)>/;
/** Fill in for what was redacted, to check the rest. */
const [SOME_PATH, SOME_WORD] = ['/srv/x', 'x'];

/** The server with its exact options, its storage, network, and load. Undefined if the result lacks them. */
export function reproductionOf(
  run: Pick<RunOutline, 'plan' | 'servers'>,
  scenario: Scenario,
): Reproduction | undefined {
  const { plan } = run;
  const config = configOf(plan, scenario);
  if (isRefused(scenario.storage)) return { compose: null, steps: [], notes: ['refused-volume'] };
  const { image } = config;
  const options = run.servers[scenario.serverId]?.facts?.options;
  if (options === undefined || options.length === 0) return undefined;
  const inContainer = isContainerStorage(scenario.storage.kind);
  const compose = inContainer
    ? { file: composeText({ plan, scenario, image, options }), env: ENV_TEXT }
    : null;
  const server =
    config.native === null || inContainer
      ? undefined
      : nativeServer(config.native.binary, config.native.flavor, options);
  const lacks = sysbenchRefusal(plan.workload);
  const steps =
    lacks === undefined && !isTpcc(plan.workload)
      ? sysbenchSteps(plan, scenario, plan.workload, server)
      : serverSteps(scenario, server);
  return { compose, steps, notes: notesOf(plan, scenario, { compose, steps, image, lacks }) };
}

function isRefused({ options, nfs }: Scenario['storage']): boolean {
  const path = (text: string): string => text.replace(/^<\w+>$/, SOME_PATH).replaceAll(/<\w+>/g, SOME_WORD);
  const filled = {
    ...(options === undefined ? {} : { options: { ...options, device: path(options.device) } }),
    ...(nfs === undefined
      ? {}
      : { nfs: { ...nfs, address: nfs.address.replace(TAKEN_OUT, SOME_WORD), path: path(nfs.path) } }),
  };
  return optionProblem(filled) !== undefined;
}

function notesOf(
  plan: Plan,
  scenario: Scenario,
  found: Pick<Reproduction, 'compose' | 'steps'> & {
    image: { substituted: boolean };
    lacks: Message | undefined;
  },
): ReproductionNote[] {
  const { storage, path, loadGenerator, clientNode } = scenario;
  const text = JSON.stringify([found.compose, found.steps]);
  const is: Record<ReproductionNote, boolean> = {
    'refused-volume': false,
    'own-load': loadGenerator === 'builtin' && found.lacks === undefined,
    'no-sysbench': found.lacks !== undefined,
    private: TAKEN_OUT.test(text),
    substituted: found.image.substituted && found.compose !== null,
    swarm: usesSwarm(path),
    'bind-folder': storage.kind === 'bind-mount' && passportOf(plan, scenario.engine).runtime.vm,
    device: storage.options !== undefined || storage.nfs !== undefined,
    'other-node': clientNode !== null,
  };
  return REPRODUCTION_NOTES.filter((note) => is[note]);
}

export function presetFile(plan: Plan): { name: string; yaml: string; command: string } | undefined {
  const repeated = presetOfPlan(plan);
  if (repeated === undefined) return undefined;
  const name = `${plan.preset.id}-again.yaml`;
  return {
    name,
    yaml: stringify(withoutEmpty(repeated.preset), { lineWidth: 0 }),
    command: `whalemark run ${shellWord(name)}`,
  };
}

function withoutEmpty(preset: object): object {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(preset).filter(([, value]) => !isEmpty(value)));
}

type StepName = 'start' | 'prepare' | 'restart' | 'warmup' | 'run' | 'cleanup';

interface ReproductionStep {
  name: StepName;
  commands: string;
}

const STACK = 'whalemark-reproduced';
const LOAD_ENV = 'set -a; . ./.env; set +a';

function addressOf({ path }: Scenario): Record<string, string | number> {
  const { host, port, socketPath } = sysbenchAddress(path);
  return socketPath === undefined
    ? { 'mysql-host': host, 'mysql-port': port }
    : { 'mysql-socket': socketPath };
}

const FIND_ADDRESS = `DB_ADDRESS=$(docker inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$(docker compose ps -q ${SERVICE})")`;

function sysbenchLine(
  scenario: Scenario,
  workload: OltpWorkload,
  phase: Record<string, string | number>,
  command: string,
): string {
  const options = {
    ...addressOf(scenario),
    'mysql-user': DATABASE,
    'mysql-password': '"$DB_PASSWORD"',
    'mysql-db': DATABASE,
    'mysql-ssl': 'off',
    'mysql-ignore-errors': SYSBENCH_IGNORED_ERRORS,
    ...sysbenchOptions(workload),
    ...phase,
  };
  const flags = Object.entries(options).map(([name, value]) => `  --${name}=${value}`);
  return [clientCommand(scenario, workload.kind), ...flags].join(' \\\n') + ` \\\n  ${command}`;
}

function clientCommand(scenario: Scenario, script: string): string {
  // `docker stack` has no one-off containers.
  return !isContainerStorage(scenario.storage.kind) || scenario.path === 'ingress'
    ? `sysbench ${script}`
    : `docker compose run --rm ${CLIENT} ${script}`;
}

function sysbenchSteps(
  plan: Plan,
  scenario: Scenario,
  workload: OltpWorkload,
  server: string | undefined,
): ReproductionStep[] {
  const { warmupSeconds, durationSeconds } = plan.schedule;
  const find = sysbenchAddress(scenario.path).host.includes('$DB_ADDRESS') ? `${FIND_ADDRESS}\n` : '';
  const load = {
    threads: scenario.connections,
    events: 0,
    'report-interval': 1,
    percentile: 95,
  };
  const line = (phase: Record<string, string | number>, command: string): string =>
    sysbenchLine(scenario, workload, phase, command);
  const seed = (plan.seed % (2 ** 31 - 1)) + 1;
  const steps: ReproductionStep[] = [
    ...startSteps(scenario, server),
    { name: 'prepare', commands: find + line({ threads: 4, 'rand-seed': seed }, 'prepare') },
    ...restartSteps(scenario),
    ...(warmupSeconds > 0
      ? [
          {
            name: 'warmup' as const,
            commands: find + line({ ...load, time: Math.ceil(warmupSeconds), 'rand-seed': seed + 1 }, 'run'),
          },
        ]
      : []),
    {
      name: 'run',
      commands: find + line({ ...load, time: Math.ceil(durationSeconds), 'rand-seed': seed }, 'run'),
    },
    ...cleanupSteps(scenario),
  ];
  return steps;
}

function serverSteps(scenario: Scenario, server: string | undefined): ReproductionStep[] {
  return [...startSteps(scenario, server), ...cleanupSteps(scenario)];
}

function startSteps({ path, storage }: Scenario, server: string | undefined): ReproductionStep[] {
  if (storage.kind === 'native') {
    return server === undefined ? [] : [{ name: 'start', commands: server }];
  }
  const up =
    path === 'ingress'
      ? `docker stack deploy --compose-file compose.yaml ${STACK}`
      : `docker compose up --detach ${SERVICE}`;
  return [{ name: 'start', commands: `${LOAD_ENV}\n${up}` }];
}

function restartSteps({ path, storage }: Scenario): ReproductionStep[] {
  const { kind } = storage;
  if (!isContainerStorage(kind) || isInMemory(kind) || path === 'ingress') return [];
  return [{ name: 'restart', commands: `docker compose restart --timeout 60 ${SERVICE}` }];
}

function cleanupSteps({ path, storage }: Scenario): ReproductionStep[] {
  if (storage.kind === 'native') return [];
  const down =
    path === 'ingress' ? `docker stack rm ${STACK}` : 'docker compose down --volumes --remove-orphans';
  return [{ name: 'cleanup', commands: down }];
}

/** In its own datadir; for tests only, since root has no password. */
function nativeServer(binary: string, flavor: string, options: readonly string[]): string {
  const initialize =
    flavor === 'mariadb'
      ? 'mariadb-install-db --no-defaults --datadir="$PWD/data" --auth-root-authentication-method=normal'
      : `${shellWord(binary)} --no-defaults --initialize-insecure --datadir="$PWD/data" --lower-case-table-names=1`;
  const all = [
    '--no-defaults',
    '--datadir="$PWD/data"',
    '--socket="$PWD/mysqld.sock"',
    `--port=${HOST_PORT}`,
    '--bind-address=127.0.0.1',
    ...options
      .filter((option) => !/^--(datadir|socket|port|bind-address|no-defaults|pid-file)\b/.test(option))
      .map(shellWord),
  ];
  return [
    initialize,
    `${[shellWord(binary), ...all.map((one) => `  ${one}`)].join(' \\\n')} &`,
    'export DB_PASSWORD=choose-a-password',
    `${flavor === 'mariadb' ? 'mariadb' : 'mysql'} --no-defaults --socket="$PWD/mysqld.sock" --user=root --execute="CREATE DATABASE ${DATABASE}; CREATE USER ${DATABASE}@'%' IDENTIFIED BY '$DB_PASSWORD'; GRANT ALL ON ${DATABASE}.* TO ${DATABASE}@'%'"`,
  ].join('\n');
}
