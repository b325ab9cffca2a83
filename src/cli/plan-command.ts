import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { LOAD_GENERATORS } from '../shared/model/names.ts';
import { type Consent, CONSENTS, type Plan, type Scenario, type ServerSetup } from '../shared/model/plan.ts';
import { sweepSchema } from '../shared/model/preset-parts.ts';
import { isContainerStorage } from '../shared/kinds/storages.ts';
import { setupText } from '../shared/words/labels.ts';
import { isTpcc, type Workload } from '../shared/model/workload.ts';
import { ENGLISH } from '../shared/words/i18n.ts';
import { mountedDevices } from '../shared/preset/mounted-device.ts';
import { connectionsText } from '../shared/words/provenance.ts';
import { formatBytes, formatCount, formatDuration } from '../shared/words/units.ts';

export type PlanOptions = ReturnType<ReturnType<typeof planCommand>['opts']>;

export function planCommand(name: 'plan' | 'run') {
  return new Command(name)
    .argument('<preset>', 'a preset’s ID (see: whalemark presets) or a preset file')
    .option('--quick', 'the preset’s quick form')
    .option('--rounds <n>', 'rounds', numberOf)
    .option('--warmup <seconds>', 'warm-up of each trial', numberOf)
    .option('--duration <seconds>', 'measuring time of each trial', numberOf)
    .option(
      '--until-conclusive <minutes>',
      'measure until every comparison is conclusive, for at most so many minutes',
      numberOf,
    )
    .option('--connections <n>', 'connections', numberOf)
    .option('--seed <n>', 'order of trials and random ids', numberOf)
    .option('--rate <n>', 'n transactions per second at random moments; compared by latency', numberOf)
    .option('--sweep <n,n,…>', 'every scenario with each of these numbers of connections: 1,2,4,8', sweepOf)
    .option('--image <ref>', 'server image')
    .addOption(new Option('--load-generator <name>', 'load generator').choices(LOAD_GENERATORS))
    .option('--server-option <name=value>', 'another option of the server; may be repeated', serverOptions)
    .option('--config <file>', 'a my.cnf of your own')
    .option(
      '--dsn <url>',
      'an external server, mysql://user:password@host:3306; better in WHALEMARK_DSN, as others can read a command line',
    )
    .addOption(allowOption())
    .option('--context <name>', 'Docker context or engine ID (see: whalemark doctor)')
    .option('--bind-root <dir>', 'folder in which bind mounts are made')
    .option('--fresh-dataset', 'load the tables again, even where an earlier run’s are kept')
    .option(
      '--set <key=value>',
      'any field of the preset; may be repeated: workload.tableSize=100000',
      listed,
    )
    .option(
      '-o, --output <dir>',
      'also write result.json, summary.csv, per-second.csv, card.png, report.html, report.md there',
    )
    .option('--force', 'let --output overwrite files that exist')
    .option('--json', 'one JSON object on stdout');
}

export function allowOption() {
  return new Option(
    '--allow <what>',
    `agree to what the plan asks for (${CONSENTS.join(', ')}); may be repeated`,
  ).argParser((text: string, before: Consent[] = []): Consent[] => [...before, oneOf(text, CONSENTS)]);
}

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

function sweepOf(text: string): number[] {
  const parsed = sweepSchema.safeParse(text.split(',').map((part) => Number(part.trim() || NaN)));
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('It takes 2 to 12 rising numbers of connections from 1 to 512.');
}

