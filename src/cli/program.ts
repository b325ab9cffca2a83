import { Argument, Command, CommanderError, Option } from '@commander-js/extra-typings';
import { log, startLog, whoseMachine } from '../benchmark/log/log.ts';
import { knowEndedOwners } from '../benchmark/owners/owner.ts';
import { LANGUAGES } from '../shared/model/settings.ts';
import { EXPORT_FORMATS, PRIVATE_KINDS, type PrivateKind } from '../shared/model/sharing.ts';
import { doctor, licenses } from './commands/doctor.ts';
import { clean } from './commands/clean.ts';
import { showHistory } from './commands/history.ts';
import { importOutput } from './commands/import.ts';
import {
  duplicatePreset,
  exportPreset,
  importPreset,
  listPresets,
  removePreset,
  showPreset,
} from './commands/presets.ts';
import { analyzeResult, compareResults, reportResult } from './commands/results.ts';
import { continueRun, planPreset, repeatRun, runPreset } from './commands/run.ts';
import { ownDatabase } from './commands/setup.ts';
import { timeTask } from './commands/time.ts';
import { EXIT, usageOf } from './exit-codes.ts';
import { paths } from './installation.ts';
import { changeConditions, levelConditions } from './conditions.ts';
import {
  allowOption,
  appOption,
  failIfOption,
  LEVEL_CONDITION,
  oneOf,
  planCommand,
  runCommand as measureCommand,
  databaseCommand,
  timeCommand,
} from './plan-command.ts';
import { print } from './text/terminal.ts';

const RESULT = 'a result file or run ID (see: whalemark history)';

const EXAMPLES = `
Examples:
  whalemark run docker-options --quick        Compare common Docker configs
  whalemark run docker-options -o results/    Also write the result, tables, chart, and reports
  whalemark setup compose.yaml --override     Find the best change for your database
  whalemark time -- npm run migrate           Time your own command on each storage type
  whalemark compare RUN_A RUN_B               Compare two runs`;

