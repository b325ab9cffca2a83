import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BenchmarkError } from '../../../src/shared/errors.ts';
import { inReferences } from '../../helpers/references.ts';

vi.hoisted(() => vi.stubGlobal('__APP_VERSION__', '1.2.3'));
const { makeProgram, runCommand } = await import('../../../src/cli/program.ts');
const { commands } = makeProgram();

let printed = '';
beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed += String(text)), true));
});
afterEach(() => vi.restoreAllMocks());

async function shown(...argv: string[]): Promise<string> {
  printed = '';
  expect(await runCommand(argv)).toBe(0);
  return printed;
}

async function problem(...argv: string[]): Promise<string> {
  const error: unknown = await runCommand(argv).catch((thrown: unknown) => thrown);
  if (!(error instanceof BenchmarkError) || error.code !== 'USAGE') throw error;
  return `${error.message} ${error.hint}`;
}

describe('help', () => {
  it('is there for each command, with every option, however it is asked for', async () => {
    expect(commands.length).toBeGreaterThan(12);
    for (const command of commands) {
      const help = await shown(command.name(), '-h');
      for (const { long } of command.options) expect(help).toContain(long);
      expect(await shown(command.name(), '--help')).toBe(help);
      expect(await shown('help', command.name())).toBe(help);
    }
  });

  it('names every command, and the version is told', async () => {
    const help = await shown('--help');
    for (const command of commands) expect(help).toContain(`  ${command.name()}`);
    expect(await shown('-h')).toBe(help);
    expect(await runCommand([])).toBe(2);
    for (const option of ['--version', '-v']) expect(await shown(option)).toBe('1.2.3\n');
  });
});

describe('a wrong command line', () => {
  it.each([
    [['rum'], /run/],
    [['run', 'x', '--connection', '3'], /--connections/],
    [['run'], /preset.*whalemark run --help/],
    [['plan', 'a', 'b'], /plan.*2/],
    [['plan', 'a', '--until-conclusive', 'three'], /--until-conclusive.*three/],
    [['plan', 'a', '--output', 'x'], /--output/],
    [['plan', 'a', '--allow', 'all'], /--allow.*swarm/],
    [['plan', 'a', '--server-option'], /--server-option/],
    [['run', 'a', '--fail-if', 'disk.x>1'], /--fail-if.*disk\.x>1.*storage, path/],
    [['compare', 'a', 'b', '--fail-if', 'storage.x>1'], /--fail-if.*slower>1\.1/],
    [['report', 'r'], /format/],
    [['report', 'r', 'pdf'], /format.*csv, csv-per-second/],
    [['report', 'r', 'md', '--include', 'host,x'], /--include.*host, user/],
    [['setup', 'x', '--plan', '--run'], /--plan.*--run/],
    [['setup', 'x', '--change', 'path.host-network'], /--change.*--override/],
    [['setup', 'x', '--override', '--change', 'speed.high'], /--change.*FACTOR\.LEVEL/],
    [['time', 'ready', '--change', 'x'], /--change.*--setup/],
    [['presets', 'frobnicate'], /presets/],
  ])('%j is refused with what is wrong and where help is', async (argv, expected) => {
    expect(await problem(...argv)).toMatch(expected);
  });

  it.each(['', '0', '513', '4,2', '1,,2', '1,x', '1,1000', '0,1', '1.5,2'])(
    '--connections %j is refused',
    async (counts) => {
      expect(await problem('plan', 'a', '--connections', counts)).toMatch(/--connections.*1 to 512/);
    },
  );

  it('of a hundred thousand letters is refused at once, and not repeated in full', async () => {
    const took = await inReferences(async () => {
      expect(await problem('plan', `-ab${'n'.repeat(100_000)}`)).toMatch(/^.{0,400}$/);
      expect(await problem('n'.repeat(100_000))).toMatch(/^.{0,400}$/);
    });
    expect(took, 'times the reference work').toBeLessThan(50);
  });
});

describe('options', () => {
  it('take values that begin with a hyphen, and are collected where they may be repeated', () => {
    const plan = commands.find((command) => command.name() === 'plan');
    const argv = [
      'p',
      '--server-option',
      '--innodb-io-capacity=1',
      '--json',
      '--server-option=skip-name-resolve',
    ];
    plan?.parseOptions(argv);
    expect(plan?.opts()).toMatchObject({
      serverOption: ['--innodb-io-capacity=1', '--skip-name-resolve'],
      json: true,
    });
  });
});
