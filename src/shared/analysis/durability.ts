import { isContainerStorage, isInMemory, STORAGES, type StorageKind } from '../kinds/storages.ts';
import {
  DURABILITY_REASONS,
  type Durability,
  type DurabilityReason,
  type ScenarioDurability,
} from './analysis.ts';
import type { FlushTimes } from '../model/events.ts';
import { type Plan, type Scenario, type ServerConfig, configOf, passportOf, plansOn } from '../model/plan.ts';
import { type Loss, lossesOfServer, lossesOfStorage } from '../options/losses.ts';
import type { RunState } from '../model/run-state.ts';
import type { TrialFigures } from './trial-figures.ts';

/** No disk adds less to a write: protected caches took 20 to 30 µs, `tmpfs` 0. */
const LEAST_ADDED_US = 15;
/** A longer flush may have waited for a disk. */
const FAST_US = 100;
/** A longer flush waited for something, even if neither kernel nor host disk shows it. */
const SLOW_US = 2000;
/** Share of flushes that a disk counted; those that two programs share are missing. */
const MOST_REACHED = 0.9;
const FEW_REACHED = 0.5;
/** A virtual machine's flush relative to the host's on the same disk. */
const HOST_SHARE = 0.5;
/** COMMIT's extra time over BEGIN, relative to a flush. */
const COMMIT_SHARE = 0.25;
/** Bytes of redo log per transaction, if most transactions write. */
const WRITES_LOG = 200;
const TELLING_TIMES = 100;
/** Even a write without a flush may be a round trip on these. */
const SHARES = /^(?:9p|virtiofs|nfs|cifs|smb|ceph|fuse|fakeowner|vboxsf|prl_fs)/;
/** File systems on which a flush that no disk counts wasn't sent. */
const ON_A_DISK = new Set(['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'f2fs', 'overlay']);

/** One meter counts for all servers of a storage type and engine. */
export type Flushes = ReadonlyMap<string, FlushTimes>;

export function flushesOf({ plan, servers }: Pick<RunState, 'plan' | 'servers'>): Flushes {
  const first = new Map<string, FlushTimes>();
  for (const one of plan.scenarios) {
    const flush = servers[one.serverId]?.facts?.flushTimes ?? null;
    if (flush !== null && !first.has(placeOf(one))) first.set(placeOf(one), flush);
  }
  return first;
}

function placeOf({ storageId, engine }: Scenario): string {
  return JSON.stringify([storageId, engine]);
}

export function flushOf(flushes: Flushes, scenario: Scenario): FlushTimes | null {
  return flushes.get(placeOf(scenario)) ?? null;
}

/** Null in results without any flush. */
export function durabilityOf(
  run: Pick<RunState, 'plan' | 'servers' | 'hostFlush'>,
  scenario: Scenario,
  flushes: Flushes,
  figures: Pick<TrialFigures, 'statements' | 'logBytesWritten'>,
): ScenarioDurability | null {
  if (flushes.size === 0) return null;
  const flush = flushOf(flushes, scenario);
  const config = configOf(run.plan, scenario);
  const durability = said(scenarioReason(run, scenario, flush, figures));
  return {
    ...durability,
    commitUs: flush && flushesPerCommit(config) * flush.medianUs,
    loses: lossesOf(run, scenario, durability),
  };
}

export function flushesPerCommit({ settings }: Pick<ServerConfig, 'settings'>): number {
  const { flushLogAtTrxCommit, binlog, syncBinlog } = settings;
  return (flushLogAtTrxCommit === 1 ? 1 : 0) + (binlog && syncBinlog === 1 ? 1 : 0);
}

function scenarioReason(
  run: Pick<RunState, 'plan' | 'servers' | 'hostFlush'>,
  scenario: Scenario,
  flush: FlushTimes | null,
  { statements, logBytesWritten }: Pick<TrialFigures, 'statements' | 'logBytesWritten'>,
): DurabilityReason {
  const { kind } = scenario.storage;
  if (isInMemory(kind)) return 'memory';
  if (flush === null) return 'not-measured';
  const waits = flushesPerCommit(configOf(run.plan, scenario)) > 0 && (logBytesWritten ?? 0) > WRITES_LOG;
  const { begin, commit } = statements;
  const waitedUs = begin === undefined || commit === undefined ? Infinity : commit.p50Us - begin.p50Us;
  if (waits && waitedUs < COMMIT_SHARE * flush.p10Us) {
    return waitedUs < FAST_US ? 'not-waited' : 'contradictory';
  }
  const fileSystem = run.servers[scenario.serverId]?.facts?.datadirFileSystem ?? '';
  return reasonOf(flush, { kind, fileSystem, run, engine: scenario.engine });
}

function lossesOf(
  { plan, servers }: Pick<RunState, 'plan' | 'servers'>,
  scenario: Scenario,
  { verdict }: Durability,
): Loss[] {
  const { kind } = scenario.storage;
  const { variables = {} } = servers[scenario.serverId]?.facts ?? {};
  const ofServer = lossesOfConfig({ ...configOf(plan, scenario), variables }, plan);
  const atPowerCut: Loss[] = verdict === 'cache' && !isInMemory(kind) ? ['power-cut'] : [];
  return [...new Set([...lossesOfStorage(kind), ...atPowerCut, ...ofServer])];
}

/** If no server has a binary log, no change loses it. */
export function lossesOfConfig(
  config: Parameters<typeof lossesOfServer>[0],
  { configs }: Pick<Plan, 'configs'>,
): Loss[] {
  const isComparedWith = configs.some(({ settings }) => settings.binlog);
  return lossesOfServer(config).filter((loss) => loss !== 'binary-log' || isComparedWith);
}

/** Null if not measured. */
export function hostDurability(run: Pick<RunState, 'plan' | 'hostFlush'>): Durability | null {
  const { hostFlush: flush } = run;
  return flush && said(reasonOf(flush, { kind: 'native', fileSystem: '', run }));
}

function reasonOf(
  flush: FlushTimes,
  about: {
    kind: StorageKind;
    fileSystem: string;
    engine?: string;
    run: Pick<RunState, 'plan' | 'hostFlush'>;
  },
): DurabilityReason {
  const { disk, flushes } = flush;
  const { kind, fileSystem, run, engine } = about;
  const { host, runtime } = passportOf(run.plan, engine);
  if (isInMemory(kind) || fileSystem === 'tmpfs') return 'memory';
  const isCounted = disk !== null && disk.commands >= MOST_REACHED * flushes;
  if (isTooFast(flush) && isCounted) return 'contradictory';
  if (isTooFast(flush) && !SHARES.test(fileSystem)) return 'too-fast';
  const isNative = kind === 'native';
  if (isNative && host.platform === 'darwin') return 'full-flush';
  const isSlow = flush.medianUs >= SLOW_US;
  const isSent = disk === null || disk.commands >= FEW_REACHED * flushes;
  if (!isSlow && !isSent && ON_A_DISK.has(fileSystem)) return 'not-sent';
  const isOnHost = runtime.vm && !runtime.remote && STORAGES[kind].disk !== undefined;
  if (!isSlow && isOnHost && isFasterThanHost(flush, run.hostFlush)) return 'faster-than-host';
  if (flush.isVirtual || (!isNative && runtime.vm)) return 'virtual-machine';
  if (!isCounted) return 'not-counted';
  return disk.hasCache ? 'flush-commands' : 'no-cache';
}

function isTooFast({ mostUs, mostAddedUs }: FlushTimes): boolean {
  return (mostUs ?? Infinity) < FAST_US && (mostAddedUs ?? Infinity) < LEAST_ADDED_US;
}

function isFasterThanHost({ mostUs }: FlushTimes, host: FlushTimes | null): boolean {
  return host !== null && (mostUs ?? Infinity) < HOST_SHARE * host.p10Us;
}

function said(reason: DurabilityReason): Durability {
  return { verdict: DURABILITY_REASONS[reason], reason };
}

export function hostGap({ plan, hostFlush }: Pick<RunState, 'plan' | 'hostFlush'>, flushes: Flushes) {
  if (hostFlush === null) return null;
  const inVm = plansOn(plan)
    .filter(({ engines: [{ passport }] }) => passport.runtime.vm && !passport.runtime.remote)
    .flatMap(({ scenarios }) => scenarios)
    .filter(({ storage }) => isContainerStorage(storage.kind) && !isInMemory(storage.kind))
    .flatMap((one) => flushOf(flushes, one)?.medianUs ?? []);
  const vmUs = Math.min(...inVm);
  return hostFlush.medianUs >= TELLING_TIMES * vmUs ? { hostUs: hostFlush.medianUs, vmUs } : null;
}
