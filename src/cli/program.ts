import { Command, CommanderError, Option } from '@commander-js/extra-typings';
import { log, startLog, whoseMachine } from '../benchmark/log/log.ts';
import { knowEndedOwners } from '../benchmark/machine/owner.ts';
import { LANGUAGES } from '../shared/model/settings.ts';
import { EXPORT_FORMATS, PRIVATE_KINDS, type PrivateKind } from '../shared/model/sharing.ts';
import { diagnostics, doctor, licenses } from './commands/doctor.ts';
import { clean } from './commands/clean.ts';
import { importOutput, showHistory } from './commands/history.ts';
import {
  duplicatePreset,
  exportPreset,
  importPreset,
  listPresets,
  removePreset,
  showPreset,
} from './commands/presets.ts';
import { analyzeResult, compareResults, reportResult } from './commands/results.ts';
import { continueRun, planPreset, runPreset } from './commands/run.ts';
import { EXIT, usageOf } from './exit-codes.ts';
import { paths } from './installation.ts';
import { allowOption, oneOf, planCommand } from './plan-command.ts';
import { print } from './text/terminal.ts';

const EXIT_CODES = `
Exit codes: 0 done, 2 wrong usage or preset, 3 no usable runtime, 4 some trials failed
            or something could not be written, 5 nothing measured, 130 stopped by the user (what was
            measured is kept)`;

export async function runCommand(argv: string[]): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = makeProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    if (error.code === 'commander.help') {
      program.outputHelp();
      return EXIT.usage;
    }
    const isCommand = program.commands.some((command) => command.name() === argv[0]);
    throw usageOf(error, isCommand ? argv[0] : undefined);
  }
}

export function makeProgram(end: (exitCode: number) => void = () => undefined) {
  const does =
    <A extends unknown[]>(command: (...args: A) => Promise<number>) =>
    async (...args: A): Promise<void> =>
      end(await command(...args));
  const program = new Command('whalemark')
    .description('Whalemark tells what Docker costs your MySQL.')
    .version(paths.appVersion, '-v, --version')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => undefined })
    .hook('preAction', (_, command) => {
      startCommandLog(command.name(), optionsGiven(command));
      knowEndedOwners(paths.dataDir);
    });
  const asked = (name: string, summary: string) => program.command(name).description(summary);

  asked('doctor', 'which engines were found, and the one in use')
    .option('--json', 'one JSON object on stdout')
    .action(does(doctor));

  const presets = asked('presets', 'built-in presets and your own')
    .option('--json', 'one JSON object on stdout')
    .action(does(listPresets));
  presets.command('show').description('print a preset').argument('<id>').action(does(showPreset));
  presets
    .command('export')
    .description('write a preset to a file')
    .argument('<id>')
    .argument('<file>')
    .option('--force', 'overwrite a file that exists')
    .action(does(exportPreset));
  presets.command('import').description('keep a preset file').argument('<file>').action(does(importPreset));
  presets
    .command('duplicate')
    .description('make a copy to change')
    .argument('<id>')
    .argument('<new-id>')
    .action(does(duplicatePreset));
  presets.command('remove').description('remove one of your own').argument('<id>').action(does(removePreset));

  program.addCommand(
    planCommand('plan')
      .copyInheritedSettings(program)
      .description('what would run, for how long, with what')
      .action(does(planPreset)),
  );
  program.addCommand(
    planCommand('run')
      .copyInheritedSettings(program)
      .description('measure, and report')
      .action(does(runPreset)),
  );
  asked('resume', 'measure what a run that ended early has left')
    .argument('<run>', 'its ID (see: whalemark history)')
    .option('--dsn <url>', 'the external server; better in WHALEMARK_DSN')
    .addOption(allowOption())
    .option('--context <name>', 'Docker context or engine ID; the run’s own by default')
    .option('-o, --output <dir>', 'also write the files that run --output writes')
    .option('--force', 'let --output overwrite files that exist')
    .option('--json', 'one JSON object on stdout')
    .action(does(continueRun));

  asked('analyze', 'read a result file again')
    .argument('<result>')
    .option('--json', 'one JSON object on stdout')
    .action(does(analyzeResult));
  asked('report', 'a result as a file to share: names, paths and addresses are left out')
    .argument('<result>')
    .addOption(new Option('--format <format>').choices(EXPORT_FORMATS).makeOptionMandatory())
    .option('-o, --output <file>', 'where to write it; stdout by default')
    .option('--force', 'let --output overwrite a file that exists')
    .addOption(new Option('--language <language>').choices(LANGUAGES))
    .option('--include <kinds>', `what is not left out, of ${PRIVATE_KINDS.join(',')}`, kindsOf)
    .action(does(reportResult));
  asked('history', 'every run and import kept on this machine')
    .option('--search <text>', 'only those that contain it')
    .option('--json', 'one JSON object on stdout')
    .action(does(showHistory));
  asked('compare', 'runs side by side, the others with the first')
    .argument('<runs...>', 'result files, or IDs of runs')
    .option('--json', 'one JSON object on stdout')
    .action(does(compareResults));
  asked('import', 'read what sysbench printed, and keep it')
    .argument('<file>', 'a file, or - for standard input')
    .option('--name <text>', 'what the history calls it')
    .option('--json', 'one JSON object on stdout')
    .action(does(importOutput));

  asked('clean', 'remove what dead runs left behind')
    .option('--datasets', 'and the tables kept between runs')
    .option(
      '--all',
      'and, once you agree to the list, what is left of processes that can’t be seen from here; unlock their runs',
    )
    .option('--yes', 'agree to the list of --all')
    .option('--context <name>', 'Docker context or engine ID')
    .option('--json', 'one JSON object on stdout')
    .action(does(clean));
  asked('diagnostics', 'what a bug report needs, without names, paths, addresses and passwords')
    .option('-o, --output <file>', 'where to write it; stdout by default')
    .option('--force', 'let --output overwrite a file that exists')
    .action(does(diagnostics));
  asked('licenses', 'what Whalemark contains, and its licenses')
    .option('--json', 'one JSON object on stdout')
    .action(does(licenses));
  asked('completion', 'a script for your shell that completes commands and options')
    .addArgument(program.createArgument('<shell>').choices(SHELLS))
    .action(
      does((shell) => {
        print(completionScript(shell, program));
        return Promise.resolve(EXIT.done);
      }),
    );
  return program;
}

