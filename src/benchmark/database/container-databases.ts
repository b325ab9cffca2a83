import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { emulationMessage, isEmulated } from '../../shared/docker/emulation.ts';
import { SERVER_PORT } from '../../shared/kinds/paths.ts';
import { msg } from '../../shared/message.ts';
import type { Flavor } from '../../shared/model/names.ts';
import type { Limits } from '../../shared/model/server-spec.ts';
import type { Database, DatabaseService } from '../../shared/model/database.ts';
import { commandOptions, serverWords } from '../../shared/options/command-words.ts';
import { isPlace, optionText } from '../../shared/options/option.ts';
import { whyUnmeasured } from '../../shared/options/tuning.ts';
import { OFFICIAL_DATADIR, serverImage } from '../../shared/compose/image.ts';
import { inServerOrder } from '../../shared/compose/option-files.ts';
import { normalPath } from '../../shared/compose/storage.ts';
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
import { optionsInContainer } from './container-options.ts';
import { hostPath, pathsOf, PROJECT_LABEL, SERVICE_LABEL, storageOf } from './container-places.ts';

/** Of containers that Docker Compose started (Compose's api/labels.go). */
const FILES_LABEL = 'com.docker.compose.project.config_files';
const FOLDER_LABEL = 'com.docker.compose.project.working_dir';

const MOST_TOLD = 50;

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
    // One that is gone or can't be read hides no others.
    const container = await runtime.containers.examine(id).catch((error: unknown) => {
      if (isEngineLost(error)) throw error;
      return undefined;
    });
    if (container === undefined || flavorOf(container, image) === null) continue;
    databases.push(await configOf(runtime, container, image, all));
  }
  return databases;
}

/** Labels of Compose, DDEV, and Lando with the folder of a project. */
const FOLDER_LABELS = [FOLDER_LABEL, 'com.ddev.approot', 'io.lando.root'];

/** The databases among the containers of the project in a folder. */
export async function databasesStartedIn(runtime: ContainerRuntime, folder: string): Promise<Database[]> {
  const all = await runtime.containers.listAll();
  const own = all.filter(({ labels }) => FOLDER_LABELS.some((label) => labels[label] === folder));
  const found = await findDatabases(runtime);
  return found.filter(({ source }) => source.kind === 'container' && own.some(({ id }) => id === source.id));
}

/** Undefined if there is no such container; flavor null if it isn't a database. */
export async function databaseOfContainer(
  runtime: ContainerRuntime,
  nameOrId: string,
): Promise<Database | undefined> {
  const container = await runtime.containers.examine(nameOrId);
  if (container === undefined) return undefined;
  const image = await runtime.images.inspect(container.Image).catch(() => undefined);
  return configOf(runtime, container, image, await runtime.containers.listAll());
}

export interface Surroundings {
  image: LocalImage | undefined;
  /** By the name of the container's image; undefined: there is none. */
  namedImageId: string | undefined;
  volumes: ReadonlyMap<string, VolumeFacts>;
  others: readonly ListedContainer[];
  passport: ContainerRuntime['passport'];
  platform: NodeJS.Platform;
  exists: (path: string) => boolean;
  ownOptions: Pick<DatabaseService, 'options' | 'warnings'> | null;
}

async function configOf(
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
  const startsItself = serverImage(container.Config.Image)?.startsItself === true;
  return describeContainer(container, {
    ...{ image, volumes, others, namedImageId: named?.id },
    passport: runtime.passport,
    platform: process.platform,
    exists: existsSync,
    ownOptions: startsItself ? await optionsInContainer(runtime, container) : null,
  });
}

