import { levelOf } from '../../shared/analysis/effects.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { losesData } from '../../shared/kinds/storages.ts';
import { msg, type Message } from '../../shared/message.ts';
import type { Analysis, Effect, RatioEstimate } from '../../shared/model/analysis.ts';
import type { Plan } from '../../shared/model/plan.ts';
import {
  type Setup,
  setupChangeSchema,
  type SetupChange,
  type SetupPatches,
} from '../../shared/model/setup.ts';
import { lossOf, setupPatch } from '../../shared/project/patch/patch.ts';
import { readApart } from '../reading/reader.ts';
import { readComposeFiles, setupRefused } from './open-setup.ts';

type Faster = { change: SetupChange; gain: RatioEstimate };
type Measured = { change: SetupChange } & ({ gain: RatioEstimate } | { refusal: Message });

/**
 * A patch of the setup's Compose files for each change that the run measured as faster, and why the others have none.
 * The files are read again. Rejects with SETUP_REFUSED if they can't be, or no longer have the service.
 */
export async function patchesOf(
  { plan }: { plan: Plan },
  { effects }: Pick<Analysis, 'effects'>,
): Promise<SetupPatches> {
  const { setup, passport } = plan;
  const measured = setup === null ? [] : effects.flatMap((effect) => measuredOf(effect, plan));
  const without: SetupPatches['without'] = [];
  const faster = measured.flatMap((one) => {
    if ('gain' in one) return [one];
    without.push({ change: one.change, reason: one.refusal });
    return [];
  });
  if (setup === null || faster.length === 0) return { patches: [], without };
  const { source, service: name } = setup;
  const [target] = source.files;
  if (target === undefined) {
    const reason = msg('setupPatch.refused.noFiles', { name });
    return { patches: [], without: [...without, ...faster.map(({ change }) => ({ change, reason }))] };
  }
  const question = { source, service: name, faster, isVm: passport.runtime.vm };
  const made = await readApart('patches', patchesHere, question, (reason) => setupRefused(target, [reason]));
  return { patches: made.patches, without: [...without, ...made.without] };
}

export async function patchesHere({
  source,
  service: name,
  faster,
  isVm,
}: {
  source: Setup['source'];
  service: string;
  faster: Faster[];
  isVm: boolean;
}): Promise<SetupPatches> {
  const without: SetupPatches['without'] = [];
  const { setup, project } = await readComposeFiles(source.files);
  const service = setup.services.find((one) => one.name === name);
  if (service === undefined) {
    const [target = ''] = source.files;
    const evidence = [msg('setupPatch.refused.gone', { place: target, service: name })];
    throw new BenchmarkError('SETUP_REFUSED', { name: target }, { evidence });
  }
  const patches = faster.flatMap(({ change, gain: { value, low, high } }) => {
    const gain = { value, low, high };
    const made = setupPatch({ project, source, service, change, gain, isVm });
    if (!('refusal' in made)) return [made];
    without.push({ change, reason: made.refusal });
    return [];
  });
  const rank = (change: SetupChange): number => (lossOf(change) === 'nothing' ? 0 : 1);
  patches.sort((a, b) => rank(a.change) - rank(b.change) || b.gain.value - a.gain.value);
  return { patches, without };
}

/** What the effect says of the setup, which is the plan's baseline. None if it compares two other levels. */
function measuredOf(effect: Effect, plan: Plan): Measured[] {
  const own = plan.scenarios.find(({ id }) => id === plan.baselineId);
  const other = plan.scenarios.find(({ id }) => id === effect.pairs[0]?.scenarioId);
  if (own === undefined || other === undefined || levelOf(own, effect.factor) !== effect.reference) return [];
  const { factor, dependsOn } = effect;
  // The ID of a storage may be a name of the preset.
  const parsed = setupChangeSchema.safeParse({
    factor,
    level: factor === 'storage' ? other.storage.kind : effect.level,
  });
  if (!parsed.success) return [];
  const change = parsed.data;
  const { ratio, verdict } =
    (dependsOn !== null && effect.at.find(({ level }) => level === levelOf(own, dependsOn))) || effect;
  const because = (refusal: Message): Measured[] => [{ change, refusal }];
  if (ratio === null || verdict === 'inconclusive') return because(msg('setupPatch.refused.inconclusive'));
  if (verdict !== 'faster') return because(msg('setupPatch.refused.notFaster'));
  if (effect.unsafe.level || losesData(other.storage.kind))
    return because(msg('setupPatch.refused.losesData'));
  return [{ change, gain: ratio }];
}
