import { errorMessage } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { labelText } from '../../shared/words/labels.ts';
import type { RunContext } from '../context/context.ts';
import type { Trial } from './trial.ts';

/** `again`: another attempt may measure. `over`: the trial has ended. */
export type Outcome = 'measured' | 'again' | 'over';

/** Trials that missed their slice get another turn at the end. */
export async function takePass(
  trials: readonly Trial[],
  emit: RunContext['emit'],
  take: (trial: Trial, position: number, isAgain: boolean) => Promise<Outcome>,
): Promise<void> {
  let position = 0;
  const missed: Trial[] = [];
  for (const trial of trials) {
    if ((await take(trial, ++position, false)) === 'again') missed.push(trial);
  }
  for (const trial of missed) {
    const first = trial.why;
    const outcome = await take(trial, ++position, true);
    const reason = outcome === 'measured' ? first : trial.why;
    if (outcome === 'over' || reason === undefined) continue;
    const { id: scenarioId, label } = trial.scenario;
    const key = outcome === 'measured' ? 'notice.sliceAgain' : 'notice.sliceLost';
    const message = msg(key, { scenario: labelText(label, ENGLISH), reason: errorMessage(reason) });
    emit({ type: 'notice', notice: { code: 'SLICE_LOST', message, scenarioId, trialId: trial.id } });
  }
}
