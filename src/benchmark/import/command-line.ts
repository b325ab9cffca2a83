import { DISTRIBUTIONS, type Distribution } from '../../shared/model/names.ts';

export interface CommandOptions {
  workload: string | null;
  distribution: Distribution | null;
  threads: number | null;
  percentile: number | null;
  rate: number | null;
}

export const NO_OPTIONS: CommandOptions = {
  workload: null,
  distribution: null,
  threads: null,
  percentile: null,
  rate: null,
};

const VERBS: ReadonlySet<string> = new Set(['run', 'prepare', 'cleanup', 'prewarm', 'warmup', 'help']);

/** Joins commands that continue over lines. */
export class CommandReader {
  #options: CommandOptions = NO_OPTIONS;
  #continues = false;

  read(body: string): boolean {
    const goesOn = this.#continues || body.startsWith('--');
    const words = body.split(/\s+/);
    const begins = !goesOn && isCommand(words);
    if (begins) this.#options = { ...NO_OPTIONS };
    if (begins || goesOn) this.#options = withWords(this.#options, words);
    this.#continues = (begins || goesOn) && body.endsWith('\\');
    return begins;
  }

  take(): CommandOptions {
    const options = this.#options;
    this.#options = NO_OPTIONS;
    return options;
  }
}

/** `sysbench` or a script with an option, a verb, or a continuation; prose has none. */
function isCommand(words: string[]): boolean {
  const program = words.findIndex((word) => /(?:^|\/)sysbench$/.test(word) || /[\w-]\.lua$/.test(word));
  return (
    program !== -1 &&
    words.slice(program + 1).some((word) => word.startsWith('--') || word === 'run' || word === '\\')
  );
}

function withWords(options: CommandOptions, words: string[]): CommandOptions {
  const next = { ...options };
  for (const [index, word] of words.entries()) {
    const [name = '', value = ''] = optionOf(word);
    if (name === '--rand-type' || name === '--oltp-dist-type') {
      next.distribution = DISTRIBUTIONS.find((known) => known === value.toLowerCase()) ?? null;
    } else if (name === '--threads' || name === '--num-threads') {
      next.threads = positive(value);
    } else if (name === '--percentile') {
      next.percentile = positive(value);
    } else if (name === '--rate' || name === '--tx-rate') {
      next.rate = positive(value);
    } else if (name === '--test') {
      next.workload = scriptName(value);
    } else if (next.workload === null) {
      next.workload = scriptOf(word, words[index - 1]);
    }
  }
  return next;
}

function optionOf(word: string): string[] {
  const equals = word.indexOf('=');
  if (!word.startsWith('--') || equals === -1) return [];
  return [word.slice(0, equals).replaceAll('_', '-'), word.slice(equals + 1)];
}

/** A script by its ending, by sysbench's names, or after the program. */
function scriptOf(word: string, before: string | undefined): string | null {
  if (/[\w-]\.lua$/.test(word)) return scriptName(word);
  if (/^(?:oltp|select_random|bulk)_[\w-]{1,60}$/.test(word)) return word;
  const follows = before !== undefined && /(?:^|\/)sysbench$/.test(before);
  return follows && /^[a-z][\w-]{0,60}$/i.test(word) && !VERBS.has(word) ? word : null;
}

function scriptName(path: string): string | null {
  const name =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.lua$/, '') ?? '';
  return /^[\w.-]{1,80}$/.test(name) ? name : null;
}

function positive(text: string): number | null {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(text) && Number(text) > 0 ? Number(text) : null;
}
