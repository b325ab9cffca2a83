import type { Plan } from '../model/plan.ts';
import type { StepState } from '../model/run-state.ts';
import type { Translate } from './i18n.ts';

/** "Pull image: mysql:8.4", "Clone data: named volume × published port", "Clean up" */
export function stepText(
  { kind, subject }: Pick<StepState, 'kind' | 'subject'>,
  { scenarios, clientImage }: Pick<Plan, 'scenarios' | 'clientImage'>,
  t: Translate,
): string {
  if (kind === 'start') return t('ui:live.step.start', { round: subject });
  const name = t(`ui:live.step.${kind}`);
  if (kind === 'cleanup') return name;
  const server = scenarios.find(({ serverId }) => serverId === subject)?.name;
  const image = subject === 'client' ? clientImage?.reference : undefined;
  return t('report:list.named', { name, value: server ?? image ?? subject });
}
