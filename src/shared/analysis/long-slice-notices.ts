import { msg } from '../message.ts';
import type { Effect } from '../model/analysis.ts';
import type { Notice } from '../model/plan.ts';
import type { RunOutline } from '../model/run-state.ts';
import { formatRatio } from '../words/units.ts';

/** Beyond the interval of the slices by more than this, a ratio has changed: a long slice is one sample. */
const TOLERANCE = 1.1;

export function longSliceNotices(
  { plan, longSlices }: Pick<RunOutline, 'plan' | 'longSlices'>,
  effects: readonly Effect[],
): Notice[] {
  const scenarios = new Map(plan.scenarios.map((one) => [one.id, one]));
  const measured = new Map(
    longSlices.map((slice) => [scenarios.get(slice.scenarioId)?.storageId ?? '', slice] as const),
  );
  const seconds = plan.schedule.longSliceSeconds ?? 0;
  const compared = effects.flatMap(({ factor, level, reference, ratio }) => {
    const [one, other] = [measured.get(level), measured.get(reference)];
    if (factor !== 'storage' || one === undefined || other === undefined || other.tps === 0) return [];
    if (ratio === null || ratio.low === null || ratio.high === null) return [];
    const long = one.tps / other.tps;
    const isChanged = long < ratio.low / TOLERANCE || long > ratio.high * TOLERANCE;
    return [
      { scenarioId: one.scenarioId, referenceId: other.scenarioId, long, slices: ratio.value, isChanged },
    ];
  });
  const changed = compared.filter(({ isChanged }) => isChanged);
  if (compared.length > 0 && changed.length === 0) {
    return [{ code: 'LONG_SLICES_ALIKE', message: msg('notice.longSlicesAlike', { seconds }) }];
  }
  return changed.map(({ scenarioId, referenceId, long, slices }) => ({
    code: 'LONG_SLICE_DIFFERS',
    scenarioId,
    message: msg('notice.longSliceDiffers', {
      seconds,
      reference: scenarios.get(referenceId)?.name ?? referenceId,
      long: formatRatio(long),
      slices: formatRatio(slices),
    }),
  }));
}
