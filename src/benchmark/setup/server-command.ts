import { posix } from 'node:path';

/** Where images of all flavors keep their data. */
const DATADIR = '/var/lib/mysql';
const PROGRAM = /(?:^|\/)(?:mysqld|mysqld_safe|mariadbd|mariadbd-safe)$/;
const SHELL = /(?:^|\/)(?:ba|da|z|k)?sh$/;

interface ServerCommand {
  /** `--name` or `--name=value`. */
  options: string[];
  datadir: string;
  port: number;
  /** A script decides what the server gets. */
  isScript: boolean;
}

/** What a container's command says of its server. */
export function readCommand(words: readonly string[]): ServerCommand {
  const [first = ''] = words;
  const isScript = SHELL.test(first) || (first !== '' && !first.startsWith('-') && !PROGRAM.test(first));
  const options = isScript ? [] : optionsOf(words.filter((word) => !PROGRAM.test(word)));
  const valueOf = (name: RegExp): string | undefined =>
    options
      .filter((option) => name.test(option))
      .at(-1)
      ?.replace(/^[^=]*=/, '');
  const port = Number(valueOf(/^--port=/) ?? 3306);
  return {
    options,
    datadir: posix.normalize(valueOf(/^--datadir=/) ?? DATADIR).replace(/(?<=.)\/$/, ''),
    port: Number.isInteger(port) ? port : 3306,
    isScript,
  };
}

/** A value may be a separate word. */
function optionsOf(words: readonly string[]): string[] {
  const options: string[] = [];
  for (const word of words) {
    const last = options.at(-1);
    if (word.startsWith('-')) options.push(word);
    else if (last?.startsWith('--') === true && !last.includes('=')) {
      options.splice(-1, 1, `${last}=${word}`);
    }
  }
  return options;
}
