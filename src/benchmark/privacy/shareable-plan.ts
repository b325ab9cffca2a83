import { mapSaid } from '../../shared/message.ts';
import type { Plan, Scenario, ServerSetup } from '../../shared/model/plan.ts';
import type { PrivateKind } from '../../shared/model/sharing.ts';
import type { NfsSpec, StorageSpec } from '../../shared/model/storage-spec.ts';
import { isTelling } from './own-names.ts';
import { PATH, PRIVATE, type PrivateWord, type Redactor } from './redactor.ts';

/** What of a plan tells about somebody's machine and network, taken out of results that are given away. */

/** Contexts that Docker and its kin make themselves. */
const COMMON_CONTEXTS =
  /^(?:default|rootless|desktop-linux|desktop-windows|colima|orbstack|rancher-desktop|podman.*)$/;
/** Server variables, and options of the same names, that hold names of the host or places on it. */
const PRIVATE_VARIABLES: [RegExp, PrivateKind][] = [
  [/^(?:hostname|report_host)$/, 'host'],
  [/^report_user$/, 'user'],
  [/^bind_address$/, 'address'],
  [/^(?:basedir|.*_file|.*_dir|datadir|tmpdir|log_error|socket)$/, 'path'],
];
/** Where packages put servers: the same on every machine. */
const SYSTEM_DIRECTORY =
  /^(?:\/(?:usr(?:\/local)?|opt\/homebrew)?\/?(?:s?bin|libexec)?|[A-Z]:\\(?:Program Files)?)$/i;
/** Mount options that tell how, and not where; all others go. Source of the names: mount(8), nfs(5), tmpfs(5). */
const HARMLESS_MOUNT_OPTION =
  /^(?:rw|ro|r?bind|soft|hard|(?:no)?lock|a?sync|no(?:a|dir)time|relatime|nointr|intr|tcp|udp|proto=(?:tcp|udp)6?|(?:nfs)?vers=[\d.]+|(?:size|nr_inodes|[rw]size|timeo|retrans|actimeo)=\d+[kmg%]?)$/i;
/** What a device is called that is none. */
const NO_DEVICE = /^(?:none|tmpfs|overlay|nfs\d?|cifs|ext4|xfs|btrfs)$/;

/** What the value of a server variable tells; undefined: nothing about anybody. */
export function privateVariable(name: string): PrivateKind | undefined {
  return PRIVATE_VARIABLES.find(([pattern]) => pattern.test(name))?.[1];
}

/** Words of a plan that are private wherever else they turn up: in logs, notices, errors. */
export function privatePlaces({ setups, scenarios, bindRoot, runtimeId }: Plan): PrivateWord[] {
  const programs = setups.flatMap(({ native }) => (native === null ? [] : programPlaces(native.binary)));
  const storages = scenarios.flatMap(({ storage }) => storagePlaces(storage));
  const nodes = scenarios.flatMap(({ clientNode }): PrivateWord[] =>
    clientNode === null || clientNode === ANY_OTHER_NODE ? [] : [{ word: clientNode, kind: 'host' }],
  );
  const context = contextOf(runtimeId);
  return [
    ...(bindRoot === null ? [] : [{ word: bindRoot, kind: 'path' as const }]),
    ...programs,
    ...[...storages, ...nodes].filter(({ word }) => isTelling(word) && !NO_DEVICE.test(word)),
    ...(context === undefined ? [] : [{ word: context, kind: 'context' as const }]),
  ];
}

/** "context:work-laptop" names somebody's context; its kind is enough, and where everybody's is called alike nothing is lost. */
export function shareableRuntimeId(runtimeId: string, redactor: Redactor): string {
  const kind = runtimeId.replace(/:.*$/s, '');
  return contextOf(runtimeId) === undefined
    ? kind
    : redactor.text(redactor.value('context', runtimeId, kind));
}

/** The name of a context that somebody has given it. */
export function contextOf(runtimeId: string): string | undefined {
  const name = /^context:(.*)$/s.exec(runtimeId)?.[1] ?? '';
  return isTelling(name) && !COMMON_CONTEXTS.test(name) ? name : undefined;
}

/** The program, and where it is installed unless everybody has it there. */
function programPlaces(binary: string): PrivateWord[] {
  const directory = binary.replace(/[\\/][^\\/]*$/, '');
  const base = directory.replace(/[\\/](?:s?bin|libexec)$/, '');
  const places = [directory, base].filter((place) => place !== '' && !SYSTEM_DIRECTORY.test(place));
  return [binary, ...places].map((word) => ({ word, kind: 'path' }));
}

