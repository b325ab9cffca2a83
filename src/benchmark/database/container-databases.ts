import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { emulationMessage, isEmulated } from '../../shared/docker/emulation.ts';
import { SERVER_PORT } from '../../shared/kinds/paths.ts';
import { msg } from '../../shared/message.ts';
import type { Flavor } from '../../shared/model/names.ts';
import type { Database, DatabaseService } from '../../shared/model/database.ts';
import { emptyMounts } from '../../shared/compose/clashes.ts';
import { commandOf, plainWords } from '../../shared/compose/command.ts';
import { OFFICIAL_DATADIR, serverImage } from '../../shared/compose/image.ts';
import { Notes } from '../../shared/compose/notes.ts';
import { limitsOf } from '../../shared/compose/service.ts';
import { mountsOf, storageOf } from '../../shared/compose/storage.ts';
import type {
  ContainerRuntime,
  ListedContainer,
  LocalImage,
  VolumeFacts,
} from '../runtime/container-runtime.ts';
import type { ExaminedContainer } from '../runtime/examined-container.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { isOwnContainer } from '../runtime/labels.ts';
import { identifyImage } from '../servers/image.ts';
import { optionTextsOf } from './container-options.ts';
import { composeOf, pathsOf, PROJECT_LABEL, SERVICE_LABEL } from './container-places.ts';
import { optionsOfTexts, type OptionText } from './option-files.ts';

/** Labels of Compose (its api/labels.go). */
const FILES_LABEL = 'com.docker.compose.project.config_files';
const FOLDER_LABEL = 'com.docker.compose.project.working_dir';

export async function findDatabases(runtime: ContainerRuntime): Promise<Database[]> {
  const all = (await runtime.containers.listAll()).filter((one) => !isOwnContainer(one));
  const images = new Map<string, LocalImage | undefined>();
  for (const imageId of new Set(all.map((one) => one.imageId))) {
    images.set(imageId, await runtime.images.inspect(imageId).catch(() => undefined));
  }
  const databases: Database[] = [];
  for (const { id, imageId } of all) {
    const image = images.get(imageId);
    const named = image?.references.some((one) => serverImage(one)?.startsItself === true);
    if (image !== undefined && named !== true && identifyImage(image) === undefined) continue;
    // A container that is gone or can't be read hides no others.
    const container = await runtime.containers.examine(id).catch((error: unknown) => {
      if (isEngineLost(error)) throw error;
      return undefined;
    });
    if (container === undefined || flavorOf(container, image) === null) continue;
    databases.push(await databaseIn(runtime, container, image, all));
  }
  return databases;
}

const FOLDER_LABELS = [FOLDER_LABEL, 'com.ddev.approot', 'io.lando.root'];

export async function databasesStartedIn(runtime: ContainerRuntime, folder: string): Promise<Database[]> {
  const all = await runtime.containers.listAll();
  const own = all.filter(({ labels }) => FOLDER_LABELS.some((label) => labels[label] === folder));
  const found = await findDatabases(runtime);
  return found.filter(({ source }) => source.kind === 'container' && own.some(({ id }) => id === source.id));
}

/** Undefined: no such container; one without a database is refused. */
export async function databaseOfContainer(
  runtime: ContainerRuntime,
  nameOrId: string,
): Promise<Database | undefined> {
  const container = await runtime.containers.examine(nameOrId);
  if (container === undefined) return undefined;
  const image = await runtime.images.inspect(container.Image).catch(() => undefined);
  return databaseIn(runtime, container, image, await runtime.containers.listAll());
}

export interface ContainerSurroundings {
  image: LocalImage | undefined;
  /** The image that has the container's image name now; undefined: none. */
  namedImageId: string | undefined;
  volumes: ReadonlyMap<string, VolumeFacts>;
  others: readonly ListedContainer[];
  passport: ContainerRuntime['passport'];
  platform: NodeJS.Platform;
  exists: (path: string) => boolean;
  optionTexts: readonly OptionText[];
}

