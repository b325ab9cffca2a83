import { beforeAll, describe, expect, it, vi } from 'vitest';
import type * as args from '../../../src/cli/options/args.ts';
import type * as terminal from '../../../src/cli/text/terminal.ts';
import type { COMMANDS as commands } from '../../../src/cli/commands.ts';

/** The parser was asked; this is what it takes. */
class Asked extends Error {
  readonly options: string[];
  constructor(options: object) {
    super('asked');
    this.options = Object.keys(options);
  }
}
const printed = vi.hoisted((): string[] => []);
vi.hoisted(() => vi.stubGlobal('__APP_VERSION__', '1.2.3'));
vi.mock('../../../src/cli/command-log.ts', () => ({ startCommandLog: () => undefined }));
vi.mock('../../../src/cli/text/terminal.ts', async (original) => ({
  ...(await original<typeof terminal>()),
  print: (text: string) => void printed.push(text),
}));
vi.mock('../../../src/cli/options/args.ts', async (original) => ({
  ...(await original<typeof args>()),
  parse: (_: string[], options: object) => {
    throw new Asked(options);
  },
}));

let runCommand: (argv: string[]) => Promise<number>;
let names: (keyof typeof commands)[] = [];
let help = '';

beforeAll(async () => {
  const cli = await import('../../../src/cli/commands.ts');
  ({ runCommand } = cli);
  // The American spelling is another name of one that is there.
  names = Object.keys(cli.COMMANDS).filter((name) => name !== 'licenses');
  help = await shown('--help');
});

async function shown(...argv: string[]): Promise<string> {
  printed.length = 0;
  expect(await runCommand(argv)).toBe(0);
  return printed.join('\n');
}

/** What the help says of a command: its own lines, and the list of options for the two that share one. */
function linesOf(name: string): string {
  const [own = '', shared = ''] = help.split(/^Options of plan and run:$/m);
  const entries = own.split(/^(?= {2}whalemark )/m);
  const mine = entries.filter((entry) => new RegExp(`^ {2}whalemark ${name}\\b`).test(entry)).join('');
  return ['plan', 'run'].includes(name) ? mine + shared : mine;
}

async function optionsOf(name: string): Promise<string[]> {
  const error: unknown = await runCommand([name]).catch((thrown: unknown) => thrown);
  if (!(error instanceof Asked)) throw error;
  return error.options;
}

describe('the help', () => {
  it('has every option that a command takes, with that command', async () => {
    const missing: string[] = [];
    let seen = 0;
    for (const name of names) {
      const lines = linesOf(name);
      for (const option of await optionsOf(name)) {
        seen++;
        if (!new RegExp(`--${option}(?![\\w-])`).test(lines)) missing.push(`${name} --${option}`);
      }
    }
    expect(seen).toBeGreaterThan(40);
    expect(missing).toEqual([]);
  });

  it('has no option that its command does not take', async () => {
    const unknown: string[] = [];
    for (const name of names.filter((one) => one !== 'plan' && one !== 'run')) {
      const taken = await optionsOf(name);
      for (const [, option = ''] of linesOf(name).matchAll(/--([a-z][a-z-]*)/g)) {
        if (!taken.includes(option) && !['help', 'version'].includes(option))
          unknown.push(`${name} --${option}`);
      }
    }
    expect(unknown).toEqual([]);
  });

  it('has what stands without a command, each of which works', async () => {
    expect(help).toMatch(/^ {2}whalemark --help \| --version .*\(also: -h, -v\)$/m);
    for (const argv of [['-h'], ['help'], ['run', '--help']]) expect(await shown(...argv)).toBe(help);
    for (const option of ['--version', '-v']) expect(await shown(option)).toBe('1.2.3');
  });
});
