import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, relative, resolve } from 'node:path';
import { emulationMessage, isEmulated } from '../../shared/docker/emulation.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/message.ts';
import type { Passport } from '../../shared/model/passport.ts';
import type { Database, DatabaseService } from '../../shared/model/database.ts';
import { hasControl, noDatabase } from '../../shared/compose/service.ts';
import { otherFile } from '../../shared/compose/other-file.ts';
import { composeFileOf } from '../../shared/compose/other-projects.ts';
import type { Environment } from '../compose/other-projects.ts';
import { readProject, type ProjectFiles } from '../compose/read-project.ts';
import { readApart } from '../reading/reader.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { identifyImage } from '../servers/image.ts';
import { databaseOfContainer, databasesStartedIn, findDatabases } from './container-databases.ts';
import { foundAt, textAt } from '../compose/found-file.ts';
import { withConfigFiles } from './option-files.ts';
import { namesIn, stackIn, stackOf } from './stacks.ts';
import { othersIn, waysIn } from './ways-in.ts';

const NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'];
const OVERRIDES = [
  'compose.override.yml',
  'compose.override.yaml',
  'docker-compose.override.yml',
  'docker-compose.override.yaml',
];
const MOST_TOLD = 50;

interface DatabaseRequest {
  /** A Compose file or its folder, or otherwise a container's name or ID. */
  target: string;
  files?: readonly string[];
  profiles?: readonly string[];
  environment?: Environment;
  runtime?: ContainerRuntime | undefined;
}

/**
 * Rejects like `askCompose`, and with DATABASE_REFUSED; evidence has each problem or, without Compose,
 * containers to open.
 */
export async function openDatabase({
  target,
  files = [],
  profiles = [],
  environment = process.env,
  runtime,
}: DatabaseRequest): Promise<Database> {
  const question = { target, files, profiles, environment };
  try {
    const database = await readApart('compose', composeHere, question, (reason) =>
      databaseRefused(target, [reason]),
    );
    if (database !== null) return runtime === undefined ? database : await withContainers(database, runtime);
  } catch (error) {
    if (runtime === undefined || !(error instanceof BenchmarkError)) throw error;
    return instead(error, resolve(target), runtime);
  }
  const ofContainer = runtime === undefined ? undefined : await databaseOfContainer(runtime, target);
  if (ofContainer !== undefined) return ofContainer;
  throw databaseRefused(target, [msg('compose.target.none', { name: target })]);
}

async function withContainers(database: Database, runtime: ContainerRuntime): Promise<Database> {
  const known = await flavored(database, runtime);
  return onEngine(known, await findDatabases(runtime).catch(() => []), runtime.passport);
}

/** Local images show flavors better than names do. */
export async function flavored(
  database: Database,
  { images }: Pick<ContainerRuntime, 'images'>,
): Promise<Database> {
  const services: DatabaseService[] = [];
  for (const service of database.services) {
    const image = await images.inspect(service.image).catch(() => undefined);
    const flavor = (image === undefined ? undefined : identifyImage(image)?.flavor) ?? service.flavor;
    services.push({ ...service, flavor });
  }
  return { ...database, services };
}

/** Throws the error if the project has no such container. */
async function instead(error: BenchmarkError, path: string, runtime: ContainerRuntime): Promise<Database> {
  const isStack = error.evidence.some((one) => typeof one === 'object' && one.code === 'compose.stack');
  if (!isStack && error.code !== 'COMPOSE_NOT_FOUND') throw error;
  const isFolder = (await foundAt(path)).kind === 'folder';
  const folder = isFolder ? path : (stackIn(path) ?? dirname(path));
  const found = await databasesStartedIn(runtime, folder);
  const [first] = found;
  if (isStack && first !== undefined) return first;
  const names = found.flatMap(({ source }) => (source.kind === 'container' ? [source.name] : []));
  if (names.length === 0) throw error;
  const evidence = [...error.evidence, msg('compose.containers', { names: names.join(', ') })];
  throw new BenchmarkError(error.code, error.params, { evidence });
}

