import { basename, join } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message, type Said } from '../../shared/message.ts';
import type { Database, DatabaseService } from '../../shared/model/database.ts';
import { parseConfig } from '../../shared/options/option-file.ts';
import { isPlace, serverOption } from '../../shared/options/option.ts';
import { whyUnmeasured } from '../../shared/options/tuning.ts';
import type { Found } from '../../shared/compose/surroundings.ts';
import { readApart, readEach } from '../reading/reader.ts';
import { foundAt } from '../compose/found-file.ts';

const MOST_TOLD = 50;

/**
 * With the options of the services' option files before those of their commands. What can't be measured is left out,
 * and a warning says where it is.
 */
export async function withConfigFiles(database: Database): Promise<Database> {
  const [read = database] = await withAllConfigFiles([database]);
  return read;
}

export async function withAllConfigFiles(databases: readonly Database[]): Promise<Database[]> {
  const hasFiles = databases.some(({ services }) =>
    services.some(({ configFiles }) => configFiles.length > 0),
  );
  if (!hasFiles) return optionFilesHere(databases);
  const read = await readEach<Database, Database | null>(
    'option-files',
    optionFilesHere,
    databases,
    () => null,
  );
  return Promise.all(
    databases.map(
      async (database, index) => read[index] ?? withFiles(database, () => Promise.resolve(undefined)),
    ),
  );
}

export async function optionFilesHere(databases: readonly Database[]): Promise<Database[]> {
  const read: Database[] = [];
  for (const database of databases) read.push(await withFiles(database, foundOnce()));
  return read;
}

async function withFiles(database: Database, find: FindFile): Promise<Database> {
  const services: DatabaseService[] = [];
  for (const service of database.services) services.push(await withOwnFiles(service, find));
  return { ...database, services };
}

async function withOwnFiles(service: DatabaseService, find: FindFile): Promise<DatabaseService> {
  const options: string[] = [];
  const warnings: Message[] = [];
  for (const { path, text } of await filesOf(service, find)) {
    const file = basename(path);
    if (text === undefined) {
      warnings.push(msg('yourDatabase.fileUnread', { file }));
      continue;
    }
    const { options: own, leftOut } = parseConfig(text, file, whyUnmeasured);
    options.push(...own);
    const list = placesLeftOut(file, leftOut);
    if (list !== '') warnings.push(msg('yourDatabase.leftOut', { list }));
    const datadir = leftOut.filter(({ option }) => serverOption(option ?? '')?.name === 'datadir').at(-1);
    if (datadir !== undefined && serverOption(datadir.option ?? '')?.value !== service.storage.datadir) {
      warnings.push(
        msg('yourDatabase.datadirInFile', { file, line: datadir.line, datadir: service.storage.datadir }),
      );
    }
  }
  return {
    ...service,
    options: [...options, ...service.options],
    warnings: [...service.warnings, ...warnings],
  };
}

/** "own.cnf:3 plugin-load-add, own.cnf:9"; empty: nothing that would be news. */
export function placesLeftOut(file: string, leftOut: ReturnType<typeof parseConfig>['leftOut']): string {
  return listed(
    leftOut
      .filter(({ option }) => !isOwn(option))
      .map(({ line, option }) => `${file}:${line}${option === null ? '' : ` ${nameOf(option)}`}`),
  );
}

function isOwn(option: string | null): boolean {
  const read = serverOption(option ?? '');
  return read !== undefined && isPlace(read);
}

/** Without its value, which may be a secret. */
function nameOf(option: string): string {
  return serverOption(option)?.written ?? '–';
}

function listed(names: readonly string[]): string {
  return [...names.slice(0, MOST_TOLD), ...(names.length > MOST_TOLD ? ['…'] : [])].join(', ');
}

type FindFile = (path: string) => Promise<Found | undefined>;

function foundOnce(): FindFile {
  const known = new Map<string, Promise<Found>>();
  return (path) => {
    const found = known.get(path) ?? foundAt(path);
    known.set(path, found);
    return found;
  };
}

/** In the service's order; a text that can't be read is undefined. */
async function filesOf(
  { configFiles }: DatabaseService,
  find: FindFile,
): Promise<{ path: string; text: string | undefined }[]> {
  const all: { path: string; text: string | undefined }[] = [];
  for (const path of configFiles) {
    const found = await find(path);
    const names = found?.kind === 'folder' ? found.names.filter((name) => /\.cnf$/.test(name)) : [];
    const files = found?.kind === 'folder' ? names.map((name) => join(path, name)) : [path];
    for (const file of files) {
      const at = await find(file);
      all.push({ path: file, text: at?.kind === 'text' ? at.text : undefined });
    }
  }
  return all;
}

/**
 * Rejects with PRESET_INVALID, with a line of evidence for each refused line.
 */
export function optionsOfConfigFile(
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  const tooMuch = (problem: Message): BenchmarkError => invalid(basename(path), [unread(path, problem)]);
  return readApart('option-file', optionsOfFileHere, { path, platform }, tooMuch);
}

export async function optionsOfFileHere({
  path,
  platform,
}: {
  path: string;
  platform: NodeJS.Platform;
}): Promise<string[]> {
  const name = basename(path);
  const found = await foundAt(path, platform);
  if (found.kind !== 'text') {
    const problem = found.kind === 'folder' ? msg('compose.folder') : found.reason;
    throw invalid(name, [unread(path, problem)]);
  }
  const { options, problems } = parseConfig(found.text, name);
  if (problems.length > 0) throw invalid(name, problems);
  return options;
}

function unread(path: string, problem: Message): Message {
  return msg('field.problem', { field: `server.configFile ${path}`, problem });
}

function invalid(name: string, problems: Said[]): BenchmarkError {
  const evidence = problems.slice(0, MOST_TOLD);
  return new BenchmarkError('PRESET_INVALID', { name, count: String(problems.length) }, { evidence });
}
