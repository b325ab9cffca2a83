import { mapSaid } from '../../shared/message.ts';
import {
  contextName,
  type Plan,
  type PlanEngine,
  runtimeIds,
  type Scenario,
  type ScenarioLabel,
  type ServerConfig,
} from '../../shared/model/plan.ts';
import {
  type DatabaseReference,
  databaseReferenceSchema,
  type DatabaseSource,
} from '../../shared/model/database.ts';
import type { PrivateKind } from '../../shared/model/sharing.ts';
import type { NfsSpec } from '../../shared/kinds/storage-options.ts';
import type { StorageSpec } from '../../shared/model/server-spec.ts';
import { serverOption } from '../../shared/options/option.ts';
import { OwnImages } from './own-images.ts';
import { isTelling, PATH, PRIVATE, type PrivateWord, type Redactor } from './redactor.ts';

const COMMON_CONTEXTS =
  /^(?:default|rootless|desktop-linux|desktop-windows|colima|orbstack|rancher-desktop|podman.*)$/;
const PRIVATE_VARIABLES: [RegExp, PrivateKind][] = [
  [/^(?:hostname|report_host)$/, 'host'],
  [/^report_user$/, 'user'],
  [/^bind_address$/, 'address'],
  [/^(?:basedir|.*_file|.*_dir|datadir|tmpdir|log_error|socket)$/, 'path'],
];
const SYSTEM_DIRECTORY =
  /^(?:\/(?:usr(?:\/local)?|opt\/homebrew)?\/?(?:s?bin|libexec)?|[A-Z]:\\(?:Program Files)?)$/i;
/** Options without a place: mount(8), nfs(5), tmpfs(5). */
const HARMLESS_MOUNT_OPTION =
  /^(?:rw|ro|r?bind|soft|hard|(?:no)?lock|a?sync|no(?:a|dir)time|relatime|nointr|intr|tcp|udp|proto=(?:tcp|udp)6?|(?:nfs)?vers=[\d.]+|(?:size|nr_inodes|[rw]size|timeo|retrans|actimeo)=\d+[kmg%]?)$/i;
const NO_DEVICE = /^(?:none|tmpfs|overlay|nfs\d?|cifs|ext4|xfs|btrfs)$/;

const A = 'A'.charCodeAt(0);

export function privateVariable(name: string): PrivateKind | undefined {
  return PRIVATE_VARIABLES.find(([pattern]) => pattern.test(name))?.[1];
}

export function privatePlaces(plan: Plan): PrivateWord[] {
  const { configs, scenarios, database, bindRoot } = plan;
  const programs = configs.flatMap(({ native }) => (native === null ? [] : programPlaces(native.binary)));
  const storages = scenarios.flatMap(({ storage }) => storagePlaces(storage));
  const ids = runtimeIds(plan);
  const contexts = ids.flatMap((id, index): PrivateWord[] => {
    const word = contextOf(id);
    if (word === undefined) return [];
    // Several engines need names.
    const letter = String.fromCharCode(A + index);
    return [{ word, kind: 'context', ...(ids.length === 1 ? {} : { instead: `engine ${letter}` }) }];
  });
  return [
    ...(bindRoot === null ? [] : [{ word: bindRoot, kind: 'path' as const }]),
    ...programs,
    ...new OwnImages(plan).words.map((word): PrivateWord => ({ word, kind: 'address' })),
    ...(database === null ? [] : placesOfDatabase(database)),
    ...storages.filter(({ word }) => isTelling(word) && !NO_DEVICE.test(word)),
    ...contexts,
  ];
}

export function shareableEngine(engine: PlanEngine, redactor: Redactor): PlanEngine {
  return {
    ...engine,
    name: redactor.text(engine.name),
    runtimeId: shareableRuntimeId(engine.runtimeId, redactor),
  };
}

export function shareableRuntimeId(runtimeId: string, redactor: Redactor): string {
  const kind = runtimeId.replace(/:.*$/s, '');
  return contextOf(runtimeId) === undefined
    ? kind
    : redactor.text(redactor.value('context', runtimeId, kind));
}

export function contextOf(runtimeId: string): string | undefined {
  const name = contextName(runtimeId) ?? '';
  return isTelling(name) && !COMMON_CONTEXTS.test(name) ? name : undefined;
}

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
  // "nas:/export", ":/export", "//nas/share": host and path are private.
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

/** Service names that are ordinary words. */
const ORDINARY =
  /^(?:app|backend|compose|container|data|database|docker|mariadb|mysql|percona|server|service|config|web)$/i;

function placesOfDatabase({ source, service }: DatabaseReference): PrivateWord[] {
  const names = [
    service,
    source.project ?? '',
    ...(source.kind === 'container' ? [source.id, source.name] : []),
  ];
  return [
    ...source.files.map((word): PrivateWord => ({ word, kind: 'path' })),
    ...names
      .filter((word) => isTelling(word) && !ORDINARY.test(word))
      .map((word): PrivateWord => ({ word, kind: 'program' })),
  ];
}

