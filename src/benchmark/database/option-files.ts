import { basename } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message, type Said } from '../../shared/message.ts';
import type { DatabaseService } from '../../shared/model/database.ts';
import { parseConfig } from '../../shared/options/option-file.ts';
import { isPlace, serverOption } from '../../shared/options/option.ts';
import { whyUnmeasured } from '../../shared/options/tuning.ts';
import { readApart } from '../reading/reader.ts';
import { foundAt } from '../compose/found-file.ts';

const MOST_TOLD = 50;

export interface OptionText {
  path: string;
  /** Undefined: unreadable. */
  text: string | undefined;
  /** False: no warning names what is left out. */
  isNews?: boolean;
}

interface FileOptions {
  options: string[];
  files: string[];
  warnings: Message[];
}

export function optionsOfTexts(texts: readonly OptionText[], datadir?: string): FileOptions {
  const read: FileOptions = { options: [], files: texts.map(({ path }) => path), warnings: [] };
  for (const { path, text, isNews = true } of texts) {
    const file = basename(path);
    if (text === undefined) {
      read.warnings.push(msg('yourDatabase.fileUnread', { file }));
      continue;
    }
    const { options, leftOut } = parseConfig(text, file, whyUnmeasured);
    read.options.push(...options);
    const list = isNews ? placesLeftOut(file, leftOut) : '';
    if (list !== '') read.warnings.push(msg('yourDatabase.leftOut', { list }));
    const moved = leftOut.filter(({ option }) => serverOption(option ?? '')?.name === 'datadir').at(-1);
    if (moved !== undefined && datadir !== undefined && serverOption(moved.option ?? '')?.value !== datadir)
      read.warnings.push(msg('yourDatabase.datadirInFile', { file, line: moved.line, datadir }));
  }
  return read;
}

/** Files' options come before the command's. */
export async function withConfigFiles(service: DatabaseService): Promise<DatabaseService> {
  const { options, warnings } = optionsOfTexts(await textsOf(service), service.storage.datadir);
  return {
    ...service,
    options: [...options, ...service.options],
    warnings: [...service.warnings, ...warnings],
  };
}

async function textsOf({ configFiles }: DatabaseService): Promise<OptionText[]> {
  const texts: OptionText[] = [];
  for (const path of configFiles) {
    const found = await foundAt(path);
    texts.push({ path, text: found.kind === 'text' ? found.text : undefined });
  }
  return texts;
}

/** "own.cnf:3 plugin-load-add, own.cnf:9", without values, which may be secrets. */
function placesLeftOut(file: string, leftOut: ReturnType<typeof parseConfig>['leftOut']): string {
  const all = leftOut.flatMap(({ line, option }) => {
    const read = serverOption(option ?? '');
    if (read !== undefined && isPlace(read)) return [];
    return [`${file}:${line}${option === null ? '' : ` ${read?.written ?? '–'}`}`];
  });
  return [...all.slice(0, MOST_TOLD), ...(all.length > MOST_TOLD ? ['…'] : [])].join(', ');
}

/** Rejects with PRESET_INVALID and a line of evidence per refused line. */
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
