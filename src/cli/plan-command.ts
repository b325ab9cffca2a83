import { Command, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings';
import { type Flavor, PLACEMENTS } from '../shared/model/names.ts';
import {
  type Consent,
  CONSENTS,
  consentSchema,
  hasSameProgram,
  type Plan,
  type Scenario,
  type ServerConfig,
} from '../shared/model/plan.ts';
import { connections, sweepSchema } from '../shared/model/preset-parts.ts';
import { isContainerStorage } from '../shared/kinds/storages.ts';
import { configFacts, type Fact, loadFacts } from '../shared/words/facts.ts';
import { configText, labelText } from '../shared/words/labels.ts';
import { hasOpenPasses, measuresAtMostMs } from '../shared/run/planned-time.ts';
import { ENGLISH } from '../shared/words/i18n.ts';
import { mountedDevices } from '../shared/preset/mounted-device.ts';
import { FLAVOR_NAMES, lengthText, trialTimesText } from '../shared/words/provenance.ts';
import { formatAbout, formatBytes } from '../shared/units.ts';
import { levelConditions } from './conditions.ts';

export type PlanOptions = ReturnType<ReturnType<typeof planCommand>['opts']>;

export function planCommand() {
  return presetCommand('plan').addOption(
    new Option(
      '--fail-if <condition>',
      `check a --fail-if condition of run: ${LEVEL_CONDITION}; repeatable`,
    ).argParser(levelConditions),
  );
}

export type RunOptions = ReturnType<ReturnType<typeof runCommand>['opts']>;

export function runCommand() {
  return withFiles(presetCommand('run')).addOption(appOption());
}

function presetCommand(name: string) {
  return measuring(name)
    .argument('<preset>', 'a preset’s ID (see: whalemark presets) or a preset file')
    .option('--small', 'a smaller run of the preset: less data and memory, short trials, at most 3 rounds')
    .option('--image <ref>', 'server image')
    .addOption(enginesOption())
    .option('--config <file>', 'your my.cnf; its server sections become options');
}

export type DatabaseOptions = ReturnType<ReturnType<typeof databaseCommand>['opts']>;

export function databaseCommand() {
  return withFiles(measuring('setup'))
    .argument(
      '[target...]',
      'a Compose file and those that override it, its folder, or the name or ID of a container (default: this folder)',
    )
    .option('--service <name>', 'database service, if there are several')
    .option('--image <ref>', 'measure this image instead of your database’s')
    .option(
      '--tmpfs <path>',
      'with --image: a container without a file has this path in memory; repeatable',
      listed,
    )
    .option(
      '--env <name=value>',
      'with --image: a container without a file has this variable; repeatable',
      listed,
    )
    .option('--profile <name>', 'Compose profile; repeatable', listed)
    .addOption(
      new Option('--plan', 'show what would run, how long it takes, and what it needs').conflicts([
        'run',
        'override',
      ]),
    )
    .option(
      '--data-size <size>',
      'data to measure with, such as 500M or 2G (default: as much as yours has, up to 2G)',
      bytesOf,
    )
    .option('--run', 'measure, and report')
    .option('--override', 'measure, and write the best change that loses no data as compose.whalemark.yaml')
    .option(
      '--change <factor.level>',
      'with --override: the change to write, such as path.host-network; join several with +',
    );
}

export type TimeOptions = ReturnType<ReturnType<typeof timeCommand>['opts']>;

export function timeCommand() {
  return withFiles(measuring('time'))
    .argument('[what...]', 'ready, migrations, reset, import [DUMP], or a command after --')
    .option('--before <dump>', 'SQL that every measurement starts from, which is not timed')
    .option('--storage <type>', 'storage type; the first one is the baseline; repeatable', listed)
    .option(
      '--change <name>',
      'change of the server, such as relaxed-flush; repeatable; with --setup --override, the change to write, such as storage.tmpfs',
      listed,
    )
    .addOption(
      new Option(
        '--setup <file>',
        'on your database: a Compose file, or the name or ID of a container',
      ).conflicts(['storage', 'engines']),
    )
    .option('--service <name>', 'with --setup: database service, if there are several')
    .option(
      '--override',
      'with --setup: also write the best change that loses no data, or tmpfs for a service or file named test, as compose.whalemark.yaml',
    )
    .option('--in <image>', 'run the command in a container of this image, with your folder at /work')
    .option('--limit <seconds>', 'fail a task that takes longer (default: 1800)', numberOf)
    .option(
      '--image <ref>',
      'server image; with --setup, instead of your database’s; of several, the first is the reference',
      listed,
    )
    .addOption(enginesOption())
    .option('--plan', 'show what would run, how long it takes, and what it needs');
}

function enginesOption() {
  return new Option(
    '--engines <name,…>',
    'Docker contexts or engine IDs to compare (the first is the reference), or “all”',
  )
    .argParser(enginesOf)
    .conflicts('context');
}

function enginesOf(text: string): 'all' | string[] {
  return text === 'all' ? text : text.split(',').map((name) => name.trim());
}

function measuring(name: string) {
  return new Command(name)
    .addOption(
      new Option('--quick', 'at most one minute of measuring: --until-conclusive 1').implies({
        untilConclusive: 1,
      }),
    )
    .option(
      '--until-conclusive <minutes>',
      'measure until every effect is conclusive, at most this many minutes',
      numberOf,
    )
    .option(
      '--connections <n,…>',
      'concurrent connections; with several, such as 1,2,4,8, each scenario is measured at each',
      connectionsOf,
    )
    .option('--server-option <name=value>', 'mysqld option; repeatable', serverOptions)
    .addOption(allowOption())
    .option('--context <name>', 'Docker context or engine ID (see: whalemark doctor)')
    .option('--set <key=value>', 'set any field of the preset, such as schedule.rounds=7; repeatable', listed)
    .option('--json', 'one JSON object on stdout');
}

function withFiles<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option(
      '-o, --output <dir>',
      'also write result.json, summary.csv, per-second.csv, card.png, report.html, report.md there',
    )
    .addOption(failIfOption(LEVEL_CONDITION, levelConditions))
    .option('--force', 'overwrite existing files');
}

