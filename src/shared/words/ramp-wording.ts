import type { Translate } from './i18n.ts';
import type { Knee, Ramp } from '../model/analysis.ts';
import { asSentence } from './wording.ts';

/** "knee at 8 connections (in 2 of 3 rounds)"; at an end of the ramp, what that leaves open. */
export function kneeText(knee: Knee | null, t: Translate): string {
  if (knee === null) return t('report:ramp.noKnee');
  const { connections, agreeing, rounds, end } = knee;
  // There are no fewer than one.
  const where = end === 'lowest' && connections === 1 ? null : end;
  return t(`report:ramp.knee.${where ?? 'between'}`, {
    connections: t('report:provenance.connections', { count: connections }),
    rounds: t('report:ramp.agreeing', { agreeing, count: rounds }),
  });
}

/** "Named volume × published port: knee at 8 connections (in 2 of 3 rounds)". */
export function rampSentence({ name, knee }: Ramp, t: Translate): string {
  return t('report:ramp.sentence', { name: asSentence(name, t), knee: kneeText(knee, t) });
}

/** Whether a level is to be marked: where throughput still rises at the highest one, there is no knee to be seen. */
export function isKnee(knee: Knee | null, connections: number): boolean {
  return knee?.connections === connections && knee.end !== 'highest';
}
