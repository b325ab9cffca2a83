import { grouped } from '../../shared/analysis/grouped.ts';
import { isContainerStorage } from '../../shared/kinds/storages.ts';
import { imagesOf, type Plan, type Scenario } from '../../shared/model/plan.ts';
import { dataBytes, rowCount } from '../../shared/model/workload.ts';
import { CLEANUP_MS, plannedMs } from '../../shared/run/planned-time.ts';
import { CLONES_AT_ONCE } from '../servers/dataset/clone.ts';
import { datadirBytes } from '../servers/dataset/dataset.ts';
import { diskBytes } from './plan-fits.ts';
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

function inRandomOrder(scenarios: readonly Scenario[], random: Random): string[] {
  const starts = grouped(scenarios, ({ serverId }) => [serverId]);
  return shuffled([...starts.values()], random).flatMap((all) =>
    shuffled(
      all.map(({ id }) => id),
      random,
    ),
  );
}

/** The baseline's server is early, so a ratio is known soon. */
function withEarly(ids: string[], scenarios: readonly Scenario[], baselineId: string): string[] {
  const keyOf = (id: string): string => scenarios.find((one) => one.id === id)?.serverId ?? '';
  const early = ids.filter((id) => keyOf(id) === keyOf(baselineId));
  const others = ids.filter((id) => !early.includes(id));
  const isFirst = ids.indexOf(early[0] ?? '') <= ids.length / 2;
  const before = isFirst ? [] : others.filter((id) => keyOf(id) === keyOf(others[0] ?? ''));
  return [...before, ...early, ...others.filter((id) => !before.includes(id))];
}

/** Times of a Linux machine with two cores, as orders of magnitude. */
const INITIALIZE_SECONDS = 6;
const LOAD_BEGIN_SECONDS = 1.5;
const LOAD_ROWS_PER_SECOND = 200_000;
const CLONE_BEGIN_SECONDS = 1;
const CLONE_BYTES_PER_SECOND = 300e6;

export function estimatePlan(
  plan: Pick<Plan, 'engines' | 'scenarios' | 'configs' | 'schedule' | 'rounds' | 'workload' | 'task'>,
): Plan['estimate'] {
  const { scenarios, workload } = plan;
  const images = Math.max(1, imagesOf(plan).length);
  const servers = new Set(scenarios.map(({ serverId }) => serverId)).size;
  // Native servers load their own data, and their repeats copy it.
  const loading = scenarios.filter(
    ({ storage, isAaRepeat }) => !isContainerStorage(storage.kind) && !isAaRepeat,
  );
  const own = new Set(loading.map(({ serverId }) => serverId)).size;
  const perDatadir = Math.max(...plan.configs.map((config) => datadirBytes(plan, config)));
  const { engine, bind } = diskBytes(plan);
  const load = INITIALIZE_SECONDS + LOAD_BEGIN_SECONDS + rowCount(workload) / LOAD_ROWS_PER_SECOND;
  const clone = CLONE_BEGIN_SECONDS + perDatadir / CLONE_BYTES_PER_SECOND;
  const together = (own * load + (servers - own) * clone) / CLONES_AT_ONCE;
  const prepare = images * load + Math.max(own === 0 ? clone : load, together);
  return {
    seconds: Math.round(prepare + (plannedMs({ plan }) + CLEANUP_MS) / 1000),
    diskBytes: Math.round(engine + bind),
    dataBytes: dataBytes(workload),
  };
}
