import type { Flavor } from '../../shared/model/names.ts';
import { isPlainValue, serverOption } from '../../shared/options/option.ts';
import { whyUnmeasured } from '../../shared/options/tuning.ts';
import { ownOwner } from '../owners/owner.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { OWNER_LABEL, ROLE_LABEL } from '../runtime/labels.ts';
import { helperOutput } from '../servers/helper-container.ts';

export interface ServerAnswer {
  flavor: Flavor;
  version: string;
  /** Measurable options that someone set. */
  options: string[];
  /** Tuning options with values that may not be shown. */
  unshown: string[];
  /** All values by option; empty: no server runs. */
  inEffect: ReadonlyMap<string, string>;
}

/**
 * The first account that may log in asks, and no password leaves the container. Versions in comments choose
 * the query. Sources: MySQL Reference Manual, variables_info; MariaDB documentation, SYSTEM_VARIABLES and
 * "Comment Syntax".
 */
const ASK_SERVER = `
client=$(command -v mariadb || command -v mysql) || exit 1
query="SELECT 'version', VERSION(), @@version_comment
/*M!100103 UNION ALL SELECT LOWER(VARIABLE_NAME), GLOBAL_VALUE, GLOBAL_VALUE_ORIGIN
FROM information_schema.SYSTEM_VARIABLES WHERE GLOBAL_VALUE IS NOT NULL */
/*!80000 UNION ALL SELECT VARIABLE_NAME, VARIABLE_VALUE, VARIABLE_SOURCE
FROM performance_schema.global_variables JOIN performance_schema.variables_info USING (VARIABLE_NAME) */"
of() { printenv "MARIADB_$1" || printenv "MYSQL_$1"; }
secret() { cat "$(of "$1_FILE")" 2>/dev/null || of "$1"; }
ask() { MYSQL_PWD="$2" "$client" $1 --connect-timeout=3 --skip-column-names --batch --execute="$query" 2>&1; }
ask --user=root "$(secret ROOT_PASSWORD)" || ask "--user=$(of USER)" "$(secret PASSWORD)" || ask`;

/** Undefined: no account could log in. */
export async function askServer(
  { containers }: Pick<ContainerRuntime, 'containers'>,
  containerId: string,
): Promise<ServerAnswer | undefined> {
  const { stdout } = await containers.exec(containerId, ['sh', '-c', ASK_SERVER]);
  return answerOfServer(stdout);
}

const UNSET: ReadonlySet<string> = new Set(['COMPILE-TIME', 'COMPILED', 'AUTO', 'ENVIRONMENT']);
/** Defaults of variables that MariaDB always reports as not set. */
const UNTOLD: Readonly<Record<string, string>> = {
  'transaction-isolation': 'REPEATABLE-READ',
  'default-storage-engine': 'InnoDB',
};
const RENAMED: Readonly<Record<string, string>> = { 'tx-isolation': 'transaction-isolation' };

export function answerOfServer(text: string): ServerAnswer | undefined {
  const rows = text.split('\n').map((line) => line.split('\t'));
  const [, version = '', comment = ''] = rows.find(([name]) => name === 'version') ?? [];
  if (version === '') return undefined;
  const inEffect = new Map<string, string>();
  const set: string[] = [];
  for (const [variable = '', value = '', origin] of rows) {
    const name = variable.replaceAll('_', '-');
    if (origin === undefined || name === 'version') continue;
    inEffect.set(name, value);
    const isSet = !UNSET.has(origin) || (UNTOLD[name] ?? value) !== value;
    if (isSet && name !== 'log-bin' && value !== '') set.push(`--${RENAMED[name] ?? name}=${value}`);
  }
  const binlog = inEffect.get('log-bin');
  if (binlog !== undefined) set.push(binlog === 'ON' ? '--log-bin' : '--skip-log-bin');
  return { ...serverNamed(version, comment), ...measurable(set), inEffect };
}

/** The image's program reads option files without a server's start. */
const ASK_IMAGE = `
server=$(command -v mariadbd || command -v mysqld) || exit 1
"$server" --version && "$server" --print-defaults`;

const MOST_LINES = 50;

/** Undefined: no program answers. */
export async function askImage(runtime: ContainerRuntime, image: string): Promise<ServerAnswer | undefined> {
  const labels = { [OWNER_LABEL]: ownOwner(), [ROLE_LABEL]: 'helper' };
  const name = `whalemark-asks-${process.pid}-${image.replace(/^sha256:/, '').slice(0, 12)}`;
  const command = ['sh', '-c', ASK_IMAGE];
  const asked = { purpose: 'options', command, lines: MOST_LINES };
  const { exitCode, lines } = await helperOutput({ runtime, name, image, labels }, asked);
  return exitCode === 0 ? answerOfProgram(lines) : undefined;
}

/** Undefined: the lines have no version. */
export function answerOfProgram(lines: readonly string[]): ServerAnswer | undefined {
  const [, version, about = ''] = /\bVer (\d+(?:\.\d+)+)(.*)/.exec(lines.join('\n')) ?? [];
  if (version === undefined) return undefined;
  const written = lines.find((line) => line.startsWith('--')) ?? '';
  const options = written.trim().split(/ (?=--)/);
  const short = options.map((option) => option.replace(/^(--log[-_]bin)=.*/, '$1'));
  return { ...serverNamed(version, about), ...measurable(short), inEffect: new Map() };
}

function serverNamed(version: string, about: string): Pick<ServerAnswer, 'flavor' | 'version'> {
  const [, found] = /(mariadb|percona)/i.exec(version + about) ?? [];
  const flavor = found === undefined ? 'mysql' : (found.toLowerCase() as Flavor);
  return { flavor, version: /^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '' };
}

function measurable(options: readonly string[]): Pick<ServerAnswer, 'options' | 'unshown'> {
  const tuning = options.filter((option) => option !== '' && whyUnmeasured(option) === undefined);
  const isShown = (option: string): boolean => isPlainValue(serverOption(option)?.value);
  return {
    options: tuning.filter(isShown),
    unshown: tuning.filter((one) => !isShown(one)).map((one) => `--${serverOption(one)?.name ?? ''}`),
  };
}
