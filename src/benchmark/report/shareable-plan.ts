import type { Plan, Scenario, ServerSetup } from '../../shared/model/plan.ts';
import type { StorageSpec } from '../../shared/model/storage-spec.ts';

/** What of a plan tells about somebody's machine and network, taken out of results that are given away. */

/** Names that everybody has. */
const COMMON_NAMES = new Set([
  'root',
  'user',
  'admin',
  'ubuntu',
  'docker',
  'mysql',
  'localhost',
  'runner',
  'vagrant',
]);
/** Server variables, and options of the same names, that hold names of the host or places on it. */
export const PRIVATE_VARIABLES =
  /^(?:hostname|report_host|report_user|bind_address|basedir|.*_file|.*_dir|datadir|tmpdir|log_error|socket)$/;
/** Where packages put servers: the same on every machine. */
const SYSTEM_DIRECTORY =
  /^(?:\/(?:usr(?:\/local)?|opt\/homebrew)?\/?(?:s?bin|libexec)?|[A-Z]:\\(?:Program Files)?)$/i;
/** Mount options that tell how, and not where; all others go. Source of the names: mount(8), nfs(5), tmpfs(5). */
const HARMLESS_MOUNT_OPTION =
  /^(?:rw|ro|r?bind|soft|hard|(?:no)?lock|a?sync|no(?:a|dir)time|relatime|nointr|intr|tcp|udp|proto=(?:tcp|udp)6?|(?:nfs)?vers=[\d.]+|(?:size|nr_inodes|[rw]size|timeo|retrans|actimeo)=\d+[kmg%]?)$/i;
/** What a device is called that is none. */
const NO_DEVICE = /^(?:none|tmpfs|overlay|nfs\d?|cifs|ext4|xfs|btrfs)$/;
const PRIVATE = '<private>';
const PATH = '<path>';

/** False for what is too short or too common to tell anything. */
export function isTelling(name: string): boolean {
  return name.length >= 3 && !COMMON_NAMES.has(name.toLowerCase());
}

/** Words of a plan that are private wherever else they turn up: in logs, notices, errors. */
export function privatePlaces({ setups, scenarios }: Plan): string[] {
  const programs = setups.flatMap(({ native }) => (native === null ? [] : programPlaces(native.binary)));
  const storages = scenarios.flatMap(({ storage }) => storagePlaces(storage));
  const nodes = scenarios.flatMap(({ clientNode }) =>
    clientNode === null || clientNode === ANY_OTHER_NODE ? [] : [clientNode],
  );
  return [...programs, ...[...storages, ...nodes].filter((word) => isTelling(word) && !NO_DEVICE.test(word))];
}

/** The program, and where it is installed unless everybody has it there. */
function programPlaces(binary: string): string[] {
  const directory = binary.replace(/[\\/][^\\/]*$/, '');
  const base = directory.replace(/[\\/](?:s?bin|libexec)$/, '');
  return [binary, ...[directory, base].filter((place) => place !== '' && !SYSTEM_DIRECTORY.test(place))];
}

function storagePlaces({ options, nfs }: StorageSpec): string[] {
  const mount = (options?.o ?? '')
    .split(',')
    .filter((option) => !HARMLESS_MOUNT_OPTION.test(option))
    .flatMap((option) => [option, option.slice(option.indexOf('=') + 1)]);
  const device = options?.device ?? '';
  // "nas:/export", ":/export", "//nas/share"
  const parts = device.split(/:(?=\/)|(?<=^\/\/[^/]+)(?=\/)/).map((part) => part.replace(/^\/\//, ''));
  return [device, ...parts, ...mount, ...(nfs === undefined ? [] : [nfs.address, nfs.path])];
}

/** In a preset: any node but the server's own. */
const ANY_OTHER_NODE = 'other';

/** The scenario without places on anybody's machines. */
export function shareableScenario(scenario: Scenario): Scenario {
  const { storage, clientNode } = scenario;
  return {
    ...scenario,
    storage: shareableStorage(storage),
    clientNode: clientNode === null || clientNode === ANY_OTHER_NODE ? clientNode : PRIVATE,
  };
}

function shareableStorage(storage: StorageSpec): StorageSpec {
  const { options, nfs } = storage;
  return {
    ...storage,
    ...(options === undefined
      ? {}
      : {
          options: {
            ...options,
            device: NO_DEVICE.test(options.device) ? options.device : PRIVATE,
            ...(options.o === undefined ? {} : { o: shareableMountOptions(options.o) }),
          },
        }),
    ...(nfs === undefined ? {} : { nfs: { ...nfs, address: PRIVATE, path: `/${PRIVATE}` } }),
  };
}

function shareableMountOptions(o: string): string {
  return o
    .split(',')
    .map((option) => (HARMLESS_MOUNT_OPTION.test(option) ? option : PRIVATE))
    .join(',');
}

/** The setup without the place of its program and without places in the user's options. */
export function shareableSetup(
  setup: ServerSetup,
  clean: (text: string) => string,
  cleanOption: (option: string) => string,
): ServerSetup {
  const { image, options, native } = setup;
  return {
    ...setup,
    image: { ...image, reason: image.reason === null ? null : clean(image.reason) },
    options: options.map(cleanOption),
    native: native === null ? null : { ...native, binary: PATH },
  };
}

/** Cleans an option of a server: the user's own, and all of a server on the host, may hold places. Ours in containers don't. */
export function optionCleaner({ setups }: Plan, clean: (text: string) => string): (option: string) => string {
  const own = new Set(setups.flatMap(({ options }) => options));
  const onHost = setups.some(({ native }) => native !== null);
  return (option) => {
    if (!onHost && !own.has(option)) return clean(option);
    const [, name = option, value] = /^(--?[^=]+)=(.*)$/s.exec(option) ?? [];
    if (value === undefined) return clean(option);
    if (/[\\/]/.test(value)) return `${name}=${PATH}`;
    const variable = name.replace(/^--?(?:loose-)?/, '').replaceAll('-', '_');
    return PRIVATE_VARIABLES.test(variable) ? `${name}=${PRIVATE}` : clean(option);
  };
}
