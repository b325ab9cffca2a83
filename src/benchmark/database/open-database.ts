import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { emulationMessage, isEmulated } from '../../shared/docker/emulation.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message, type MessageCode, says } from '../../shared/message.ts';
import type { Passport } from '../../shared/model/passport.ts';
import type { Database, DatabaseService } from '../../shared/model/database.ts';
import { variablesOf } from '../../shared/project/environment.ts';
import type { Found } from '../../shared/project/input.ts';
import { variablesIn } from '../../shared/project/interpolate.ts';
import { stackOf } from '../../shared/project/stacks.ts';
import { readProject, type ProjectReading } from '../../shared/project/read-project.ts';
import { readApart } from '../reading/reader.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { findDatabases, databaseOfContainer } from './container-databases.ts';
import { foundAt } from './found-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'];
const OVERRIDES = [
  'compose.override.yml',
  'compose.override.yaml',
  'docker-compose.override.yml',
  'docker-compose.override.yaml',
];
const MOST_TOLD = 50;

interface DatabaseRequest {
  /** Path of a Compose file or its folder, or name or ID of a container if there is no such file. */
  target: string;
  files?: readonly string[];
  profiles?: readonly string[];
  environment?: Readonly<Record<string, string | undefined>>;
  runtime?: ContainerRuntime | undefined;
}

/** Rejects with DATABASE_REFUSED: one line of evidence for each problem, `FILE:LINE: reason`. */
export async function openDatabase({
  target,
  files = [],
  profiles = [],
  environment = process.env,
  runtime,
}: DatabaseRequest): Promise<Database> {
  const question = { target, files, profiles, environment };
  const database = await readApart('compose', composeHere, question, (reason) =>
    databaseRefused(target, [reason]),
  );
  if (database === null) {
    const ofContainer = runtime === undefined ? undefined : await databaseOfContainer(runtime, target);
    if (ofContainer !== undefined) return ofContainer;
    throw databaseRefused(target, [msg('compose.target.none', { name: target })]);
  }
  if (runtime === undefined) return database;
  return onEngine(database, await findDatabases(runtime).catch(() => []), runtime.passport);
}

/** Whether it can't be the name of a container. */
export function isFileName(target: string): boolean {
  return /[\\/]|\.ya?ml$/i.test(target);
}

/** Null: there is no such file, and none that overrides it. */
export async function composeHere({
  target,
  files,
  profiles,
  environment,
}: Required<
  Pick<DatabaseRequest, 'target' | 'files' | 'profiles' | 'environment'>
>): Promise<Database | null> {
  const path = resolve(target);
  const name = target === '.' ? path : target;
  const found = await foundAt(path);
  const mayBeContainer = files.length === 0 && !isFileName(target);
  if (found.kind === 'unread' && found.isMissing && mayBeContainer) return null;
  if (found.kind === 'unread') {
    throw databaseRefused(name, [msg('compose.target.noFile', { name, reason: found.reason })]);
  }
  const more = files.map((file) => resolve(file));
  const read = async (main: readonly string[], folder = dirname(main[0] ?? path)): Promise<Database> =>
    (await readComposeFiles([...main, ...more], { profiles, environment, name, folder })).database;
  if (found.kind === 'text') return read(await mainFiles(path, files));
  const compose = await filesOfFolder(path, environment);
  const stacks = [await ddevFiles(path), await landoFiles(path)].filter((one) => one.length > 0);
  const tries = [
    ...(compose.length > 0 ? [() => read(compose, path)] : []),
    ...stacks.map((one) => () => read(one)),
  ];
  if (tries.length === 0) throw databaseRefused(name, [msg('compose.target.noCompose', { name })]);
  return firstRead(tries);
}

/** What can be read first. Rejects like the first. */
async function firstRead([first, ...others]: (() => Promise<Database>)[]): Promise<Database> {
  if (first === undefined) throw new Error('nothing to read');
  try {
    return await first();
  } catch (error) {
    if (others.length === 0) throw error;
    return firstRead(others).catch(() => {
      throw error;
    });
  }
}

/** DDEV's configuration, and what it hands to Compose. Source: DDEV's documentation, "Config options", "Custom Compose". */
async function ddevFiles(folder: string): Promise<string[]> {
  const own = join(folder, '.ddev');
  const found = await foundAt(own);
  if (found.kind !== 'folder' || !found.names.includes('config.yaml')) return [];
  const more = (pattern: RegExp): string[] => found.names.filter((name) => pattern.test(name));
  return ['config.yaml', ...more(/^config\..+\.ya?ml$/), ...more(/^docker-compose\..+\.ya?ml$/)].map((name) =>
    join(own, name),
  );
}