function storagePlaces({ options, nfs }: StorageSpec): PrivateWord[] {
  const mount = (options?.o ?? '')
    .split(',')
    .filter((option) => !HARMLESS_MOUNT_OPTION.test(option))
    .flatMap((option): PrivateWord[] => {
      const kind = mountOptionKind(option);
      return [option, option.slice(option.indexOf('=') + 1)].map((word) => ({ word, kind }));
    });
  const device = options?.device ?? '';
  // "nas:/export", ":/export", "//nas/share": what is no path is whose it is.
  const parts = device.split(/:(?=\/)|(?<=^\/\/[^/]+)(?=\/)/).map((part): PrivateWord => ({
    word: part.replace(/^\/\//, ''),
    kind: /^\/(?!\/)/.test(part) ? 'path' : 'address',
  }));
  return [
    { word: device, kind: 'path' },
    ...parts,
    ...mount,
    ...(nfs === undefined
      ? []
      : [
          { word: nfs.address, kind: 'address' as const },
          { word: nfs.path, kind: 'path' as const },
        ]),
  ];
}

/** Addresses are known by their names; anything else may be a user's name or a password. */
function mountOptionKind(option: string): 'address' | 'secret' {
  return /^(?:client|mount)?addr=/i.test(option) ? 'address' : 'secret';
}

/** In a preset: any node but the server's own. */
const ANY_OTHER_NODE = 'other';

/** The scenario without places on anybody's machines. */
export function shareableScenario(scenario: Scenario, redactor: Redactor): Scenario {
  const { storage, clientNode } = scenario;
  return {
    ...scenario,
    storage: shareableStorage(storage, redactor),
    clientNode: clientNode === ANY_OTHER_NODE ? clientNode : redactor.value('host', clientNode, PRIVATE),
  };
}

/** Every field is named: what a new one tells is judged here before it goes out, or this does not compile. */
function shareableStorage(
  { kind, name, sizeMiB, options, nfs }: StorageSpec,
  redactor: Redactor,
): StorageSpec {
  return present({
    kind,
    name,
    sizeMiB,
    options: options && shareableOptions(options, redactor),
    nfs: nfs && shareableNfs(nfs, redactor),
  } satisfies Record<keyof StorageSpec, unknown>);
}

type MountSpec = NonNullable<StorageSpec['options']>;

function shareableOptions({ type, device, o }: MountSpec, redactor: Redactor): MountSpec {
  return present({
    type,
    device: shareableDevice(device, redactor),
    o: o === undefined ? undefined : shareableMountOptions(o, redactor),
  } satisfies Record<keyof MountSpec, unknown>);
}

function shareableNfs({ address, path, version, soft, lock }: NfsSpec, redactor: Redactor): NfsSpec {
  return {
    address: redactor.value('address', address, PRIVATE),
    path: redactor.value('path', path, `/${PRIVATE}`),
    version,
    soft,
    lock,
  } satisfies Record<keyof NfsSpec, unknown>;
}

/** Without the fields that have no value. */
function present<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** A device may name a place, and in one word with it the machine that it is on and its user. */
function shareableDevice(device: string, redactor: Redactor): string {
  return NO_DEVICE.test(device) ? device : redactor.text(redactor.value('path', device, PRIVATE));
}

function shareableMountOptions(o: string, redactor: Redactor): string {
  return o
    .split(',')
    .map((option) =>
      HARMLESS_MOUNT_OPTION.test(option) ? option : redactor.value(mountOptionKind(option), option, PRIVATE),
    )
    .join(',');
}

/** The setup without the place of its program and without places in the user's options. */
export function shareableSetup(
  setup: ServerSetup,
  redactor: Redactor,
  cleanOption: (option: string) => string,
): ServerSetup {
  const { image, options, native } = setup;
  return {
    ...setup,
    image: {
      ...image,
      reason: image.reason === null ? null : mapSaid(image.reason, (text) => redactor.text(text)),
    },
    options: options.map(cleanOption),
    native:
      native === null
        ? null
        : { ...native, binary: redactor.text(redactor.value('path', native.binary, PATH)) },
  };
}

/** Cleans an option of a server: the user's own, and all of a server on the host, may hold places. Ours in containers don't. */
export function optionCleaner({ setups }: Plan, redactor: Redactor): (option: string) => string {
  const own = new Set(setups.flatMap(({ options }) => options));
  const onHost = setups.some(({ native }) => native !== null);
  return (option) => {
    if (!onHost && !own.has(option)) return redactor.text(option);
    const [, name = option, value] = /^(--?[^=]+)=(.*)$/s.exec(option) ?? [];
    if (value === undefined) return redactor.text(option);
    if (/[\\/]/.test(value) && !redactor.includes('path')) {
      return `${name}=${redactor.value('path', value, PATH)}`;
    }
    const kind = privateVariable(name.replace(/^--?(?:loose-)?/, '').replaceAll('-', '_'));
    return kind === undefined
      ? redactor.text(option)
      : `${name}=${redactor.text(redactor.value(kind, value, PRIVATE))}`;
  };
}
