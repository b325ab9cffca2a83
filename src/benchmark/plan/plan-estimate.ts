import { isContainerStorage } from '../../shared/kinds/storages.ts';
import { imagesOf, type Plan, type Scenario } from '../../shared/model/plan.ts';
import type { Schedule } from '../../shared/model/preset-parts.ts';
import { dataBytes, rowCount } from '../../shared/model/workload.ts';
import { datadirBytes } from '../dataset/dataset.ts';
import { TRIAL_OVERHEAD_MS } from '../../shared/run/progress.ts';

/**
 * Measured on a Linux machine with two cores; only the order of magnitude matters.
 * tests/unit/benchmark/plan/plan.test.ts bounds the estimates of built-in presets.
 */

/** Initializing an empty data directory. */
const INITIALISE_SECONDS = 12;
/** Until the first row, then rows per second. */
const LOAD_BEGIN_SECONDS = 2;
const LOAD_ROWS_PER_SECOND = 50_000;
/** Containers around a clone, then bytes per second. */
const CLONE_BEGIN_SECONDS = 1;
const CLONE_BYTES_PER_SECOND = 150e6;
const CLEANUP_SECONDS = 5;

/** With cached images; the live view corrects itself from finished trials. */
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

/** Servers without a container load their own tables. */
function isOwnDataset({ storage, isNoiseFloor }: Scenario): boolean {
  return !isNoiseFloor && !isContainerStorage(storage.kind);
}
