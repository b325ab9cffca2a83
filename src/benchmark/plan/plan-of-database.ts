import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/message.ts';
import type { Notice, Plan } from '../../shared/model/plan.ts';
import type { Preset } from '../../shared/model/preset.ts';
import type { Database, DatabaseService, DatabaseSource } from '../../shared/model/database.ts';
import { isForTests } from '../../shared/compose/changes.ts';
import { newestOfLine } from '../../shared/compose/image.ts';
import { type HowMeasured, presetOfDatabase, presetOfStarts } from '../../shared/compose/database-preset.ts';
import type { AnsweredDatabase } from '../database/as-it-answers.ts';
import { readFirstStart, type TimedStart } from '../database/first-start.ts';
import type { Timed } from '../context/own-task.ts';
import type { ContainerRuntime, MountSpec } from '../runtime/container-runtime.ts';
import { identifyImage } from '../servers/image.ts';
import { bindRootRefusal } from '../servers/storage/bind-directory.ts';
import { deviceOf } from './plan-fits.ts';
import { DATABASE_ROOT } from '../servers/storage/bind-roots.ts';

const MOST_SHOWN = 5;

interface PreparedDatabase {
  preset: Preset;
  timed: Timed;
  bindRoot: string | null;
  complete(plan: Plan): Plan;
}

export async function prepareDatabase(
  database: Database,
  { service, inEffect }: AnsweredDatabase,
  runtime: ContainerRuntime,
  dataDir: string,
  { timed = {}, ...how }: Omit<HowMeasured, 'memoryBytes' | 'isTimed'> & { timed?: Timed },
): Promise<PreparedDatabase> {
  requireCpus(service, runtime);
  const { image, instead } = await measuredImage(service, runtime);
  const { root, reason } = await folderFor(service, database.source, runtime, dataDir);
  const isStart = timed.task?.kind === 'ready';
  const ownStart = isStart ? await ownStartOf(database.source, service, image) : undefined;
  if (runtime.passport.runtime.remote && (ownStart?.start.mounts.length ?? 0) > 0)
    throw refused(service, msg('support.remoteFolder'));
  const notices = [
    ...(instead === null ? [] : [{ code: 'DATABASE_READ', message: instead }]),
    ...noticesOf(database, service),
    ...(reason === null ? [] : [elsewhere(reason)]),
    ...(isStart ? [{ code: 'OWN_START', message: startMessage(ownStart) }] : []),
  ];
  const { memoryBytes } = runtime.passport.runtime;
  const newestImage = image === service.image && how.newestImage !== null ? newestOfLine(image) : null;
  const measured = { ...service, image };
  const isTimed = timed.task !== undefined;
  const isTest = isTimed || isForTests({ source: database.source, service: service.name });
  const preset = isStart
    ? presetOfStarts(measured)
    : presetOfDatabase(measured, { ...how, isTimed, newestImage, memoryBytes, isForTests: isTest });
  const { together } = how;
  return {
    preset,
    timed: ownStart === undefined ? timed : { ...timed, task: ownStart.task, own: { start: ownStart.start } },
    bindRoot: root,
    complete: (plan) => ({
      ...plan,
      database: {
        ...{ source: database.source, service: service.name },
        ...(Object.keys(inEffect).length === 0 ? {} : { inEffect }),
        ...(together === undefined ? {} : { together }),
      },
      consents: [
        ...plan.consents,
        ...consentsOf(plan, service, root),
        ...filesConsent(ownStart?.start.mounts ?? [], database.source),
      ],
      notices: [...notices.filter((one) => !isSaid(one, plan)), ...plan.notices],
    }),
  };
}

/** Undefined: unknown files, or an image that starts in its own way. */
function ownStartOf(
  source: DatabaseSource,
  service: DatabaseService,
  image: string,
): Promise<TimedStart | undefined> {
  if (source.files.length === 0 || service.official?.isAlways === true) return Promise.resolve(undefined);
  return readFirstStart({ source, service, isInstead: image !== service.image });
}

function filesConsent(
  mounts: readonly MountSpec[],
  { files: [file = ''] }: DatabaseSource,
): Plan['consents'] {
  const outside = mounts.flatMap((mount) =>
    mount.type === 'bind' && /^\.\.(?:[\\/]|$)|^[A-Za-z]:|^[\\/]/.test(relative(dirname(file), mount.source))
      ? [mount.source]
      : [],
  );
  if (outside.length === 0) return [];
  const shown = outside.slice(0, MOST_SHOWN).join(', ') + (outside.length > MOST_SHOWN ? ', …' : '');
  return [{ consent: 'project-files', message: msg('consent.projectFiles', { files: shown }) }];
}

