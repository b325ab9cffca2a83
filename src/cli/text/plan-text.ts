import { isContainerStorage } from '../../shared/kinds/storages.ts';
import { setupText } from '../../shared/words/labels.ts';
import type { Plan, Scenario, ServerSetup } from '../../shared/model/plan.ts';
import { isTpcc, type Workload } from '../../shared/model/workload.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { mountedDevices } from '../../shared/preset/mounted-device.ts';
import { connectionsText } from '../../shared/words/provenance.ts';
import { formatBytes, formatCount, formatDuration } from '../../shared/words/units.ts';

const MIB = 2 ** 20;

/** Servers, sizes, mounts, scenarios, exclusions, and the estimate. */
export function planText(plan: Plan): string {
  const { schedule, estimate, reference } = plan;
  const width = Math.max(...[...plan.scenarios, ...plan.excluded].map(({ id }) => id.length));
  const rounds =
    schedule.untilSettled === undefined
      ? `${schedule.rounds} rounds`
      : `until settled, at most ${schedule.untilSettled.budgetMinutes} minutes and ${schedule.rounds} rounds,`;
  const trials = `${rounds} × ${plan.scenarios.length} trials × (${schedule.warmupSeconds} s warm-up + ${schedule.durationSeconds} s)`;
  return [
    `${plan.preset.name}${plan.mode === 'short' ? ', short form' : ''} — ${plan.preset.question}`,
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
    ...plan.consents.map(({ consent, message }) => `Needs --consent ${consent}: ${message.text}`),
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
  const version = (flavour: string | null, number: string | null): string =>
    number === null ? '' : ` (${flavour ?? ''} ${number})`;
  const isExternal = own.some(({ storage }) => storage.kind === 'external');
  const inContainers = own.some(({ storage }) => isContainerStorage(storage.kind));
  const programs = [
    ...(inContainers ? [`${image.used}${version(image.flavour, image.version)}`] : []),
    ...(native === null
      ? []
      : [`on this machine ${native.binary}${version(native.flavour, native.version)}`]),
    ...(isExternal
      ? [
          external === null
            ? 'external (connected to after you agree)'
            : `external${version(external.flavour, external.version)}`,
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

function clientText({ placement, clientNode, driver, isBaseline }: Scenario): string {
  const place = placement === 'host' ? 'client on the host' : 'client in a container';
  const node = clientNode === null ? '' : clientNode === 'other' ? ' on another node' : ` on ${clientNode}`;
  return `${place}${node}, driver ${driver}${isBaseline ? ' (baseline)' : ''}`;
}