export function shareableReference(
  { source, service, together, inEffect }: DatabaseReference,
  redactor: Redactor,
): DatabaseReference {
  const name = (value: string): string => redactor.value('program', value, PRIVATE);
  const files = source.files.map((file) => redactor.value('path', file, PATH));
  const shared: Record<keyof DatabaseReference, unknown> = {
    source:
      source.kind === 'compose'
        ? ({
            kind: source.kind,
            files,
            profiles: undefined,
            envFile: undefined,
            project: name(source.project),
          } satisfies Fields<'compose'>)
        : ({
            kind: source.kind,
            id: name(source.id),
            name: name(source.name),
            files,
            project: source.project === null ? null : name(source.project),
          } satisfies Fields<'container'>),
    service: name(service),
    together,
    inEffect,
  };
  return databaseReferenceSchema.parse(shared);
}

type Fields<K extends DatabaseSource['kind']> = Record<keyof Extract<DatabaseSource, { kind: K }>, unknown>;

/** Other options may hold names or passwords. */
function mountOptionKind(option: string): 'address' | 'secret' {
  return /^(?:client|mount)?addr=/i.test(option) ? 'address' : 'secret';
}

export function shareableScenario(scenario: Scenario, redactor: Redactor): Scenario {
  return {
    ...scenario,
    label: shareableLabel(scenario.label, redactor),
    storage: shareableStorage(scenario.storage, redactor),
  };
}

/** Labels of several engines have their contexts. */
export function shareableLabel(label: ScenarioLabel, redactor: Redactor): ScenarioLabel {
  return label.engine === null ? label : { ...label, engine: redactor.text(label.engine) };
}

/** Names every field, so that a new one does not compile unmarked. */
function shareableStorage(
  { kind, name, starts, sizeMiB, options, nfs }: StorageSpec,
  redactor: Redactor,
): StorageSpec {
  return present({
    kind,
    name,
    starts,
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

function present<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

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

interface HowToShare {
  redactor: Redactor;
  cleanOption: (option: string) => string;
  nameOfImage: (reference: string) => string;
}

export function shareableConfig(
  config: ServerConfig,
  { redactor, cleanOption, nameOfImage }: HowToShare,
): ServerConfig {
  const { image, options, native, engineName } = config;
  return {
    ...config,
    engineName: engineName === null ? null : redactor.text(engineName),
    image: {
      ...image,
      requested: nameOfImage(image.requested),
      used: nameOfImage(image.used),
      reason: image.reason === null ? null : mapSaid(image.reason, (text) => redactor.text(text)),
    },
    options: options.map(cleanOption),
    native:
      native === null
        ? null
        : { ...native, binary: redactor.text(redactor.value('path', native.binary, PATH)) },
  };
}

export function imageNamer(plan: Plan, redactor: Redactor): (reference: string) => string {
  const images = new OwnImages(plan);
  return (reference) => {
    const name = images.nameOf(reference);
    return name === undefined ? reference : redactor.value('address', reference, name);
  };
}

export function shareableImages(
  { toPrepare, clientImage, task }: Plan,
  { nameOfImage, redactor }: Pick<HowToShare, 'nameOfImage' | 'redactor'>,
): Pick<Plan, 'toPrepare' | 'clientImage' | 'task'> {
  return {
    task:
      task?.kind === 'command' && task.image !== undefined
        ? { ...task, image: nameOfImage(task.image) }
        : task,
    toPrepare: toPrepare.map(({ base, ...one }) => ({
      ...one,
      reference: nameOfImage(one.reference),
      ...(base === undefined ? {} : { base: nameOfImage(base) }),
    })),
    clientImage: clientImage && {
      reference: nameOfImage(clientImage.reference),
      reason: clientImage.reason && mapSaid(clientImage.reason, redactor.text),
    },
  };
}

/** Options of users and native servers may contain places. */
export function optionCleaner({ configs }: Plan, redactor: Redactor): (option: string) => string {
  const own = new Set(configs.flatMap(({ options }) => options));
  const onHost = configs.some(({ native }) => native !== null);
  return (option) => {
    if (!onHost && !own.has(option)) return redactor.text(option);
    const [, name = option, value] = /^(--?[^=]+)=(.*)$/s.exec(option) ?? [];
    if (value === undefined) return redactor.text(option);
    if (/[\\/]/.test(value) && !redactor.includes('path')) {
      return `${name}=${redactor.value('path', value, PATH)}`;
    }
    const kind = privateVariable((serverOption(name)?.name ?? name).replaceAll('-', '_'));
    return kind === undefined
      ? redactor.text(option)
      : `${name}=${redactor.text(redactor.value(kind, value, PRIVATE))}`;
  };
}