async function databaseIn(
  runtime: ContainerRuntime,
  container: ExaminedContainer,
  image: LocalImage | undefined,
  others: readonly ListedContainer[],
): Promise<Database> {
  const volumes = new Map<string, VolumeFacts>();
  for (const { Type, Name = null } of container.Mounts) {
    if (Type !== 'volume' || Name === null) continue;
    const facts = await runtime.volumes.inspect(Name);
    if (facts !== undefined) volumes.set(Name, facts);
  }
  const named = await runtime.images.inspect(container.Config.Image).catch(() => undefined);
  return describeContainer(container, {
    ...{ image, volumes, others, namedImageId: named?.id },
    passport: runtime.passport,
    platform: process.platform,
    exists: existsSync,
    optionTexts: await optionTextsOf(runtime, container),
  });
}

export function describeContainer(container: ExaminedContainer, around: ContainerSurroundings): Database {
  const { Id: id, Name: name, Config, State } = container;
  const { image } = around;
  const notes = new Notes();
  const own = serverImage(Config.Image);
  const official = own?.startsItself === true ? own.official : null;
  if (official !== null) notes.warn(msg('compose.ownStartRead', { official }));
  const emulated = image !== undefined && isEmulated(image, around.passport);
  const architecture = image?.architecture ?? null;
  if (emulated) notes.warn(emulationMessage({ used: Config.Image, architecture }, around.passport));
  const { service, model } = composeOf(container, around.volumes, around.platform);
  const command = commandOf(
    official === null ? service : { ...service, command: [] },
    plainWords(Config.Cmd),
    notes,
  );
  // The engine lists the volumes that the image declares.
  const places = { datadir: own?.datadir ?? OFFICIAL_DATADIR, volume: null };
  const mounts = mountsOf(service);
  const storage = storageOf({ service, image: places, command, mounts, model, isWindows: false, notes });
  emptyMounts(mounts, storage, () => '').forEach((message) => notes.warn(message));
  const read = optionsOfTexts(around.optionTexts, storage.datadir);
  const [path, ...otherPaths] = pathsOf(container, command.port ?? SERVER_PORT, around.others);
  const project = Config.Labels[PROJECT_LABEL] ?? null;
  const files = composeFiles(Config.Labels, around.exists);
  const isMoved = around.namedImageId !== container.Image;
  if (isMoved) notes.warn(msg('yourDatabase.movedTag', { image: Config.Image }));
  if ((container.HostConfig.CpusetCpus ?? '') !== '') notes.warn(msg('yourDatabase.cpuset'));
  if (project !== null && files.length === 0) notes.warn(msg('yourDatabase.filesGone'));
  const flavor = flavorOf(container, image);
  if (flavor === null) notes.refuse(msg('yourDatabase.noDatabase', { image: Config.Image }));
  const database: DatabaseService = {
    name: Config.Labels[SERVICE_LABEL] ?? name,
    flavor,
    image: isMoved ? container.Image : Config.Image,
    built: false,
    official: official === null ? null : { image: official, isAlways: true },
    storage: { ...storage, at: null },
    path,
    otherPaths,
    limits: limitsOf(service),
    options: [...read.options, ...command.options],
    configFiles: read.files,
    platform: emulated ? `linux/${architecture ?? ''}` : null,
    container: { id, running: State.Running },
    warnings: [...notes.warnings, ...read.warnings],
    refusal: notes.refusal,
  };
  return { source: { kind: 'container', id, name, files, project }, services: [database] };
}

function flavorOf({ Config }: ExaminedContainer, image: LocalImage | undefined): Flavor | null {
  const named = serverImage(Config.Image);
  const known = image === undefined || named?.startsItself === true ? named : identifyImage(image);
  return known?.flavor ?? null;
}

function composeFiles(labels: Record<string, string>, exists: (path: string) => boolean): string[] {
  const folder = labels[FOLDER_LABEL] ?? '';
  const files = (labels[FILES_LABEL] ?? '').split(',').filter((file) => file !== '');
  const all = files.map((file) => resolve(folder, file));
  return all.every(exists) ? all : [];
}
