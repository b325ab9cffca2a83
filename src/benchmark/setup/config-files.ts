import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/message.ts';
import type { Flavor } from '../../shared/model/names.ts';
import type { Setup, SetupService } from '../../shared/model/setup.ts';
import { settingsOfOptions } from '../../shared/setup/option-settings.ts';
import { parseConfig, readConfig } from '../plan/plan-setups.ts';
import { refusedOption } from '../target/user-options.ts';

/**
 * With the options of the services' option files before those of their commands. What can't be measured is left out,
 * and a warning says where it is.
 */
export async function withConfigFiles(setup: Setup): Promise<Setup> {
  return { ...setup, services: await Promise.all(setup.services.map(withOwnFiles)) };
}

async function withOwnFiles(service: SetupService): Promise<SetupService> {
  const refusal = (option: string): string | undefined => refusalOf(option, service.flavor);
  const options: string[] = [];
  const warnings: Message[] = [];
  for (const path of (await Promise.all(service.configFiles.map(filesOf))).flat()) {
    const file = basename(path);
    const text = await readConfig(path).catch((error: unknown) => {
      if (!(error instanceof BenchmarkError)) throw error;
      return undefined;
    });
    if (text === undefined) {
      warnings.push(msg('mySetup.fileUnread', { file }));
      continue;
    }
    const { options: own, leftOut } = parseConfig(text, file, refusal);
    options.push(...own);
    const list = leftOut
      .filter(({ option }) => !PLACES.has(nameOf(option ?? '')))
      .map(({ line, option }) => `${file}:${line}${option === null ? '' : ` ${nameOf(option)}`}`);
    if (list.length > 0) warnings.push(msg('mySetup.leftOut', { list: list.join(', ') }));
    const datadir = leftOut.filter(({ option }) => nameOf(option ?? '') === 'datadir').at(-1);
    if (datadir !== undefined && datadir.option !== `--datadir=${service.storage.datadir}`) {
      warnings.push(
        msg('mySetup.datadirInFile', { file, line: datadir.line, datadir: service.storage.datadir }),
      );
    }
  }
  const command = measuredOptions(service);
  return {
    ...service,
    options: [...options, ...command.options],
    warnings: [...service.warnings, ...warnings, ...command.warnings],
  };
}

/** Of a command, without those that can't be measured: their values may be secrets. */
export function measuredOptions({ options, flavor }: Pick<SetupService, 'options' | 'flavor'>): {
  options: string[];
  warnings: Message[];
} {
  const own = options.filter((option) => !PLACES.has(nameOf(option)));
  const refused = own.filter((option) => refusalOf(option, flavor) !== undefined);
  return {
    options: own.filter((option) => !refused.includes(option)),
    warnings:
      refused.length === 0
        ? []
        : [msg('mySetup.commandLeftOut', { list: [...new Set(refused.map(nameOf))].join(', ') })],
  };
}

/** Whalemark chooses them for its own server, and they say nothing of speed. */
const PLACES: ReadonlySet<string> = new Set([
  'datadir',
  'port',
  'bind-address',
  'socket',
  'pid-file',
  'user',
]);

/** As presets have it: a setting, or an option that tunes the server. */
function refusalOf(option: string, flavor: Flavor | null): string | undefined {
  if (!/^--[a-z][a-z0-9_.-]*(=[^\n\r\0]*)?$/i.test(option)) return 'it has no long name.';
  return settingsOfOptions([option], flavor).others.length === 0 ? undefined : refusedOption(option);
}

/** Without its value, which may be a secret. */
function nameOf(option: string): string {
  return option
    .replace(/^--?/, '')
    .replace(/[=\s].*$/s, '')
    .replaceAll('_', '-')
    .slice(0, 80);
}

/** A folder's option files, as servers include them. */
async function filesOf(path: string): Promise<string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [path];
  const names = await readdir(path).catch((): string[] => []);
  return names
    .filter((name) => /\.cnf$/.test(name))
    .sort()
    .map((name) => join(path, name));
}