const MORE = `
Environment variables:
  WHALEMARK_HOME       folder for settings, runs, and the history
  WHALEMARK_MYSQLD     server program for the native server
  WHALEMARK_DATASETS   folder for cached datasets, or off

Exit codes: 0 done, 2 wrong usage or preset, 3 no usable Docker engine, 4 some trials failed or
  a file could not be written, 5 nothing measured, 6 a --fail-if condition is true, 7 one is
  inconclusive, 130 stopped (finished trials are saved)`;

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
    .description('Measures what Docker costs your MySQL: by storage type and by network path.')
    .version(paths.appVersion, '-v, --version')
    .addHelpText('after', `${EXAMPLES}\n${MORE}`)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => undefined })
    .hook('preAction', (_, command) => {
      startCommandLog(command.name(), optionsGiven(command));
      knowEndedOwners(paths.dataDir);
    });
  const subcommand = (name: string, summary: string) => program.command(name).description(summary);

  program.commandsGroup('Measure:');
  program.addCommand(
    measureCommand()
      .copyInheritedSettings(program)
      .description('show the plan, measure, and report')
      .action(does(runPreset)),
  );
  program.addCommand(
    planCommand()
      .copyInheritedSettings(program)
      .description('show what would run, how long it takes, and what it needs')
      .action(does(planPreset)),
  );
  program.addCommand(
    databaseCommand()
      .copyInheritedSettings(program)
      .description('show your database, measure what could replace its parts, and write the best change')
      .action(does(ownDatabase)),
  );
  program.addCommand(
    timeCommand()
      .copyInheritedSettings(program)
      .description('time a task on each storage type: a start, an import, migrations, or a command')
      .action(does(timeTask)),
  );
  const ofRun = (name: string, summary: string, what: string) =>
    subcommand(name, summary)
      .argument('<run>', what)
      .addOption(allowOption())
      .option('--context <name>', 'Docker context or engine ID (default: the engine of the run)')
      .option('-o, --output <dir>', 'also write the files of run --output')
      .addOption(appOption())
      .addOption(failIfOption(LEVEL_CONDITION, levelConditions))
      .option('--force', 'let --output overwrite existing files')
      .option('--json', 'one JSON object on stdout');
  ofRun('resume', 'measure the remaining rounds of a run', 'ID of the run (see: whalemark history)').action(
    does(continueRun),
  );
  ofRun('repeat', 'measure again what a run measured', RESULT).action(does(repeatRun));

  program.commandsGroup('Results:');
  subcommand('history', 'list the runs saved on this machine')
    .option('--json', 'one JSON object on stdout')
    .action(does(showHistory));
  subcommand('analyze', 'print the analysis of a result')
    .argument('<result>', RESULT)
    .addOption(appOption())
    .addOption(failIfOption(LEVEL_CONDITION, levelConditions))
    .option('--json', 'one JSON object on stdout')
    .action(does(analyzeResult));
  subcommand('report', 'export a result to share, without names, paths, and addresses')
    .argument('<result>', RESULT)
    .addArgument(new Argument('<format>').choices(EXPORT_FORMATS))
    .option('-o, --output <file>', 'file to write (default: stdout)')
    .option('--force', 'let --output overwrite an existing file')
    .addOption(new Option('--language <language>').choices(LANGUAGES))
    .option('--include <kinds>', `private data to keep: ${PRIVATE_KINDS.join(',')}`, kindsOf)
    .action(does(reportResult));
  subcommand('compare', 'compare results of several machines or days')
    .argument('<results...>', 'result files, run IDs (see: whalemark history), or a folder of result files')
    .option('-o, --output <file>', 'write it to an .html or .md file, without names, paths, and addresses')
    .option('--force', 'let --output overwrite an existing file')
    .addOption(new Option('--language <language>', 'of --output').choices(LANGUAGES))
    .addOption(
      failIfOption(
        'slower>N, any scenario is more than N times slower, relative to its baseline, than in the first run',
        changeConditions,
      ),
    )
    .option('--json', 'one JSON object on stdout')
    .action(does(compareResults));
  subcommand('import', 'print the figures of sysbench output')
    .argument('<file>', 'file, or - for standard input')
    .option('--json', 'one JSON object on stdout')
    .action(does(importOutput));

  program.commandsGroup('Set up:');
  subcommand('doctor', 'list the Docker engines found, and the one in use')
    .option('-o, --output <file>', 'also write a bug report, without private details')
    .option('--force', 'let --output overwrite an existing file')
    .option('--json', 'one JSON object on stdout')
    .action(does(doctor));

  subcommand(
    'mcp',
    'tools for agents: a server of the Model Context Protocol on standard input and output',
  ).action(does(async () => (await import('./commands/mcp.ts')).serveAgents()));

  const presets = subcommand('presets', 'list and manage presets')
    .option('--json', 'one JSON object on stdout')
    .action(does(listPresets));
  presets.command('show').description('print a preset').argument('<id>').action(does(showPreset));
  presets
    .command('export')
    .description('write a preset to a file')
    .argument('<id>')
    .argument('<file>')
    .option('--force', 'overwrite an existing file')
    .action(does(exportPreset));
  presets.command('import').description('save a preset file').argument('<file>').action(does(importPreset));
  presets
    .command('duplicate')
    .description('copy a preset to change it')
    .argument('<id>')
    .argument('<new-id>')
    .action(does(duplicatePreset));
  presets
    .command('remove')
    .description('remove one of your presets')
    .argument('<id>')
    .action(does(removePreset));
  subcommand('clean', 'remove what interrupted runs left behind')
    .option('--datasets', 'also remove cached datasets')
    .option(
      '--all',
      'also remove what may still be in use by processes not visible from here, and unlock their runs; asks first',
    )
    .option('--force', 'with --all: don’t ask')
    .option('--context <name>', 'Docker context or engine ID')
    .option('--json', 'one JSON object on stdout')
    .action(does(clean));
  subcommand('licenses', 'list the bundled software and its licenses')
    .option('--json', 'one JSON object on stdout')
    .action(does(licenses));
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