export function isFileName(target: string): boolean {
  return /[\\/]|\.ya?ml$/i.test(target);
}

/** Null: no Compose file, not even an overriding one. */
export async function composeHere({
  target,
  files,
  profiles,
  environment,
}: Required<Omit<DatabaseRequest, 'runtime'>>): Promise<Database | null> {
  const path = resolve(target);
  const found = await foundAt(path);
  const mayBeContainer = files.length === 0 && !isFileName(target);
  if (found.kind === 'unread' && found.isMissing && mayBeContainer) return null;
  if (found.kind === 'unread') {
    throw databaseRefused(target, [msg('compose.target.noFile', { name: target, reason: found.reason })]);
  }
  const name = target === '.' ? path : target;
  const folder = found.kind === 'folder' ? path : stackIn(path);
  const { main, others } =
    found.kind === 'folder'
      ? await filesOf(path, name, environment)
      : { main: await filesOfFile(path, found.text, files), others: [] };
  const all = [...main, ...files.map((file) => resolve(file))];
  // COMPOSE_FILE may name files of other folders.
  const isElsewhere =
    folder !== undefined && stackIn(path) === undefined && dirname(main[0] ?? '') !== folder;
  const env = join(folder ?? '', '.env');
  const envFile = isElsewhere && (await foundAt(env)).kind === 'text' ? env : undefined;
  return databaseOf(all, { profiles, environment, name, envFile, others });
}

async function filesOfFile(path: string, text: string, more: readonly string[]): Promise<string[]> {
  const stack = await stackOf(path, homedir());
  if (stack !== undefined && stack.files.length > 0) return stack.files;
  if (stack?.name === 'Lando')
    throw databaseRefused(path, [msg('compose.stack', { stack: stack.name, command: stack.start })]);
  const other = composeFileOf(path, text) === undefined ? otherFile(path, text) : undefined;
  if (other !== undefined) throw other;
  return withOverride(path, more);
}

interface FolderFiles {
  main: string[];
  /** Paths relative to the folder. */
  others: string[];
}

async function filesOf(folder: string, name: string, environment: Environment): Promise<FolderFiles> {
  const compose = await filesOfFolder(folder, environment);
  const ways = (await waysIn(folder)).filter((file) => !compose.includes(file));
  const [first, ...rest] = ways;
  const shown = (files: readonly string[]): string[] => files.map((file) => relative(folder, file));
  if (compose.length > 0) return { main: compose, others: shown(ways) };
  if (first !== undefined)
    return { main: await filesOfFile(first, await textAt(first), []), others: shown(rest) };
  throw databaseRefused(name, [msg('compose.target.noCompose', { name }), ...(await othersIn(folder))]);
}

interface Asked extends Pick<ProjectFiles, 'envFile'> {
  profiles: readonly string[];
  environment: Environment;
  name: string;
  others: readonly string[];
}

async function databaseOf(
  files: readonly string[],
  { profiles, environment, name, envFile, others }: Asked,
): Promise<Database> {
  if (files.some(hasControl)) throw databaseRefused(name, [msg('compose.control')]);
  const { around, services, warnings } = await readProject({ files, profiles, environment, envFile });
  const more = others.length === 0 ? [] : [msg('compose.alsoHere', { files: others.join(', ') })];
  if (services.length === 0) throw databaseRefused(name, [...noDatabase(around), ...more]);
  const given = {
    ...(profiles.length === 0 ? {} : { profiles: [...profiles] }),
    ...(envFile === undefined ? {} : { envFile }),
  };
  const whole = await Promise.all(services.map(withConfigFiles));
  return {
    source: { kind: 'compose', files: [...files], ...given, project: around.model.name },
    services: await Promise.all(
      whole.map(async (service) => ({
        ...service,
        warnings: [...service.warnings, ...warnings, ...(await dbimageOf(service, files)), ...more],
      })),
    ),
  };
}

