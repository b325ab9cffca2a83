import type { Consent, Plan } from '../../shared/model/plan.ts';
import { canAsk, confirm } from '../text/ask.ts';

/** Only a terminal can ask; scripts use --allow. */
export async function agreed(
  { consents }: Pick<Plan, 'consents'>,
  allowed: readonly Consent[] = [],
  terminal = { canAsk, confirm },
): Promise<readonly Consent[]> {
  const isNeeded = consents.some(({ consent }) => consent === 'own-command');
  if (!isNeeded || allowed.includes('own-command') || !terminal.canAsk()) return allowed;
  return (await terminal.confirm('Run the command?')) ? [...allowed, 'own-command'] : allowed;
}