/** Pure. */
export function describeContainer(container: ExaminedContainer, around: Surroundings): Database {
  const { Id: id, Name: name, Config, State } = container;
  const project = Config.Labels[PROJECT_LABEL] ?? null;
  const own = serverImage(Config.Image);
  const { ownOptions } = around;
  const official = own?.startsItself === true ? own.official : null;
  const { options, refused, datadir, port, isScript, hasOtherWords } = readCommand(
    official === null ? Config.Cmd : [],
    own?.datadir,
  );
  const { storage, refusal } = storageOf(container, datadir, around.volumes, around.platform);
  const [path, ...otherPaths] = pathsOf(container, port, around.others);
  const flavor = flavorOf(container, around.image);
  const files = composeFiles(Config.Labels, around.exists);
  const isMoved = around.namedImageId !== container.Image;
  const service: DatabaseService = {
    name: Config.Labels[SERVICE_LABEL] ?? name,
    flavor,
    image: isMoved ? container.Image : Config.Image,
    built: false,
    official: official === null ? null : { image: official, isAlways: true },
    storage,
    path,
    otherPaths,
    limits: limitsOf(container),
    options: ownOptions?.options ?? options,
    configFiles: ownOptions === null ? configFiles(container, around) : [],
    platform: isForeign(around) ? `linux/${around.image?.architecture ?? ''}` : null,
    container: { id, running: State.Running },
    warnings: [
      ...(official === null
        ? []
        : [msg(ownOptions === null ? 'compose.ownStart' : 'compose.ownStartRead', { official })]),
      ...(ownOptions?.warnings ?? []),
      ...(isForeign(around)
        ? [
            emulationMessage(
              { used: Config.Image, architecture: around.image?.architecture ?? null },
              around.passport,
            ),
          ]
        : []),
      ...(isScript ? [msg('yourDatabase.script')] : []),
      ...(hasOtherWords ? [msg('compose.notAnOption')] : []),
      ...(refused.length === 0 ? [] : [msg('yourDatabase.commandLeftOut', { list: refused.join(', ') })]),
      ...(isMoved ? [msg('yourDatabase.movedTag', { image: Config.Image })] : []),
      ...((container.HostConfig.CpusetCpus ?? '') === '' ? [] : [msg('yourDatabase.cpuset')]),
      ...(project !== null && files.length === 0 ? [msg('yourDatabase.filesGone')] : []),
      ...(storage.kind === 'nfs' || storage.kind === 'volume-options' ? [msg('compose.insideVolume')] : []),
    ],
    refusal: flavor === null ? msg('yourDatabase.noDatabase', { image: Config.Image }) : refusal,
  };
  return { source: { kind: 'container', id, name, files, project }, services: [service] };
}

function flavorOf({ Config }: ExaminedContainer, image: LocalImage | undefined): Flavor | null {
  const named = serverImage(Config.Image);
  const known = image === undefined || named?.startsItself === true ? named : identifyImage(image);
  return known?.flavor ?? null;
}

function isForeign({ image, passport }: Surroundings): boolean {
  return image !== undefined && isEmulated(image, passport);
}

/** Source: Docker Engine API, HostConfig: `CpuQuota` of each `CpuPeriod`, which is 100 ms unless given. */
function limitsOf({ HostConfig }: ExaminedContainer): Limits {
  const { NanoCpus, CpuQuota, CpuPeriod, Memory } = HostConfig;
  const cpus = counted(NanoCpus, 1e9) ?? counted(CpuQuota, counted(CpuPeriod, 1) ?? 100_000);
  return { cpus, memoryMiB: counted(Memory, 2 ** 20) };
}

/** 0 and -1 are no limit. */
function counted(value: number | null | undefined, unit: number): number | null {
  return (value ?? 0) > 0 ? (value ?? 0) / unit : null;
}

function composeFiles(labels: Record<string, string>, exists: (path: string) => boolean): string[] {
  const folder = labels[FOLDER_LABEL] ?? '';
  const files = (labels[FILES_LABEL] ?? '').split(',').filter((file) => file !== '');
  const all = files.map((file) => resolve(folder, file));
  return all.every(exists) ? all : [];
}

function configFiles({ Mounts }: ExaminedContainer, { passport, platform }: Surroundings): string[] {
  if (passport.runtime.remote) return [];
  return inServerOrder(
    Mounts.filter(({ Type }) => Type === 'bind').map(({ Destination, Source }) => ({
      target: normalPath(Destination),
      path: hostPath(Source ?? '', platform),
    })),
  );
}

interface ServerCommand {
  options: string[];
  /** Names of the others, whose values may be secrets. */
  refused: string[];
  datadir: string;
  port: number;
  /** A script decides what the server gets. */
  isScript: boolean;
  hasOtherWords: boolean;
}

export function readCommand(command: readonly string[], usual: string = OFFICIAL_DATADIR): ServerCommand {
  const { words, other } = serverWords(command.map((text) => ({ text })));
  const { options, others } = commandOptions(words);
  const valueOf = (name: string): string | undefined =>
    options.filter((one) => one.name === name).at(-1)?.value;
  const port = Number(valueOf('port') ?? SERVER_PORT);
  const own = options.filter((option) => !isPlace(option));
  const refused = own.filter((option) => whyUnmeasured(optionText(option)) !== undefined);
  return {
    options: own.filter((option) => !refused.includes(option)).map(optionText),
    refused: [...new Set(refused.map(({ written }) => written))].slice(0, MOST_TOLD),
    datadir: normalPath(valueOf('datadir') ?? usual),
    port: Number.isInteger(port) ? port : SERVER_PORT,
    isScript: other !== undefined,
    hasOtherWords: others.length > 0,
  };
}
