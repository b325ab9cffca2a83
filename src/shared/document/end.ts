import type { RunState } from '../model/run-state.ts';
import { failedTrials } from '../run/failures.ts';
import { outcomeText, outcomeTone } from '../words/outcome.ts';
import { serversText } from '../words/provenance.ts';
import { sharingText } from '../words/wording.ts';
import type { Saying, Section } from './blocks.ts';

export function endSection(run: RunState, { t, sharing, dateText }: Saying): Section {
  const ended = { outcome: run.outcome ?? 'stopped', failed: failedTrials(run).length } as const;
  const measured = t('ui:result.measuredOn', {
    when: dateText(run.startedAt),
    runtime: run.plan.engines.map(({ name }) => name).join(' + '),
    image: serversText(run.plan, t),
  });
  const outcome = outcomeTone(ended) === 'ok' ? [] : [`${outcomeText(ended, t)}${t('report:list.end')}`];
  const shared =
    sharing === undefined
      ? []
      : [t('report:share.source', { version: run.appVersion, run: run.runId }), sharingText(sharing, t)];
  return {
    id: 'end',
    title: null,
    level: 'end',
    blocks: [
      { kind: 'lines', items: [[...outcome, measured].join(t('report:list.sentences'))], isFull: true },
      { kind: 'lines', items: shared },
    ],
  };
}
