import type { DatabaseOverride, DatabaseService } from '../model/database.ts';
import { isInMemory } from '../kinds/storages.ts';
import { baseOf, folderOf } from './file-names.ts';

interface MoveRequest {
  service: Pick<DatabaseService, 'name' | 'image' | 'storage'>;
  files: readonly string[];
  profiles: readonly string[];
  envFile: string | undefined;
  /** The value of `--project-name`; null: Compose finds it. */
  givenName: string | null;
  project: string;
  file: string;
  /** The container's folder that the new storage holds. */
  home: string;
  /** Compose's name of the new storage; null: the data stays. */
  place: string | null;
  /** DDEV adds the override by itself. */
  isDdev: boolean;
}

const [FROM, TO] = ['/from', '/to'];

const COPY =
  'cp -a "$1/." "$2/" && ' +
  'test "$(cd "$1" && find . -type f -exec cksum {} + | sort)" = "$(cd "$2" && find . -type f -exec cksum {} + | sort)" && ' +
  'echo complete';
/** Nothing is copied over other data. */
const EMPTY = 'if [ -n "$(ls -A "$2")" ]; then echo "$2 is not empty" >&2; exit 1; fi; ';
/**
 * Servers set lower_case_table_names to 2 where case doesn't matter (Mac, Windows), elsewhere to 0, and
 * refuse other files.
 */
const SAME_CASE =
  `${EMPTY}touch "$2/mysql"; [ "$1$3/MYSQL" -ef "$1$3/mysql" ]; old=$?; [ "$2/MYSQL" -ef "$2/mysql" ]; new=$?; ` +
  'rm "$2/mysql"; if [ $old != $new ]; then echo "A copy would not start: only one of the places tells upper ' +
  'from lower case, so @@lower_case_table_names would change. Dump the data and load it into a server on the ' +
  'new place. (If you set lower_case_table_names to 1, leave this command out.)" >&2; exit 1; fi';

/** POSIX commands that try the override with a checked copy, and undo it; the old place keeps its files. */
export function movesOf(request: MoveRequest): DatabaseOverride['moves'] {
  const { service, files, file, place, isDdev } = request;
  const name = shellWord(service.name);
  const compose = composeCommand(request, files);
  const up = `up --detach ${name}`;
  const start = isDdev ? 'ddev restart' : `${composeCommand(request, [...files, file])} ${up}`;
  const enter = `cd ${shellWord(folderOf(files[0] ?? file))}`;
  const { checks, copy } = place === null ? { checks: [], copy: [] } : copies(request, place, compose);
  return {
    there: [
      enter,
      ...(place === null || copy.length === 0 ? [] : [createPlace(request, place)]),
      ...checks,
      ...(copy.length === 0 ? [] : [`${compose} stop --timeout 300 ${name}`, ...copy]),
      start,
    ],
    back: [enter, `rm ${shellWord(shownIn(request, file))}`, isDdev ? 'ddev restart' : `${compose} ${up}`],
  };
}

export function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function shownIn({ files: [first = ''] }: MoveRequest, file: string): string {
  return folderOf(file) === folderOf(first) ? baseOf(file) : file;
}

function composeCommand(request: MoveRequest, files: readonly string[]): string {
  return [
    'docker compose',
    ...files.map((file) => `--file ${shellWord(shownIn(request, file))}`),
    ...request.profiles.map((profile) => `--profile ${shellWord(profile)}`),
    ...(request.envFile === undefined ? [] : [`--env-file ${shellWord(request.envFile)}`]),
    ...(request.givenName === null ? [] : [`--project-name ${shellWord(request.givenName)}`]),
  ].join(' ');
}

function isFolder(place: string): boolean {
  return place.startsWith('./');
}

function createPlace(request: MoveRequest, place: string): string {
  if (isFolder(place)) return `mkdir -p ${shellWord(newFolder(request, place))}`;
  const labels = { 'com.docker.compose.project': request.project, 'com.docker.compose.volume': place };
  const flags = Object.entries(labels).map(([key, value]) => `--label ${shellWord(`${key}=${value}`)}`);
  return `docker volume create ${flags.join(' ')} ${shellWord(`${request.project}_${place}`)}`;
}

function newFolder({ files: [first = ''] }: MoveRequest, place: string): string {
  return `${folderOf(first).replace(/\/$/, '')}/${place.slice(2)}`;
}

interface Copies {
  checks: string[];
  copy: string[];
}

function copies(request: MoveRequest, place: string, compose: string): Copies {
  const { service, home, project } = request;
  const { kind, datadir, place: old } = service.storage;
  const container = `"$(${compose} ps --all --quiet ${shellWord(service.name)})"`;
  const to = isFolder(place)
    ? mountOption('bind', newFolder(request, place), TO)
    : mountOption('volume', `${project}_${place}`, TO);
  if (isInMemory(kind)) return { checks: [], copy: [] };
  if (kind === 'container-layer') return { checks: [], copy: throughArchives(request, container, to) };
  const inner = datadir.slice(home.length);
  const helper = (from: string, path: string, script: string): string =>
    [
      'docker run --rm --network none --user root --entrypoint sh',
      ...[from, to, shellWord(service.image), `-c '${script}' copy`],
      ...[path, TO, ...(inner === '' ? [] : [inner])].map(shellWord),
    ].join(' ');
  // A volume without a name is only reached through its container.
  const [from, path]: [string, string] =
    old === null
      ? [`--volumes-from ${container}:ro`, home]
      : [mountOption(kind === 'bind-mount' ? 'bind' : 'volume', old, FROM), FROM];
  return { checks: [helper(from, path, SAME_CASE)], copy: [helper(from, path, EMPTY + COPY)] };
}

/** No other container can mount a container's layer, so archives copy it. */
function throughArchives(
  { service: { name, image, storage }, project }: MoveRequest,
  container: string,
  to: string,
): string[] {
  const helper = shellWord(`${project}-${name}-copy`);
  return [
    `docker create --name ${helper} ${to} ${shellWord(image)}`,
    `docker cp --archive ${container}:${shellWord(`${storage.datadir}/.`)} - | docker cp --archive - ${helper}:${TO}`,
    `docker rm --volumes ${helper}`,
  ];
}

/** `--mount` has CSV fields; old data is read-only. */
function mountOption(type: 'bind' | 'volume', source: string, target: string): string {
  const field = `source=${source}`;
  const quoted = /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
  const mode = target === FROM ? ',readonly' : '';
  return `--mount ${shellWord(`type=${type},target=${target}${mode},${quoted}`)}`;
}
