import { delimiter, dirname, join, resolve } from 'node:path';
import { homedir } from 'node:os';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Message } from '../../shared/message.ts';
import type { Setup } from '../../shared/model/setup.ts';
import type { Found } from '../../shared/setup/compose/input.ts';
import { readCompose } from '../../shared/setup/compose/read-compose.ts';
import { variablesOf } from '../../shared/setup/compose/env-text.ts';
import { variablesIn } from '../../shared/setup/compose/interpolate.ts';
import { refusedOption } from '../../shared/options/tuning.ts';
import { foundAt } from './found-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** In Compose's order; an override file belongs to any of them. */
const NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'];
const OVERRIDES = [
  'compose.override.yml',
  'compose.override.yaml',
  'docker-compose.override.yml',
  'docker-compose.override.yaml',
];
const MOST_TOLD = 50;

/** The files that `docker compose` reads in a folder. Empty: none. */
export async function filesOfFolder(folder: string, environment: Environment): Promise<string[]> {
  const found = await foundAt(join(folder, '.env'));
  const outer = variablesIn(environment);
  const own = found.kind === 'text' ? variablesOf(found.text, outer) : new Map<string, string>();
  const value = (name: string): string | undefined => outer(name) ?? own.get(name);
  const given = value('COMPOSE_FILE');
  if (given !== undefined && given !== '') {
    return given.split(value('COMPOSE_PATH_SEPARATOR') ?? delimiter).map((file) => resolve(folder, file));
  }
  const main = await firstOf(folder, NAMES);
  return main === undefined ? [] : withOverride(join(folder, main));
}

/** As `docker compose` reads an override next to a file with a name that it looks for. */
export async function withOverride(file: string): Promise<string[]> {
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
 * The database services of Compose files, absolute paths. Reads no other machine, and keeps no value of an
 * environment. Rejects with SETUP_REFUSED, with `FILE:LINE: reason` for each problem.
 */
export async function readComposeFiles(
  files: readonly string[],
  {
    profiles = [],
    environment = process.env,
    folder = dirname(files[0] ?? '.'),
    name = files[0] ?? folder,
  }: { profiles?: readonly string[]; environment?: Environment; folder?: string; name?: string } = {},
): Promise<Setup> {
  const known = new Map<string, Found>();
  for (;;) {
    const { needed, setup, problems } = readCompose({
      files,
      folder,
      profiles,
      environment,
      home: homedir(),
      isWindows: process.platform === 'win32',
      resolve,
      folderOf: dirname,
      found: (path) => known.get(path),
      isTuning: (option) => refusedOption(option) === undefined,
    });
    if (needed.length === 0) {
      if (problems.length > 0) throw setupRefused(name, problems);
      return setup;
    }
    for (const path of needed) known.set(path, await foundAt(path));
  }
}

export function setupRefused(name: string, evidence: Message[]): BenchmarkError {
  return new BenchmarkError('SETUP_REFUSED', { name }, { evidence: evidence.slice(0, MOST_TOLD) });
}
