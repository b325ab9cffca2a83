import { imagesOf, type Plan, type Scenario } from '../../shared/model/plan.ts';
import type { Schedule } from '../../shared/model/preset-parts.ts';
import type { ServerSettings } from '../../shared/model/server-spec.ts';
import { dataBytes, rowCount, type Workload } from '../../shared/model/workload.ts';
import { TRIAL_OVERHEAD_MS } from '../../shared/run/progress.ts';

/** Size that a datadir is expected to have: tables, redo log, and what every server brings (system tables, undo). */
export function datadirBytes(workload: Workload, settings: Pick<ServerSettings, 'redoLogMiB'>): number {
  return dataBytes(workload) * 1.15 + settings.redoLogMiB * 2 ** 20 + 150 * 2 ** 20;
}

/**
 * Time and disk that a run takes on cached images. The constants are what was seen on a two-core Linux machine;
 * the live view corrects itself from the trials already done.
 */
export function estimatePlan(
  plan: Pick<Plan, 'scenarios' | 'setups' | 'schedule' | 'workload'>,
): Plan['estimate'] {
  const { scenarios, workload } = plan;
  const images = imagesOf(plan).length;
  const schedule: Schedule = plan.schedule;
  const servers = new Set(scenarios.map(({ serverId: id }) => id)).size;
  const perDatadir = Math.max(...plan.setups.map(({ settings }) => datadirBytes(workload, settings)));
  const datasets = Math.max(1, images) + scenarios.filter(isOwnDataset).length;
  const initialise = 12 * datasets;
  const load = datasets * (rowCount(workload) / 50_000 + 2);
  const clone = servers * (1 + perDatadir / 150e6);
  const trial = schedule.warmupSeconds + schedule.durationSeconds + TRIAL_OVERHEAD_MS / 1000;
  const budget = (schedule.untilSettled?.budgetMinutes ?? Infinity) * 60;
  const measuring = Math.min(schedule.rounds * scenarios.length * trial, budget);
  return {
    seconds: Math.round(initialise + load + clone + measuring + 5),
    diskBytes: Math.round(perDatadir * (servers + Math.max(1, images))),
    dataBytes: dataBytes(workload),
  };
}

/** Servers without a container load tables of their own. */
function isOwnDataset({ storage, isNoiseFloor }: Scenario): boolean {
  return !isNoiseFloor && (storage.kind === 'native' || storage.kind === 'external');
}
