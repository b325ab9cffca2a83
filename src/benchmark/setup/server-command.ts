import { posix } from 'node:path';
import { commandOptions, serverWords } from '../../shared/options/command-words.ts';

/** Where images of all flavors keep their data. */
const DATADIR = '/var/lib/mysql';

interface ServerCommand {
  /** `--name` or `--name=value`. */
  options: string[];
  datadir: string;
  port: number;
  /** A script decides what the server gets. */
  isScript: boolean;
  hasOtherWords: boolean;
}

/** What a container's command says of its server. */
export function readCommand(command: readonly string[]): ServerCommand {
  const { words, other } = serverWords(command.map((text) => ({ text })));
  const { options, others } = commandOptions(words);
  const valueOf = (name: string): string | undefined =>
    options.filter((one) => one.name === name).at(-1)?.value;
  const port = Number(valueOf('port') ?? 3306);
  return {
    options: options.map(({ written, value }) => `--${written}${value === undefined ? '' : `=${value}`}`),
    datadir: posix.normalize(valueOf('datadir') ?? DATADIR).replace(/(?<=.)\/$/, ''),
    port: Number.isInteger(port) ? port : 3306,
    isScript: other !== undefined,
    hasOtherWords: others.length > 0,
  };
}
