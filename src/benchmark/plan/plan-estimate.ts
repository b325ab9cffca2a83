import { isContainerStorage } from '../../shared/model/names.ts';
import { imagesOf, type Plan, type Scenario } from '../../shared/model/plan.ts';
import type { Schedule } from '../../shared/model/preset-parts.ts';
import type { ServerSettings } from '../../shared/model/server-spec.ts';
import { dataBytes, rowCount, type Workload } from '../../shared/model/workload.ts';
import { TRIAL_OVERHEAD_MS } from '../../shared/run/progress.ts';

/**
 * What the estimates are made of. The times are what was seen on a two-core Linux machine; others take more
 * or less. Only the order of magnitude matters: minutes or hours, one gigabyte or a hundred. No test holds the
 * figures to a machine; tests/unit/benchmark/plan/plan.test.ts keeps what they come to for the built-in
 * presets within bounds.
 */

/** What tables take on disk, as a multiple of `dataBytes`. */
const TABLES_PER_DATA = 1.15;
/** System tables and undo logs, which every server brings along. */
const SYSTEM_BYTES = 150 * 2 ** 20;
/** A server that initialises an empty datadir and starts. */
const INITIALISE_SECONDS = 12;
/** Loading tables: until the first row goes in, and rows a second. */
const LOAD_BEGIN_SECONDS = 2;
const LOAD_ROWS_PER_SECOND = 50_000;
/** Cloning a datadir: the containers around it, and bytes a second. */
const CLONE_BEGIN_SECONDS = 1;
const CLONE_BYTES_PER_SECOND = 150e6;
/** Removing everything at the end. */
const CLEANUP_SECONDS = 5;

/** Size that a datadir is expected to have: tables, redo log, and what every server brings (system tables, undo). */
export function datadirBytes(workload: Workload, settings: Pick<ServerSettings, 'redoLogMiB'>): number {
  return dataBytes(workload) * TABLES_PER_DATA + settings.redoLogMiB * 2 ** 20 + SYSTEM_BYTES;
}

/** Time and disk that a run takes on cached images; the live view corrects itself from the trials done. */
export function estimatePlan(
  plan: Pick<Plan, 'scenarios' | 'setups' | 'schedule' | 'workload'>,
): Plan['estimate'] {
  const { scenarios, workload } = plan;
  const images = imagesOf(plan).length;
  const schedule: Schedule = plan.schedule;
  const servers = new Set(scenarios.map(({ serverId: id }) => id)).size;
  const perDatadir = Math.max(...plan.setups.map(({ settings }) => datadirBytes(workload, settings)));
  const datasets = Math.max(1, images) + scenarios.filter(isOwnDataset).length;
  const initialise = INITIALISE_SECONDS * datasets;
  const load = datasets * (rowCount(workload) / LOAD_ROWS_PER_SECOND + LOAD_BEGIN_SECONDS);
  const clone = servers * (CLONE_BEGIN_SECONDS + perDatadir / CLONE_BYTES_PER_SECOND);
  const trial = schedule.warmupSeconds + schedule.durationSeconds + TRIAL_OVERHEAD_MS / 1000;
  const budget = (schedule.untilSettled?.budgetMinutes ?? Infinity) * 60;
  const measuring = Math.min(schedule.rounds * scenarios.length * trial, budget);
  return {
    seconds: Math.round(initialise + load + clone + measuring + CLEANUP_SECONDS),
    diskBytes: Math.round(perDatadir * (servers + Math.max(1, images))),
    dataBytes: dataBytes(workload),
  };
}

/** Servers without a container load tables of their own. */
function isOwnDataset({ storage, isNoiseFloor }: Scenario): boolean {
  return !isNoiseFloor && !isContainerStorage(storage.kind);
}
