import type { DatabaseChange, DatabasePatch, DatabaseService, DatabaseSource } from '../../model/database.ts';
import { isInMemory } from '../../kinds/storages.ts';
import { baseOf, folderOf, projectName } from '../file-names.ts';
import { isFolder } from '../input.ts';
import { stackOf } from '../stacks.ts';

export interface MoveRequest {
  source: DatabaseSource;
  service: Pick<DatabaseService, 'name' | 'image' | 'storage'>;
  home: string;
  /** Where Compose works; absolute. */
  folder: string;
  /** With the changed file. */
  fileFolder: string;
  /** Compose's name of the new place; null: the data stays. */
  place: string | null;
  change: DatabaseChange;
}

/** Compose finds these by itself. Compose Specification, "Compose file"; Docker documentation, "Merge". */
const DEFAULT_FILE = /^(?:docker-)?compose(?:\.override)?\.ya?ml$/;
const [FROM, TO] = ['/from', '/to'];

const COPY =
  'cp -a "$1/." "$2/" && ' +
  'test "$(cd "$1" && find . -type f -exec cksum {} + | sort)" = "$(cd "$2" && find . -type f -exec cksum {} + | sort)" && ' +
  'echo complete';
/** Never onto other data. */
const EMPTY = 'if [ -n "$(ls -A "$2")" ]; then echo "$2 is not empty" >&2; exit 1; fi; ';
/**
 * Where case doesn't tell names apart (Mac, Windows), a server sets lower_case_table_names to 2, elsewhere to 0;
 * it refuses files of another value.
 */
const SAME_CASE =
  `${EMPTY}touch "$2/mysql"; [ "$1$3/MYSQL" -ef "$1$3/mysql" ]; old=$?; [ "$2/MYSQL" -ef "$2/mysql" ]; new=$?; ` +
  'rm "$2/mysql"; if [ $old != $new ]; then echo "A copy would not start: only one of the places tells upper ' +
  'from lower case, so @@lower_case_table_names would change. Dump the data and load it into a server on the ' +
  'new place. (If you set lower_case_table_names to 1, leave this command out.)" >&2; exit 1; fi';
const COPY_THERE = `${EMPTY}${COPY}`;
/** Only by a whole data directory. */
const COPY_BACK = `test -d "$1$3/mysql" && find "$2" -mindepth 1 -delete && ${COPY}`;

/**
 * POSIX shell commands for the user: they move the data there and back, and check every byte. The old place
 * keeps its files.
 */
export function movesOf(request: MoveRequest): DatabasePatch['moves'] {
  const { source, service, folder, fileFolder, place, change } = request;
  const compose = composeCommand(request);
  const name = shellWord(service.name);
  const isDdev = stackOf(source.files[0] ?? '') === 'ddev';
  const start = isDdev ? 'ddev restart' : `${compose} up --detach ${name}`;
  const enter = `cd ${shellWord(folder)}`;
  const stop = `${compose} stop --timeout 300 ${name}`;
  const git = fileFolder === folder ? 'git' : `git -C ${shellWord(fileFolder)}`;
  const apply = (how: string): string => `${git} apply ${how}${patchFileName(change)}`;
  const check = isDdev ? `ddev logs --service ${name} --tail 20` : `${compose} logs --tail 20 ${name}`;
  if (place === null) {
    return { there: [enter, apply(''), start, check], back: [enter, apply('--reverse '), start, check] };
  }
  const { checks, there, back } = copies(request, compose);
  return {
    there: [
      enter,
      ...(there.length === 0 ? [] : [createPlace(request, place)]),
      ...checks,
      stop,
      ...there,
      apply(''),
      start,
      check,
    ],
    back: [enter, stop, apply('--reverse '), `${compose} up --no-start ${name}`, ...back, start, check],
  };
}

export function patchFileName(change: DatabaseChange): string {
  return `${patchName(change)}.patch`;
}

export function patchName({ factor, level }: DatabaseChange): string {
  return factor === 'together' ? factor : level.replace(/[^\w.-]/g, '-');
}

/** `path` is absolute. */
export function savedAs(
  { change, moves }: Pick<DatabasePatch, 'change' | 'moves'>,
  path: string,
): DatabasePatch['moves'] {
  const name = patchFileName(change);
  const renamed = (command: string): string =>
    /^git .*\bapply /s.test(command) ? command.slice(0, -name.length) + shellWord(path) : command;
  return { there: moves.there.map(renamed), back: moves.back.map(renamed) };
}

