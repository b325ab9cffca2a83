import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { DRIVER_KINDS } from '../shared/model/names.ts';
import { type Consent, CONSENTS } from '../shared/model/plan.ts';
import { rampSchema } from '../shared/model/preset-parts.ts';

export type PlanOptions = ReturnType<ReturnType<typeof planCommand>['opts']>;

export function planCommand(name: 'plan' | 'run') {
  return new Command(name)
    .argument('<preset>', 'a preset’s ID (see: whalemark presets) or a preset file')
    .option('--short', 'the preset’s short form')
    .option('--rounds <n>', 'rounds', numberOf)
    .option('--warmup <seconds>', 'warm-up of each trial', numberOf)
    .option('--duration <seconds>', 'measuring time of each trial', numberOf)
    .option(
      '--until-settled <minutes>',
      'measure until every comparison is conclusive, for at most so many minutes',
      numberOf,
    )
    .option('--threads <n>', 'connections', numberOf)
    .option('--seed <n>', 'order of trials and random ids', numberOf)
    .option('--rate <n>', 'n transactions per second at random moments; compared by latency', numberOf)
    .option('--ramp <n,n,…>', 'every scenario with each of these numbers of connections: 1,2,4,8', rampOf)
    .option('--image <ref>', 'server image')
    .addOption(new Option('--driver <driver>', 'load generator').choices(DRIVER_KINDS))
    .option('--option <--name=value>', 'one more option of the server; may be repeated', listed)
    .option('--config <file>', 'a my.cnf of your own')
    .option(
      '--dsn <url>',
      'an external server, mysql://user:password@host:3306; better in WHALEMARK_DSN, as others can read a command line',
    )
    .addOption(consentOption())
    .option('--context <name>', 'Docker context or engine ID (see: whalemark doctor)')
    .option('--bind-root <dir>', 'folder in which bind mounts are made')
    .option('--fresh-dataset', 'load the tables again, even where an earlier run’s are kept')
    .option(
      '--set <key=value>',
      'any field of the preset; may be repeated: workload.tableSize=100000',
      listed,
    )
    .option(
      '--out <dir>',
      'also write result.json, summary.csv, windows.csv, card.png, report.html, report.md there',
    )
    .option('--force', 'let --out overwrite files that exist')
    .option('--json', 'one JSON object on stdout');
}

export function consentOption() {
  return new Option(
    '--consent <what>',
    `agree to what the plan asks for (${CONSENTS.join(', ')}); may be repeated`,
  ).argParser((text: string, before: Consent[] = []): Consent[] => [...before, oneOf(text, CONSENTS)]);
}

/** Throws commander's error. */
export function oneOf<T extends string>(text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new InvalidArgumentError(`It is one of ${known.join(', ')}.`);
  return found;
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It takes a number.');
  return value;
}

function rampOf(text: string): number[] {
  const parsed = rampSchema.safeParse(text.split(',').map((part) => Number(part.trim() || NaN)));
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('It takes 2 to 12 rising numbers of connections from 1 to 512.');
}

function listed(text: string, before: string[] = []): string[] {
  return [...before, text];
}