/** In Lando's order. Source: Lando's documentation, "Landofile". */
async function landoFiles(folder: string): Promise<string[]> {
  const found = await foundAt(folder);
  const names = ['.base', '.dist', '.recipe', '.upstream', '', '.local', '.user'].map(
    (one) => `.lando${one}.yml`,
  );
  if (found.kind !== 'folder' || !found.names.includes('.lando.yml')) return [];
  return names.filter((name) => found.names.includes(name)).map((name) => join(folder, name));
}

async function mainFiles(path: string, more: readonly string[]): Promise<string[]> {
  const stack = stackOf(path);
  if (stack === 'ddev') return ddevFiles(dirname(dirname(path)));
  if (stack === 'lando') return landoFiles(dirname(path));
  return more.length === 0 ? withOverride(path) : [path];
}

async function filesOfFolder(folder: string, environment: Environment): Promise<string[]> {
  const found = await foundAt(join(folder, '.env'));
  const outer = variablesIn(environment);
  const own = found.kind === 'text' ? variablesOf(found.text, outer) : new Map<string, string>();
  const value = (name: string): string | undefined => outer(name) ?? own.get(name);
  const listed = value('COMPOSE_FILE');
  if (listed !== undefined && listed !== '') {
    return listed.split(value('COMPOSE_PATH_SEPARATOR') ?? delimiter).map((file) => resolve(folder, file));
  }
  const main = await firstOf(folder, NAMES);
  return main === undefined ? [] : withOverride(join(folder, main));
}

async function withOverride(file: string): Promise<string[]> {
  const folder = dirname(file);
  if (!NAMES.some((name) => join(folder, name) === file)) return [file];
  const override = await firstOf(folder, OVERRIDES);
  return override === undefined ? [file] : [file, join(folder, override)];
}

async function firstOf(folder: string, names: readonly string[]): Promise<string | undefined> {
  const found = await foundAt(folder);
  return found.kind === 'folder' ? names.find((name) => found.names.includes(name)) : undefined;
}

/**
 * The database services of Compose files. Keeps no value of an environment. Rejects with DATABASE_REFUSED, with
 * `FILE:LINE: reason` for each problem.
 */
export async function readComposeFiles(
  files: readonly string[],
  {
    profiles = [],
    environment = process.env,
    folder = dirname(files[0] ?? '.'),
    name = files[0] ?? folder,
  }: { profiles?: readonly string[]; environment?: Environment; folder?: string; name?: string } = {},
): Promise<Pick<ProjectReading, 'database' | 'project'>> {
  const known = new Map<string, Found>();
  for (;;) {
    const { needed, database, project, problems } = readProject({
      files,
      folder,
      profiles,
      environment,
      home: homedir(),
      isWindows: process.platform === 'win32',
      resolve,
      folderOf: dirname,
      found: (path) => known.get(path),
    });
    if (needed.length === 0) {
      if (problems.length > 0) throw databaseRefused(name, problems);
      return { database, project };
    }
    for (const path of needed) known.set(path, await foundAt(path));
  }
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
  // Of a volume that was made outside Compose, only the engine knows the driver.
  const isOutside = service.storage.kind === 'named-volume' && service.storage.driver === null;
  const known = isOutside && found !== undefined ? found : service;
  const isUnknown = saysReason(service.refusal, 'compose.stackVersion') && found !== undefined;
  const whole = found?.official?.isAlways === true ? ofItself(service, found) : service;
  return {
    ...whole,
    storage: { ...known.storage, at: service.storage.at },
    refusal: isUnknown ? found.refusal : (service.refusal ?? known.refusal),
    flavor: service.flavor ?? found?.flavor ?? null,
    container: found?.container ?? null,
    warnings: [
      ...emulated,
      ...whole.warnings.filter((one) => known === service || !saysReason(one, 'compose.externalVolume')),
    ],
  };
}

function ofItself(service: DatabaseService, found: DatabaseService): DatabaseService {
  const { image, official, warnings } = found;
  const options = [...found.options, ...service.options];
  const own = service.warnings.filter((one) => !says(one, 'compose.ownStart'));
  const more = warnings.filter(
    ({ code }) => code === 'yourDatabase.leftOut' || code === 'compose.ownStartRead',
  );
  return { ...service, image, official, options, configFiles: [], warnings: [...own, ...more] };
}

function saysReason(said: Message | null, code: MessageCode): boolean {
  return said !== null && says(said, code);
}