/** DDEV's `dbimage` replaces its own image. */
async function dbimageOf({ name }: DatabaseService, [first = '']: readonly string[]): Promise<Message[]> {
  const folder = dirname(first);
  if (basename(folder) !== '.ddev' || name !== 'db') return [];
  const lines = (await textAt(join(folder, 'config.yaml'))).split('\n');
  const line = 1 + lines.findIndex((one) => /^dbimage:\s*[^\s#]/.test(one));
  return line === 0 ? [] : [msg('compose.dbimage', { file: '.ddev/config.yaml', line })];
}

async function filesOfFolder(folder: string, environment: Environment): Promise<string[]> {
  const own = await textAt(join(folder, '.env'));
  const value = (name: string): string | undefined =>
    environment[name] ?? new RegExp(`^${name}=["']?([^"'\\r\\n]*)`, 'm').exec(own)?.[1];
  const listed = value('COMPOSE_FILE') ?? '';
  if (listed !== '') {
    return listed.split(value('COMPOSE_PATH_SEPARATOR') ?? delimiter).map((file) => resolve(folder, file));
  }
  const main = await firstOf(folder, NAMES);
  return main === undefined ? [] : withOverride(join(folder, main), []);
}

async function withOverride(file: string, more: readonly string[]): Promise<string[]> {
  const folder = dirname(file);
  if (more.length > 0 || !NAMES.includes(basename(file))) return [file];
  const override = await firstOf(folder, OVERRIDES);
  return override === undefined ? [file] : [file, join(folder, override)];
}

async function firstOf(folder: string, names: readonly string[]): Promise<string | undefined> {
  const found = await namesIn(folder);
  return names.find((name) => found.includes(name));
}

export function databaseRefused(name: string, evidence: Message[]): BenchmarkError {
  return new BenchmarkError('DATABASE_REFUSED', { name }, { evidence: evidence.slice(0, MOST_TOLD) });
}

export function onEngine(database: Database, containers: readonly Database[], passport: Passport): Database {
  const { project } = database.source;
  const own = containers
    .filter(({ source }) => source.project === project)
    .flatMap(({ services }) => services);
  return { ...database, services: database.services.map((service) => withEngine(service, own, passport)) };
}

function withEngine(
  service: DatabaseService,
  own: readonly DatabaseService[],
  passport: Passport,
): DatabaseService {
  const found = own.find(({ name }) => name === service.name);
  const architecture = service.platform?.split('/')[1] ?? null;
  const emulated = isEmulated({ architecture }, passport)
    ? [emulationMessage({ used: service.image, architecture }, passport)]
    : [];
  // Only the engine has the driver of a volume that was made outside Compose.
  const isOutside = service.storage.kind === 'named-volume' && service.storage.driver === null;
  const known = isOutside && found !== undefined ? found : service;
  const whole = found?.official?.isAlways === true ? ofItself(service, found) : service;
  return {
    ...whole,
    storage: { ...known.storage, at: service.storage.at },
    refusal: service.refusal ?? known.refusal,
    flavor: found?.flavor ?? service.flavor,
    container: found?.container ?? null,
    warnings: [
      ...emulated,
      ...whole.warnings.filter((one) => known === service || one.code !== 'compose.externalVolume'),
    ],
  };
}

/** The options of a container are complete: they include the project's option files. */
function ofItself(service: DatabaseService, found: DatabaseService): DatabaseService {
  const { image, official, configFiles } = found;
  const options = [...new Set([...found.options, ...service.options])];
  const own = service.warnings.filter(({ code }) => !OF_FILES.has(code) && code !== 'compose.ownStart');
  const more = found.warnings.filter(({ code }) => OF_FILES.has(code) || code === 'compose.ownStartRead');
  return { ...service, image, official, options, configFiles, warnings: [...own, ...more] };
}

const OF_FILES: ReadonlySet<string> = new Set(['yourDatabase.leftOut', 'yourDatabase.fileUnread']);
