import { listOf, msg, type Message } from '../message.ts';
import type { DatabaseService } from '../model/database.ts';
import { emptyMounts, inFile, withClashes } from './clashes.ts';
import { commandOf, extraFlags, plainWords, type Command } from './command.ts';
import { builtBy, copiedFiles, dockerfileOf } from './built.ts';
import { type ServerImage, imageByVariables, isServerVariable, serverImage } from './image.ts';
import type { ComposeService } from './model.ts';
import { Notes } from './notes.ts';
import { configFilesOf, isOptionPlace } from './option-files.ts';
import { baseOf } from './file-names.ts';
import { pathsOf } from './paths.ts';
import { SERVER_PORT } from '../kinds/paths.ts';
import { mebibytesOf, mountAt, mountsOf, storageOf, type Mount } from './storage.ts';
import type { Surroundings } from './surroundings.ts';

const UNREAD =
  `blkio_config cap_add cap_drop cgroup cgroup_parent cpu_rt_period cpu_rt_runtime cpu_shares cpuset
  device_cgroup_rules ipc mem_swappiness memswap_limit oom_kill_disable pids_limit privileged read_only runtime
  security_opt shm_size storage_opt sysctls ulimits user userns_mode`.split(/\s+/);

const SERVER_CHECK = /\b(?:mysqladmin|mariadb-admin)\b|\bhealthcheck\.sh\b/;
/** Variables whose values are sent to no registry. */
const SECRET_NAME = /\$\{?\w*(?:pass|pwd|secret|token|key|credential|private|auth)\w*/i;
const MOST_NAMED = 10;

/** Services never contain values of environments. */
export async function databasesIn(around: Surroundings): Promise<DatabaseService[]> {
  const found: DatabaseService[] = [];
  for (const [name, service] of Object.entries(around.model.services ?? {})) {
    const read = await databaseIn(name, service, around);
    if (read !== undefined) found.push(read);
  }
  return withClashes(found, around);
}

export function noDatabase({ model }: Pick<Surroundings, 'model'>): Message[] {
  const all = Object.entries(model.services ?? {});
  if (all.length === 0) return [msg('compose.noServices')];
  const doubts = all.filter(([, service]) => isLikeDatabase(service));
  const images = all.slice(0, MOST_NAMED).map(([name, { image }]) => {
    return msg('compose.serviceImage', { name, image: image ?? msg('compose.builds') });
  });
  return [
    ...doubts.map(([name]) => msg('compose.maybeDatabase', { name })),
    msg('compose.noDatabase', { services: listOf(images) }),
  ];
}

function isLikeDatabase({ healthcheck, environment }: ComposeService): boolean {
  const isChecked = (healthcheck?.test ?? []).some((word) => SERVER_CHECK.test(word));
  return isChecked || Object.keys(environment ?? {}).some(isServerVariable);
}

async function databaseIn(
  name: string,
  service: ComposeService,
  around: Surroundings,
): Promise<DatabaseService | undefined> {
  const { model, isWindows, locate } = around;
  const notes = new Notes();
  const base = await builtBy(service, around);
  const ofBase = serverImage(base?.image ?? '');
  const named = ofBase ?? serverImage(service.image ?? '');
  const image = named ?? imageByVariables(Object.keys(service.environment ?? {}));
  const command = readCommand(name, service, image, around, notes);
  const mounts = mountsOf(service);
  const isMounted = mountAt(mounts, image.datadir) !== undefined;
  if (named === undefined) {
    const isLike = Object.keys(service.environment ?? {}).some(isServerVariable);
    if (!isLike || (!isMounted && !command.runsServer)) return undefined;
    notes.warn(msg('compose.guessedImage'));
  } else if (command.isClient && !isMounted) {
    // Dumps and migrations also run in a server's image.
    return undefined;
  } else if (!named.isOfficial && !isMounted) {
    notes.warn(msg('compose.unknownOwner', { datadir: named.datadir }));
  }
  const official = named?.official ?? (ofBase === undefined ? null : (base?.image ?? null));
  const isBuilt = (service.build ?? null) !== null;
  const reference = service.image ?? (isBuilt ? `${model.name}-${name}` : '');
  const judged = { service, image, reference, official, written: around.written(name)?.image ?? '' };
  judge(judged, notes);
  for (const line of base?.unread ?? [])
    notes.warn(msg('compose.dockerfileLine', { file: baseOf(dockerfileOf(service.build ?? {})), line }));
  const { socket, port = SERVER_PORT } = command;
  const storage = storageOf({ service, image, command, mounts, model, isWindows, notes });
  for (const message of emptyMounts(mounts, storage, (target) => inFile(locate(name, 'volumes', target))))
    notes.warn(message);
  if ([name, storage.datadir, storage.place ?? ''].some(hasControl)) notes.refuse(msg('compose.control'));
  const isOfOptions = (target: string): boolean => isOptionPlace(target) || target === '/etc/';
  const copied = await copiedFiles(base, service, around, isOfOptions);
  return {
    name,
    flavor: image.flavor,
    image: notes.refusal?.code === 'compose.secretImage' ? '' : reference,
    built: isBuilt,
    official: official === null ? null : { image: official, isAlways: image.startsItself },
    storage: { ...storage, at: locate(name, ...placeOfStorage(storage.datadir, mounts)) },
    ...pathsOf({ name, service, port, mounts, socket, notes }, around),
    limits: limitsOf(service),
    options: command.options,
    configFiles: await configFilesOf(service, [...copied, ...mounts], around, notes),
    platform: service.platform ?? null,
    container: null,
    warnings: notes.warnings,
    refusal: notes.refusal,
  };
}

/** Control characters would go to a terminal, and into commands to paste. */
export function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

function placeOfStorage(datadir: string, mounts: readonly Mount[]): [key?: string, text?: string] {
  const mount = mountAt(mounts, datadir);
  return mount === undefined ? [] : [mount.kind === 'tmpfs' ? 'tmpfs' : 'volumes', mount.target];
}

function readCommand(
  name: string,
  service: ComposeService,
  image: ServerImage,
  { written }: Surroundings,
  notes: Notes,
): Command {
  const { command = [], entrypoint = [], environment = {} } = written(name) ?? {};
  if (!image.startsItself) return commandOf(service, plainWords([...entrypoint, ...command]), notes);
  const flags = Object.values(environment).flatMap((value) => value.split(/\s+/));
  const own = commandOf(service, new Set(), new Notes());
  return { ...own, options: extraFlags(service, plainWords(flags), notes), datadir: undefined };
}

interface Judged {
  service: ComposeService;
  image: ServerImage;
  reference: string;
  official: string | null;
  /** The image with variables. */
  written: string;
}

function judge({ service, image, reference, official, written }: Judged, notes: Notes): void {
  const [secret] = SECRET_NAME.exec(written) ?? [];
  if (secret !== undefined) notes.refuse(msg('compose.secretImage', { names: secret.replace(/^\$\{?/, '') }));
  else if (!REFERENCE.test(reference)) notes.refuse(msg('compose.badImage'));
  if (image.isCluster) notes.refuse(msg('compose.cluster'));
  else if (image.startsItself && official !== null) notes.warn(msg('compose.ownStart', { official }));
  if (service['provider'] !== undefined) notes.refuse(msg('compose.provider'));
  const count = service.deploy?.replicas ?? service.scale ?? 1;
  if (count > 1) notes.refuse(msg('compose.replicas', { count }));
  const unread = UNREAD.filter((key) => (service[key] ?? null) !== null);
  if (unread.length > 0) notes.warn(msg('compose.notApplied', { names: unread.join(', ') }));
}

const REFERENCE = /^[a-z0-9][a-z0-9._:/-]*(?::[\w][\w.-]*)?(?:@sha256:[0-9a-f]{64})?(?<![:/])$/i;

/** Docker's default, µs. */
const CPU_PERIOD = 100_000;

/** CPUs and MiB; zero and less count as no limit. */
export function limitsOf({
  deploy,
  cpus,
  cpu_quota: quota,
  cpu_period: period,
  mem_limit: memory,
}: ComposeService): DatabaseService['limits'] {
  const limits = deploy?.resources?.limits;
  const ofQuota = (microseconds(quota) ?? 0) / (microseconds(period) || CPU_PERIOD);
  const count = Number(limits?.cpus ?? cpus ?? 0) || ofQuota;
  return {
    cpus: count > 0 && Number.isFinite(count) ? count : null,
    memoryMiB: mebibytesOf(String(limits?.memory ?? memory ?? '')) ?? null,
  };
}

/** Undefined: neither a number nor a text such as "50ms". */
function microseconds(amount: string | number | null | undefined): number | undefined {
  const [, digits, unit] = /^(-?\d+(?:\.\d+)?)(us|ms|s)?$/.exec(String(amount ?? '').trim()) ?? [];
  const number = Number(digits) * (unit === 's' ? 1e6 : unit === 'ms' ? 1000 : 1);
  return Number.isFinite(number) ? number : undefined;
}