function listed(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** With or without the server's two hyphens. */
function serverOptions(text: string, before?: string[]): string[] {
  return listed(text.startsWith('-') ? text : `--${text}`, before);
}

const MIB = 2 ** 20;

export function planText(plan: Plan): string {
  const { schedule, estimate, reference } = plan;
  const width = Math.max(...[...plan.scenarios, ...plan.excluded].map(({ id }) => id.length));
  const rounds =
    schedule.untilConclusive === undefined
      ? `${schedule.rounds} rounds`
      : `until conclusive, at most ${schedule.untilConclusive.budgetMinutes} minutes and ${schedule.rounds} rounds,`;
  const trials = `${rounds} × ${plan.scenarios.length} trials × (${schedule.warmupSeconds} s warm-up + ${schedule.durationSeconds} s)`;
  return [
    `${plan.preset.name}${plan.mode === 'quick' ? ', quick form' : ''} — ${plan.preset.question}`,
    `Data: ${workloadText(plan.workload)}, ${formatBytes(estimate.dataBytes)}; ${connectionsText(plan, ENGLISH)}${rateText(plan)}`,
    ...plan.setups.flatMap((setup) => setupLines(plan, setup)),
    ...mountedDevices(plan).map(
      ({ name, type, device }) =>
        `Mounts: ${type} ${device}${name === null ? '' : ` (“${name}”)`}; the server’s containers can read and write all of it`,
    ),
    `Schedule: ${trials}, seed ${plan.seed}`,
    `Takes about ${formatDuration(estimate.seconds * 1000)} and ${formatBytes(estimate.diskBytes)} of disk while it runs`,
    ...plan.toPrepare.map(
      ({ kind, reference: name, bytes }) =>
        `To ${kind} first: ${name}${bytes === null ? '' : ` (${formatBytes(bytes)})`}`,
    ),
    ...(reference === null
      ? []
      : [`Published numbers: ${reference.source}, ${reference.date}: “${reference.title}”`]),
    ...plan.consents.map(({ consent, message }) => `Needs --allow ${consent}: ${message.text}`),
    '',
    ...plan.scenarios.map((one) => `  ${one.id.padEnd(width)}  ${one.name} — ${clientText(one)}`),
    ...plan.excluded.map(({ id, reason }) => `  ${id.padEnd(width)}  can't run here: ${reason.text}`),
    ...plan.notices.map(({ message }) => `! ${message.text}`),
  ].join('\n');
}

function rateText({ rate }: Plan): string {
  return rate === null ? '' : ` at ${rate} transactions per second, planned at random (Poisson)`;
}

function workloadText(workload: Workload): string {
  if (isTpcc(workload)) return `${workload.kind}, ${formatCount(workload.warehouses)} warehouses`;
  return `${workload.kind}, ${workload.tables} × ${formatCount(workload.tableSize)} rows (${workload.distribution})`;
}

function setupLines(plan: Plan, setup: ServerSetup): string[] {
  const own = plan.scenarios.filter(({ setupId }) => setupId === setup.id);
  const { image, native, external, settings } = setup;
  const version = (flavor: string | null, number: string | null): string =>
    number === null ? '' : ` (${flavor ?? ''} ${number})`;
  const isExternal = own.some(({ storage }) => storage.kind === 'external');
  const inContainers = own.some(({ storage }) => isContainerStorage(storage.kind));
  const programs = [
    ...(inContainers ? [`${image.used}${version(image.flavor, image.version)}`] : []),
    ...(native === null ? [] : [`on this machine ${native.binary}${version(native.flavor, native.version)}`]),
    ...(isExternal
      ? [
          external === null
            ? 'external (connected to after you agree)'
            : `external${version(external.flavor, external.version)}`,
        ]
      : []),
  ];
  const share = Math.round((settings.bufferPoolMiB * MIB * 100) / plan.estimate.dataBytes);
  const pool = `buffer pool ${settings.bufferPoolMiB} MiB (${share} % of the data)`;
  const others = `redo log ${settings.redoLogMiB} MiB, flush at commit ${settings.flushLogAtTrxCommit}, binlog ${settings.binlog ? 'on' : 'off'}`;
  const name = setupText(setup, ENGLISH);
  return [
    `Server${name === null ? '' : ` ${name}`}: ${programs.join('; ')}; ${pool}, ${others}`,
    ...(setup.options.length === 0 ? [] : [`  with ${setup.options.join(' ')}`]),
  ];
}

function clientText({ placement, clientNode, loadGenerator, isBaseline }: Scenario): string {
  const place = placement === 'host' ? 'client on the host' : 'client in a container';
  const node = clientNode === null ? '' : clientNode === 'other' ? ' on another node' : ` on ${clientNode}`;
  return `${place}${node}, loadGenerator ${loadGenerator}${isBaseline ? ' (baseline)' : ''}`;
}