function startMessage(start: TimedStart | undefined): Message {
  if (start === undefined) return msg('notice.startNotOwn');
  return start.scripts === 0
    ? msg('notice.startWithoutScripts')
    : msg('notice.startScripts', { count: start.scripts });
}

function refused({ name }: Pick<DatabaseService, 'name'>, reason: Message): BenchmarkError {
  return new BenchmarkError('DATABASE_REFUSED', { name }, { evidence: [reason] });
}

/** Docker refuses more CPUs than it has, but no limit of memory. */
function requireCpus(service: DatabaseService, { passport }: ContainerRuntime): void {
  const { cpus } = passport.runtime;
  const { cpus: wanted } = service.limits;
  if (wanted === null || cpus === 0 || wanted <= cpus) return;
  throw refused(service, msg('yourDatabase.cpus', { wanted, cpus }));
}

interface MeasuredImage {
  image: string;
  /** Null: the service's own image, or its warnings have the reason. */
  instead: Message | null;
}

async function measuredImage(
  { name, image, built, official }: DatabaseService,
  runtime: ContainerRuntime,
): Promise<MeasuredImage> {
  if (official?.isAlways === true) return { image: official.image, instead: null };
  const found = await runtime.images.inspect(image);
  const isServer = found === undefined ? official === null && !built : identifyImage(found) !== undefined;
  if (isServer || (official === null && !built)) return { image, instead: null };
  const command = `docker compose build ${name}`;
  if (official === null) throw refused({ name }, msg('yourDatabase.notBuilt', { image, command }));
  const why = built ? 'yourDatabase.officialNotBuilt' : 'yourDatabase.officialUnknown';
  return { image: official.image, instead: msg(why, { image, official: official.image, command }) };
}

interface Folder {
  /** The folder of bind mounts; null: Whalemark's own. */
  root: string | null;
  /** The reason, if the data may be on another disk. */
  reason: Message | null;
}

const OWN_FOLDER: Folder = { root: null, reason: null };

async function folderFor(
  { storage: { kind, place } }: DatabaseService,
  { files: [file] }: DatabaseSource,
  { passport }: ContainerRuntime,
  dataDir: string,
): Promise<Folder> {
  if (kind !== 'bind-mount' || place === null || passport.runtime.remote) return OWN_FOLDER;
  const [disk, ofFile, ofData] = await Promise.all([
    deviceOf(place),
    file === undefined ? undefined : deviceOf(file),
    deviceOf(dataDir),
  ]);
  let reason = msg('yourDatabase.otherDisk');
  if (file !== undefined && ofFile !== undefined && ofFile === (disk ?? ofFile)) {
    const root = join(dirname(file), DATABASE_ROOT);
    const refusal = (await bindRootRefusal(root)) ?? (await notWritable(dirname(file)));
    if (refusal === undefined) return { root, reason: null };
    reason = refusal;
  }
  return ofData !== undefined && ofData === (disk ?? ofFile) ? OWN_FOLDER : { root: null, reason };
}

function notWritable(folder: string): Promise<Message | undefined> {
  return access(folder, constants.W_OK).then(
    () => undefined,
    () => msg('file.notWritable'),
  );
}

function consentsOf(
  { scenarios }: Plan,
  { storage }: DatabaseService,
  root: string | null,
): Plan['consents'] {
  const uses = (kind: string): boolean => scenarios.some((scenario) => scenario.storage.kind === kind);
  const folder = root !== null && uses('bind-mount');
  const device = (storage.kind === 'nfs' || storage.kind === 'volume-options') && uses(storage.kind);
  return [
    ...(folder ? [msg('consent.databaseFolder', { folder: root })] : []),
    ...(device ? [msg('consent.databaseDevice')] : []),
  ].map((message) => ({ consent: 'database-folder', message }));
}

function noticesOf({ source }: Database, { name, container, warnings }: DatabaseService): Notice[] {
  const containerName = source.kind === 'container' ? source.name : name;
  return [
    ...(container?.running === true
      ? [{ code: 'DATABASE_RUNNING', message: msg('notice.databaseRunning', { name: containerName }) }]
      : []),
    ...warnings.map((message) => ({ code: 'DATABASE_READ', message })),
  ];
}

function isSaid({ message }: Notice, { notices }: Plan): boolean {
  return notices.some((one) => one.message.text === message.text);
}

function elsewhere(reason: Message): Notice {
  return { code: 'DATABASE_FOLDER', message: msg('notice.databaseFolder', { reason }) };
}