const ALLOWED = [...CONSENTS, 'engine:NAME'].join(', ');

export function allowOption() {
  return new Option('--allow <what>', `confirm what the plan asks for: ${ALLOWED}; repeatable`).argParser(
    (text: string, before: Consent[] = []): Consent[] => {
      const { data: consent } = consentSchema.safeParse(text);
      if (consent === undefined) throw new InvalidArgumentError(`Allowed: ${ALLOWED}.`);
      return [...before, consent];
    },
  );
}

export function appOption() {
  return new Option('--app <place>', 'give advice for an app that runs there').choices(PLACEMENTS);
}

export const LEVEL_CONDITION = 'FACTOR.LEVEL>N, the level is more than N times slower than its reference';

export function failIfOption<T>(meaning: string, parse: (text: string, before?: T[]) => T[]) {
  return new Option(
    '--fail-if <condition>',
    `end with exit code 6 if it is true, 7 if it is inconclusive: ${meaning}; repeatable`,
  ).argParser(parse);
}

export function oneOf<T extends string>(text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new InvalidArgumentError(`Allowed: ${known.join(', ')}.`);
  return found;
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Use a number.');
  return value;
}

/** k, M, and G mean KiB, MiB, and GiB, as in server options. */
function bytesOf(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,9})([kmg]?)b?$/i.exec(text.trim()) ?? [];
  const bytes = Number(digits) * 1024 ** ' kmg'.indexOf(unit.toLowerCase() || ' ');
  if (digits === undefined || bytes > MOST_DATA_BYTES) {
    throw new InvalidArgumentError('Use a size up to 64G, such as 500M or 2G.');
  }
  return bytes;
}

function connectionsOf(text: string): number[] {
  const counts = text.split(',').map((part) => Number(part.trim() || NaN));
  if (counts.length === 1 ? connections.safeParse(counts[0]).success : sweepSchema.safeParse(counts).success)
    return counts;
  throw new InvalidArgumentError('Use a number from 1 to 512, or up to 12 increasing ones.');
}

function listed(text: string, before: string[] = []): string[] {
  return [...before, text];
}

function serverOptions(text: string, before?: string[]): string[] {
  return listed(text.startsWith('-') ? text : `--${text}`, before);
}

