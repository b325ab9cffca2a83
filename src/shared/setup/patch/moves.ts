import type { SetupChange, SetupPatch, SetupService, SetupSource } from '../../model/setup.ts';
import { baseOf, folderOf } from '../file-names.ts';
import { isFolder } from './mounts.ts';

export interface MoveRequest {
  source: SetupSource;
  service: Pick<SetupService, 'name' | 'image' | 'storage'>;
  /** Of the first file, where Compose works; absolute. */
  folder: string;
  /** Of the file with the change, where its patch is. */
  fileFolder: string;
  /** What Compose calls the data's new place; null: the data stays. */
  place: string | null;
  change: SetupChange;
}

/** What Compose looks for by itself. Compose Specification, "Compose file"; Docker documentation, "Merge". */
const DEFAULT_FILE = /^(?:docker-)?compose(?:\.override)?\.ya?ml$/;
/** In the helper container. */
const [FROM, TO] = ['/from', '/to'];

const COPY =
  'cp -a "$1/." "$2/" && ' +
  'test "$(cd "$1" && find . -type f -exec cksum {} + | sort)" = "$(cd "$2" && find . -type f -exec cksum {} + | sort)" && ' +
  'echo complete';
/** Never onto other data. */
const COPY_THERE = `if [ -n "$(ls -A "$2")" ]; then echo "$2 is not empty" >&2; exit 1; fi; ${COPY}`;
/** Replaces the files that were left behind, only by a whole data directory. */
const COPY_BACK = `test -d "$1/mysql" && find "$2" -mindepth 1 -delete && ${COPY}`;

/**
 * Shell commands (POSIX) for the user: they move the data to the new place and back, and check every byte of the copy.
 * The old place keeps its files until the way back replaces them.
 */
export function movesOf(request: MoveRequest): SetupPatch['moves'] {
  const { service, folder, fileFolder, place, change } = request;
  const compose = composeCommand(request);
  const name = shellWord(service.name);
  const start = `${compose} up --detach ${name}`;
  const enter = `cd ${shellWord(folder)}`;
  // Long enough for a clean shutdown.
  const stop = `${compose} stop --timeout 300 ${name}`;
  const git = fileFolder === folder ? 'git' : `git -C ${shellWord(fileFolder)}`;
  const apply = (how: string): string => `${git} apply ${how}${patchFileName(change)}`;
  const check = `${compose} logs --tail 20 ${name}`;
  if (place === null) {
    return { there: [enter, apply(''), start, check], back: [enter, apply('--reverse '), start, check] };
  }
  const [there, back] = copies(request, compose);
  return {
    there: [
      enter,
      stop,
      ...(there.length === 0 ? [] : [createPlace(request, place)]),
      ...there,
      apply(''),
      start,
      check,
    ],
    back: [enter, stop, apply('--reverse '), `${compose} up --no-start ${name}`, ...back, start, check],
  };
}

/** What the commands call the file with the diff, in the folder of the file that it changes. */
export function patchFileName({ level }: SetupChange): string {
  return `${level.replace(/[^\w.-]/g, '-')}.patch`;
}

/** The commands for a patch that is saved as `path`, absolute. */
export function savedAs(
  { change, moves }: Pick<SetupPatch, 'change' | 'moves'>,
  path: string,
): SetupPatch['moves'] {
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
  const isOwnName = project === null || project === defaultProject(folder);
  return [
    'docker compose',
    ...(isDefault
      ? []
      : files.map((file) => `--file ${shellWord(folderOf(file) === folder ? baseOf(file) : file)}`)),
    ...(isOwnName ? [] : [`--project-name ${shellWord(project)}`]),
  ].join(' ');
}

/** Compose Specification, "Version and name top-level elements". */
function defaultProject(folder: string): string {
  return baseOf(folder)
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '');
}

/** As Compose names it. */
function volumeName({ source, folder }: MoveRequest, place: string): string {
  return `${source.project ?? defaultProject(folder)}_${place}`;
}

function createPlace(request: MoveRequest, place: string): string {
  if (isFolder(place)) return `mkdir -p ${shellWord(newFolder(request, place))}`;
  const project = request.source.project ?? defaultProject(request.folder);
  const labels = { 'com.docker.compose.project': project, 'com.docker.compose.volume': place };
  const given = Object.entries(labels).map(([key, value]) => `--label ${shellWord(`${key}=${value}`)}`);
  return `docker volume create ${given.join(' ')} ${shellWord(volumeName(request, place))}`;
}

function newFolder({ folder }: MoveRequest, place: string): string {
  return `${folder.replace(/\/$/, '')}/${place.replace(/^\.\//, '')}`;
}

/** The copy there, and the one back. */
function copies(request: MoveRequest, compose: string): [string[], string[]] {
  const { service, place } = request;
  const { kind, datadir, place: old } = service.storage;
  const container = `"$(${compose} ps --all --quiet ${shellWord(service.name)})"`;
  const created = place ?? '';
  const mount = isFolder(created)
    ? (target: string, more = '') => bindMount(newFolder(request, created), target, more)
    : (target: string, more = '') => volumeMount(volumeName(request, created), target, more);
  // Memory is empty as soon as the server has stopped.
  if (kind === 'tmpfs') return [[], []];
  if (kind === 'container-layer') return throughArchives(request, container, mount);
  const helper = (mounts: string[], script: string, from: string, to: string): string =>
    [
      ...['docker run --rm --network none --user root --entrypoint sh', ...mounts, shellWord(service.image)],
      `-c '${script}' copy ${shellWord(from)} ${shellWord(to)}`,
    ].join(' ');
  if (old === null) {
    // Without a name, only the container leads to it.
    const of = (mode: string): string => `--volumes-from ${container}${mode}`;
    return [
      [helper([of(':ro'), mount(TO)], COPY_THERE, datadir, TO)],
      [helper([of(''), mount(FROM, ',readonly')], COPY_BACK, FROM, datadir)],
    ];
  }
  const oldMount = kind === 'bind-mount' ? bindMount : volumeMount;
  return [
    [helper([oldMount(old, FROM, ',readonly'), mount(TO)], COPY_THERE, FROM, TO)],
    [helper([oldMount(old, TO, ''), mount(FROM, ',readonly')], COPY_BACK, FROM, TO)],
  ];
}

/** No other container can mount a container's layer. */
function throughArchives(
  { service: { name, image, storage }, source, folder }: MoveRequest,
  container: string,
  mount: (target: string) => string,
): [string[], string[]] {
  const helper = shellWord(`${source.project ?? defaultProject(folder)}-${name}-copy`);
  const create = `docker create --name ${helper} ${mount(TO)} ${shellWord(image)}`;
  const remove = `docker rm --volumes ${helper}`;
  const datadir = shellWord(`${storage.datadir}/.`);
  return [
    [create, `docker cp --archive ${container}:${datadir} - | docker cp --archive - ${helper}:${TO}`, remove],
    [
      create,
      `docker cp --archive ${helper}:${TO}/. - | docker cp --archive - ${container}:${shellWord(storage.datadir)}`,
      remove,
    ],
  ];
}

function bindMount(folder: string, target: string, more: string): string {
  return mountOption(`source=${folder}`, `type=bind,target=${target}${more}`);
}

function volumeMount(volume: string, target: string, more: string): string {
  return mountOption(`source=${volume}`, `type=volume,target=${target}${more}`);
}

/** A list of values as in CSV. */
function mountOption(source: string, rest: string): string {
  const field = /[",\n]/.test(source) ? `"${source.replaceAll('"', '""')}"` : source;
  return `--mount ${shellWord(`${rest},${field}`)}`;
}
