import { levelOf } from '../../shared/model/factors.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { losesData } from '../../shared/kinds/storages.ts';
import { msg, type Message } from '../../shared/message.ts';
import type { Analysis, Effect } from '../../shared/analysis/analysis.ts';
import type { RatioEstimate } from '../../shared/statistics/estimate.ts';
import { configOf, lacksOwnOptions, type Plan } from '../../shared/model/plan.ts';
import {
  type Database,
  databaseChangeSchema,
  type DatabaseChange,
  type DatabaseOverride,
  type DatabaseOverrides,
} from '../../shared/model/database.ts';
import type { ServerChangeId } from '../../shared/compose/database-preset.ts';
import { healthChange } from '../../shared/compose/health-check.ts';
import { isForTests, keepsWhatIsNeeded } from '../../shared/compose/changes.ts';
import { overrideFor } from '../compose/checked-override.ts';
import { readProject } from '../compose/read-project.ts';
import { redoLogOptions } from '../servers/server-options.ts';
import { readApart } from '../reading/reader.ts';
import { databaseRefused } from './open-database.ts';

type Wanted = { change: DatabaseChange; gain: RatioEstimate | null };
type Measured = { change: DatabaseChange } & ({ gain: RatioEstimate | null } | { refusal: Message });

/**
 * Data in memory is only for tests or if `named`; rejects with DATABASE_REFUSED for unreadable files or a
 * missing service.
 */
export async function overridesOf(
  { plan }: { plan: Plan },
  { effects, scenarios, firstStart }: Pick<Analysis, 'effects' | 'scenarios' | 'firstStart'>,
  named?: DatabaseChange,
): Promise<DatabaseOverrides> {
  const { database, engines } = plan;
  const forTests = named?.level === 'tmpfs' || (database !== null && isForTests(database));
  const together = database?.together;
  const changes =
    database === null
      ? []
      : plan.task?.kind === 'ready'
        ? ofHealthCheck(firstStart)
        : together === undefined
          ? effects.flatMap((effect) => measuredOf(effect, plan, forTests))
          : scenarios.filter(({ isBaseline }) => !isBaseline).map((one) => judged(together, one));
  const without: DatabaseOverrides['without'] = [];
  const refusal =
    lacksOwnOptions(plan) && plan.task?.kind !== 'ready' ? msg('override.refused.ownOptions') : undefined;
  const faster = changes.flatMap((one) => {
    if ('gain' in one && refusal === undefined) return [one];
    const reason = 'refusal' in one ? one.refusal : refusal;
    if (reason !== undefined) without.push({ change: one.change, reason });
    return [];
  });
  if (database === null || faster.length === 0) return { overrides: [], without };
  const { source, service: name } = database;
  const [target] = source.files;
  if (target === undefined) {
    const reason = msg('override.refused.noFiles', { name });
    return { overrides: [], without: [...without, ...faster.map(({ change }) => ({ change, reason }))] };
  }
  const own = plan.scenarios.find(({ id }) => id === plan.baselineId);
  const measured = own === undefined ? '' : configOf(plan, own).image.requested;
  const isVm = engines[0].passport.runtime.vm;
  const question = { source, service: name, faster, measured, isVm, poolOptions: poolOptionsOf(plan) };
  const answer = await readApart('overrides', overridesHere, question, (reason) =>
    databaseRefused(target, [reason]),
  );
  return { overrides: answer.overrides, without: [...without, ...answer.without] };
}

interface OverridesQuestion {
  source: Database['source'];
  service: string;
  faster: Wanted[];
  measured: string;
  isVm: boolean;
  poolOptions: readonly string[];
}

export async function overridesHere(question: OverridesQuestion): Promise<DatabaseOverrides> {
  const { source, service: name, faster } = question;
  const without: DatabaseOverrides['without'] = [];
  const overrides: DatabaseOverride[] = [];
  const project = await readProject(source);
  const service = project.services.find((one) => one.name === name);
  if (service === undefined) {
    const [target = ''] = source.files;
    const evidence = [msg('override.refused.gone', { place: target, service: name })];
    throw new BenchmarkError('DATABASE_REFUSED', { name: target }, { evidence });
  }
  for (const { change, gain: ratio } of faster) {
    const made = await overrideFor({ ...question, project, service, change });
    if ('refusal' in made) without.push({ change, reason: made.refusal });
    else {
      const gain = ratio === null ? null : { value: ratio.value, low: ratio.low, high: ratio.high };
      overrides.push({ ...made, change, gain });
    }
  }
  const rank = (change: DatabaseChange): number => (keepsWhatIsNeeded(change) ? 0 : 1);
  overrides.sort((a, b) => rank(a.change) - rank(b.change) || (b.gain?.value ?? 0) - (a.gain?.value ?? 0));
  return { overrides, without };
}

/** Only the wait for a first start can be changed. */
function ofHealthCheck(firstStart: Analysis['firstStart']): Measured[] {
  const check = firstStart?.healthCheck ?? null;
  if (check === null) return [];
  const { own, needed } = check;
  if (needed !== undefined) return [{ change: healthChange(needed), gain: null }];
  return own === null ? [] : [{ change: healthChange(own), refusal: msg('override.refused.waitsEnough') }];
}

function judged(change: DatabaseChange, { ratio, verdict }: Pick<Effect, 'ratio' | 'verdict'>): Measured {
  if (ratio === null || verdict === 'inconclusive')
    return { change, refusal: msg('override.refused.inconclusive') };
  return verdict === 'faster'
    ? { change, gain: ratio }
    : { change, refusal: msg('override.refused.notFaster') };
}

function poolOptionsOf({ configs, database }: Plan): string[] {
  const id = database?.together === undefined ? ('large-pool' satisfies ServerChangeId) : 'together';
  const config = configs.find(({ server }) => server === id);
  const { flavor, version } = config?.image ?? { flavor: null, version: null };
  if (config === undefined || flavor === null || version === null) return [];
  const { settings } = config;
  return [
    `--innodb-buffer-pool-size=${settings.bufferPoolMiB}M`,
    ...redoLogOptions({ flavor, version }, settings),
  ];
}

function measuredOf(effect: Effect, plan: Plan, forTests: boolean): Measured[] {
  const own = plan.scenarios.find(({ id }) => id === plan.baselineId);
  const other = plan.scenarios.find(({ id }) => id === effect.pairs[0]?.scenarioId);
  if (own === undefined || other === undefined || levelOf(own, effect.factor) !== effect.reference) return [];
  const { factor, dependsOn } = effect;
  const parsed = databaseChangeSchema.safeParse({
    factor,
    level: factor === 'storage' ? other.storage.kind : effect.level,
  });
  if (!parsed.success) return [];
  const change = parsed.data;
  const found =
    (dependsOn !== null && effect.at.find(({ level }) => level === levelOf(own, dependsOn))) || effect;
  const one = judged(change, found);
  if ('refusal' in one || (change.level === 'tmpfs' && forTests)) return [one];
  if (change.level === 'tmpfs') return [{ change, refusal: msg('override.refused.memory') }];
  // The override of a relaxed server names what may be lost.
  const isUnsafe = (factor !== 'server' && effect.unsafe.level) || losesData(other.storage.kind);
  return [isUnsafe ? { change, refusal: msg('override.refused.losesData') } : one];
}