const MOST_DATA_BYTES = 64 * 2 ** 30;

export function planText(plan: Plan): string {
  const { schedule, estimate, reference } = plan;
  const width = Math.max(...[...plan.scenarios, ...plan.excluded].map(({ id }) => id.length));
  const rounds = ENGLISH('messages:rounds', { count: schedule.rounds });
  const atMost = measuresAtMostMs(plan);
  const upTo = formatAbout(atMost ?? 0);
  const limit =
    atMost === undefined
      ? rounds
      : `until conclusive, at most ${hasOpenPasses(plan) ? upTo : `${upTo} or ${rounds}`}`;
  const trials = `${limit} of ${ENGLISH('ui:live.trialsSoFar', { count: plan.scenarios.length })} (${trialTimesText(plan, ENGLISH)})`;
  return [
    `${plan.preset.name}${plan.mode === 'small' ? ', small' : ''} — ${plan.preset.question}`,
    inOneLine(loadFacts(plan, ENGLISH)),
    ...plan.configs.flatMap((config) => configLines(plan, config)),
    ...mountedDevices(plan).map(
      ({ name, type, device }) =>
        `Mounts: ${type} ${device}${name === null ? '' : ` (“${name}”)`}; the server’s containers can read and change all its files`,
    ),
    `Schedule: ${trials}`,
    `Takes ${lengthText(plan, ENGLISH)}; up to ${formatBytes(estimate.diskBytes)} of disk`,
    ...plan.toPrepare.map(
      ({ kind, reference: name, bytes, base }) =>
        `To ${kind} first: ${name}${base === undefined ? '' : `, on ${base}`}${bytes === null ? '' : ` (${formatBytes(bytes)})`}`,
    ),
    ...(plan.clientImage === null ? [] : [`Load clients in containers use ${plan.clientImage.reference}`]),
    ...(reference === null
      ? []
      : [`Published results: ${reference.source}, ${reference.date}: “${reference.title}”`]),
    ...plan.consents.map(({ consent, message }) => `Needs --allow ${consent}: ${message.text}`),
    '',
    ...plan.scenarios.map(
      (one) => `  ${one.id.padEnd(width)}  ${labelText(one.label, ENGLISH)} — ${clientText(one)}`,
    ),
    ...plan.excluded.map(({ id, reason }) => `  ${id.padEnd(width)}  not available here: ${reason.text}`),
    ...plan.notices.map(({ message }) => `! ${message.text}`),
  ].join('\n');
}

function inOneLine(facts: Fact[]): string {
  return facts.map(([name, value]) => `${name}: ${value}`).join('; ');
}

function configLines(plan: Plan, config: ServerConfig): string[] {
  const own = plan.scenarios.filter(({ configId }) => configId === config.id);
  const { image, native } = config;
  const version = (flavor: Flavor | null, number: string | null): string =>
    flavor === null || number === null ? '' : ` (${FLAVOR_NAMES[flavor]} ${number})`;
  const inContainers = own.some(({ storage }) => isContainerStorage(storage.kind));
  const programs = [
    ...(inContainers ? [`${image.used}${version(image.flavor, image.version)}`] : []),
    ...(native === null ? [] : [`on this machine ${native.binary}${version(native.flavor, native.version)}`]),
  ];
  const name = configText(config, ENGLISH);
  const [first = config] = plan.configs;
  const isKnown = first !== config && hasSameProgram(config, first);
  const facts = [...(isKnown ? [] : programs), inOneLine(configFacts(config, plan, ENGLISH))].filter(Boolean);
  return [
    `Server${name === null ? '' : ` ${name}`}${facts.length === 0 ? '' : `: ${facts.join('; ')}`}`,
    ...(config.options.length === 0 ? [] : [`  with ${config.options.join(' ')}`]),
  ];
}

function clientText({ placement, loadGenerator, isBaseline }: Scenario): string {
  const place = placement === 'host' ? 'client on the host' : 'client in a container';
  return `${place}, load from ${ENGLISH(`ui:plan.loadGeneratorName.${loadGenerator}`)}${isBaseline ? ' (baseline)' : ''}`;
}