export function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function composeCommand({ source, folder }: MoveRequest): string {
  const { files, project } = source;
  const names = files.map(baseOf);
  const isFound = files.every((file, index) => file === names[index] || folderOf(file) === folder);
  const isDefault =
    isFound && names.every((name) => DEFAULT_FILE.test(name)) && !names[0]?.includes('override');
  const isOwnName = project === null || project === projectName(folder);
  return [
    'docker compose',
    ...(isDefault
      ? []
      : files.map((file) => `--file ${shellWord(folderOf(file) === folder ? baseOf(file) : file)}`)),
    ...(isOwnName ? [] : [`--project-name ${shellWord(project)}`]),
  ].join(' ');
}

function volumeName({ source, folder }: MoveRequest, place: string): string {
  return `${source.project ?? projectName(folder)}_${place}`;
}

function createPlace(request: MoveRequest, place: string): string {
  if (isFolder(place)) return `mkdir -p ${shellWord(newFolder(request, place))}`;
  const project = request.source.project ?? projectName(request.folder);
  const labels = { 'com.docker.compose.project': project, 'com.docker.compose.volume': place };
  const flags = Object.entries(labels).map(([key, value]) => `--label ${shellWord(`${key}=${value}`)}`);
  return `docker volume create ${flags.join(' ')} ${shellWord(volumeName(request, place))}`;
}

function newFolder({ folder }: MoveRequest, place: string): string {
  return `${folder.replace(/\/$/, '')}/${place.replace(/^\.\//, '')}`;
}

interface Copies {
  /** While the server still runs. */
  checks: string[];
  there: string[];
  back: string[];
}

function copies(request: MoveRequest, compose: string): Copies {
  const { service, home, place } = request;
  const { kind, datadir, place: old } = service.storage;
  const inner = datadir.slice(home.length);
  const container = `"$(${compose} ps --all --quiet ${shellWord(service.name)})"`;
  const created = place ?? '';
  const mount = isFolder(created)
    ? (target: string, more = '') => bindMount(newFolder(request, created), target, more)
    : (target: string, more = '') => volumeMount(volumeName(request, created), target, more);
  if (isInMemory(kind)) return { checks: [], there: [], back: [] };
  if (kind === 'container-layer') return throughArchives(request, container, mount);
  const helper = (mounts: string[], script: string, from: string, to: string): string =>
    [
      ...['docker run --rm --network none --user root --entrypoint sh', ...mounts, shellWord(service.image)],
      `-c '${script}' copy ${[from, to, ...(inner === '' ? [] : [inner])].map(shellWord).join(' ')}`,
    ].join(' ');
  if (old === null) {
    // Only the container leads to it.
    const of = (mode: string): string => `--volumes-from ${container}${mode}`;
    return {
      checks: [helper([of(':ro'), mount(TO)], SAME_CASE, home, TO)],
      there: [helper([of(':ro'), mount(TO)], COPY_THERE, home, TO)],
      back: [helper([of(''), mount(FROM, ',readonly')], COPY_BACK, FROM, home)],
    };
  }
  const oldMount = kind === 'bind-mount' ? bindMount : volumeMount;
  const mounts = [oldMount(old, FROM, ',readonly'), mount(TO)];
  return {
    checks: [helper(mounts, SAME_CASE, FROM, TO)],
    there: [helper(mounts, COPY_THERE, FROM, TO)],
    back: [helper([oldMount(old, TO, ''), mount(FROM, ',readonly')], COPY_BACK, FROM, TO)],
  };
}

/** No other container can mount a container's layer. */
function throughArchives(
  { service: { name, image, storage }, source, folder }: MoveRequest,
  container: string,
  mount: (target: string) => string,
): Copies {
  const helper = shellWord(`${source.project ?? projectName(folder)}-${name}-copy`);
  const create = `docker create --name ${helper} ${mount(TO)} ${shellWord(image)}`;
  const remove = `docker rm --volumes ${helper}`;
  const datadir = shellWord(`${storage.datadir}/.`);
  return {
    checks: [],
    there: [
      create,
      `docker cp --archive ${container}:${datadir} - | docker cp --archive - ${helper}:${TO}`,
      remove,
    ],
    back: [
      create,
      `docker cp --archive ${helper}:${TO}/. - | docker cp --archive - ${container}:${shellWord(storage.datadir)}`,
      remove,
    ],
  };
}

function bindMount(folder: string, target: string, more: string): string {
  return mountOption(`source=${folder}`, `type=bind,target=${target}${more}`);
}

function volumeMount(volume: string, target: string, more: string): string {
  return mountOption(`source=${volume}`, `type=volume,target=${target}${more}`);
}

/** As in CSV. */
function mountOption(source: string, rest: string): string {
  const field = /[",\n]/.test(source) ? `"${source.replaceAll('"', '""')}"` : source;
  return `--mount ${shellWord(`${rest},${field}`)}`;
}
