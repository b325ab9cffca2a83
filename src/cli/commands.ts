import { knowEndedOwners } from '../benchmark/machine/ended-owners.ts';
import { analyseCommand, reportCommand } from './commands/results.ts';
import { cleanCommand } from './commands/clean.ts';
import { compareCommand } from './commands/compare.ts';
import { continueCommand } from './commands/continue.ts';
import { diagnosticsCommand } from './commands/diagnostics.ts';
import { doctorCommand } from './commands/doctor.ts';
import { historyCommand } from './commands/history.ts';
import { importCommand } from './commands/import.ts';
import { licencesCommand } from './commands/licences.ts';
import { planCommand } from './commands/plan.ts';
import { presetsCommand } from './commands/presets.ts';
import { runPresetCommand } from './commands/run.ts';
import { usage } from './options/args.ts';
import { startCommandLog } from './command-log.ts';
import { EXIT } from './exit-codes.ts';
import { HELP } from './help.ts';
import { paths } from './installation.ts';
import { print } from './text/terminal.ts';

/** Every command by its name. */
export const COMMANDS: Readonly<Record<string, (argv: string[]) => Promise<number>>> = {
  doctor: doctorCommand,
  presets: presetsCommand,
  plan: planCommand,
  run: runPresetCommand,
  continue: continueCommand,
  analyse: analyseCommand,
  report: reportCommand,
  history: historyCommand,
  compare: compareCommand,
  import: importCommand,
  clean: cleanCommand,
  diagnostics: diagnosticsCommand,
  licences: licencesCommand,
  licenses: licencesCommand,
};

/** Runs one command; resolves with its exit code. */
export async function runCommand(argv: string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (
    name === undefined ||
    name === '--help' ||
    name === '-h' ||
    name === 'help' ||
    rest.includes('--help')
  ) {
    print(HELP);
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === '--version' || name === '-v') {
    print(paths.appVersion);
    return EXIT.done;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw usage(`There is no command “${name}”.`);
  startCommandLog(name, rest);
  knowEndedOwners(paths.dataDir);
  return command(rest);
}
