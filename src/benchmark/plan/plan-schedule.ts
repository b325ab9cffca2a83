import { isContainerStorage } from '../../shared/kinds/storages.ts';
import { imagesOf, type Plan, type Scenario } from '../../shared/model/plan.ts';
import { dataBytes, rowCount } from '../../shared/model/workload.ts';
import { longSlicesMs } from '../../shared/run/long-slices.ts';
import { plannedMs } from '../../shared/run/progress.ts';
import { datadirBytes } from '../servers/dataset/dataset.ts';
import { type Random, shuffled } from '../random.ts';

export function planRounds(
  scenarios: readonly Scenario[],
  schedule: Plan['schedule'],
  baselineId: string,
  random: Random,
): Plan['rounds'] {
  const rounds = Array.from({ length: schedule.rounds }, () => inRandomOrder(scenarios, random));
  const [first = [], ...others] = rounds;
  return [withEarly(first, scenarios, baselineId), ...others];
}

/** One start per server, in random order, and its paths in random order within it. */
function inRandomOrder(scenarios: readonly Scenario[], random: Random): string[] {
  const starts = new Map<string, string[]>();
  for (const scenario of scenarios) {
    const key = scenario.serverId;
    starts.set(key, [...(starts.get(key) ?? []), scenario.id]);
  }
  return shuffled([...starts.values()], random).flatMap((ids) => shuffled(ids, random));
}

/** With the baseline's start among the first two, so that there soon is something to compare with. */
function withEarly(ids: string[], scenarios: readonly Scenario[], baselineId: string): string[] {
  const keyOf = (id: string): string => scenarios.find((one) => one.id === id)?.serverId ?? '';
  const early = ids.filter((id) => keyOf(id) === keyOf(baselineId));
  const others = ids.filter((id) => !early.includes(id));
  const isFirst = ids.indexOf(early[0] ?? '') <= ids.length / 2;
  const before = isFirst ? [] : others.filter((id) => keyOf(id) === keyOf(others[0] ?? ''));
  return [...before, ...early, ...others.filter((id) => !before.includes(id))];
}

/** Measured on a Linux machine with two cores; only the order of magnitude matters. */

/** Initializing an empty data directory. */
const INITIALISE_SECONDS = 12;
const LOAD_BEGIN_SECONDS = 2;
const LOAD_ROWS_PER_SECOND = 50_000;
/** Containers around a clone, then bytes per second. */
const CLONE_BEGIN_SECONDS = 1;
const CLONE_BYTES_PER_SECOND = 150e6;
const CLEANUP_SECONDS = 5;

export function estimatePlan(
  plan: Pick<Plan, 'scenarios' | 'configs' | 'schedule' | 'rounds' | 'workload' | 'stopsAfterSeconds'>,
): Plan['estimate'] {
  const { scenarios, workload } = plan;
  const images = imagesOf(plan).length;
  const servers = new Set(scenarios.map(({ serverId: id }) => id)).size;
  const perDatadir = Math.max(...plan.configs.map((config) => datadirBytes(plan, config)));
  const datasets = Math.max(1, images) + scenarios.filter(isOwnDataset).length;
  const initialize = INITIALISE_SECONDS * datasets;
  const load = datasets * (rowCount(workload) / LOAD_ROWS_PER_SECOND + LOAD_BEGIN_SECONDS);
  const clone = servers * (CLONE_BEGIN_SECONDS + perDatadir / CLONE_BYTES_PER_SECOND);
  return {
    seconds: Math.round(
      initialize + load + clone + (plannedMs({ plan }) + longSlicesMs(plan)) / 1000 + CLEANUP_SECONDS,
    ),
    diskBytes: Math.round(perDatadir * (servers + Math.max(1, images))),
    dataBytes: dataBytes(workload),
  };
}

function isOwnDataset({ storage }: Scenario): boolean {
  return !isContainerStorage(storage.kind);
}
