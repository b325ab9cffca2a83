import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/message.ts';
import type { Flavor } from '../../shared/model/names.ts';
import type { Setup, SetupService } from '../../shared/model/setup.ts';
import { settingsOfOptions } from '../../shared/setup/options/option-settings.ts';
import { isPlace, serverOption } from '../../shared/setup/options/option.ts';
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
      .filter(({ option }) => !isOwn(option))
      .map(({ line, option }) => `${file}:${line}${option === null ? '' : ` ${nameOf(option)}`}`);
    if (list.length > 0) warnings.push(msg('mySetup.leftOut', { list: list.join(', ') }));
    const datadir = leftOut.filter(({ option }) => serverOption(option ?? '')?.name === 'datadir').at(-1);
    if (datadir !== undefined && serverOption(datadir.option ?? '')?.value !== service.storage.datadir) {
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
  const own = options.filter((option) => !isOwn(option));
  const refused = own.filter((option) => refusalOf(option, flavor) !== undefined);
  return {
    options: own.filter((option) => !refused.includes(option)),
    warnings:
      refused.length === 0
        ? []
        : [msg('mySetup.commandLeftOut', { list: [...new Set(refused.map(nameOf))].join(', ') })],
  };
}

/** As presets have it: a setting, or an option that tunes the server. */
function refusalOf(option: string, flavor: Flavor | null): string | undefined {
  return settingsOfOptions([option], flavor).others.length === 0 ? undefined : refusedOption(option);
}

function isOwn(option: string | null): boolean {
  const read = serverOption(option ?? '');
  return read !== undefined && isPlace(read);
}

/** Without its value, which may be a secret. */
function nameOf(option: string): string {
  return serverOption(option)?.written ?? '–';
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