function kindsOf(text: string): PrivateKind[] {
  return text.split(',').map((kind) => oneOf(kind, PRIVATE_KINDS));
}

/** Names only: values may be passwords. */
function optionsGiven(command: {
  options: readonly { long?: string | undefined; attributeName(): string }[];
  getOptionValueSource(name: string): unknown;
}): string[] {
  return command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map(({ long = '' }) => long);
}

function startCommandLog(command: string, options: string[]): void {
  startLog('cli', whoseMachine(paths.dataDir));
  log.info('command started', {
    command,
    options,
    version: paths.appVersion,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
  });
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Completed {
  name(): string;
  description(): string;
  commands: readonly Completed[];
  options: readonly { long?: string | undefined; description: string }[];
}

/** For a shell to source; completes commands, options, and file names. */
function completionScript(shell: (typeof SHELLS)[number], program: Completed): string {
  return shell === 'fish' ? fishScript(program) : bashScript(program, shell === 'zsh');
}

function wordsOf({ commands, options }: Completed): string {
  const names = commands.map((command) => command.name());
  return [...names, ...options.map(({ long = '' }) => long), '--help'].join(' ');
}

function bashScript(program: Completed, isZsh: boolean): string {
  const cases = program.commands.map((command) => `    ${command.name()}) words="${wordsOf(command)}" ;;`);
  return `${isZsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_whalemark() {
  local words="${wordsOf(program)}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _whalemark whalemark`;
}

function fishScript(program: Completed): string {
  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  return program.commands
    .flatMap((command) => [
      `complete -c whalemark -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
      ...command.options.map(
        ({ long = '', description }) =>
          `complete -c whalemark -n '__fish_seen_subcommand_from ${command.name()}' -l ${long.slice(2)} -d ${quoted(description)}`,
      ),
    ])
    .join('\n');
}
