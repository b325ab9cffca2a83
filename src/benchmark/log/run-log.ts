import type { ErrorData } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/model/events.ts';
import { errorFields, log, type LogFields } from './log.ts';

export function logRunEvent(event: RunEvent): void {
  switch (event.type) {
    case 'run-started': {
      const { plan } = event;
      return log.info('run started', {
        runId: event.runId,
        planId: plan.id,
        preset: plan.preset.id,
        mode: plan.mode,
        rounds: plan.rounds.length,
        connections: plan.connections,
        scenarios: plan.scenarios.map(({ id }) => id),
        excluded: plan.excluded.length,
        images: plan.configs.map(({ image }) => ({ reference: image.used, id: image.imageId })),
        notices: plan.notices.map(({ code }) => code),
      });
    }
    case 'run-continued':
      return log.info('run continued');
    case 'image-resolved':
      return log.info('image resolved', { reference: event.image.used, id: event.image.imageId });
    case 'step-started':
      return log.info('step started', { stepId: event.stepId });
    case 'step-finished':
      return ended('step', { stepId: event.stepId }, event.error);
    case 'dataset-loaded':
      return log.info('dataset loaded', { bytes: event.bytes });
    case 'trial-started':
      return log.info('trial started', { trialId: event.trialId });
    case 'trial-finished': {
      const { durationMs, transactions, errors } = event.totals;
      return log.info('trial finished', { trialId: event.trialId, durationMs, transactions, errors });
    }
    case 'trial-failed':
    case 'trial-lost':
      return ended('trial', { trialId: event.trialId }, event.error);
    case 'notice':
      return log.warn('notice', { code: event.notice.code, text: event.notice.message.text });
    case 'rounds-ended':
      return log.info('no more rounds', { after: event.after, because: event.because });
    case 'scenarios-decided':
      return log.info('scenarios decided', { after: event.after, scenarios: event.scenarioIds });
    case 'pause-requested':
    case 'run-paused':
    case 'run-resumed':
    case 'stop-requested':
      return log.info(event.type.replace('-', ' '));
    case 'run-finished':
      return ended('run', { outcome: event.outcome }, event.error);
    case 'step-progress':
    case 'server-facts':
    case 'host-flush':
    case 'server-log':
    case 'trial-phase':
    case 'window':
    case 'trial-evidence':
      return;
  }
}

function ended(what: 'step' | 'trial' | 'run', fields: LogFields, error: ErrorData | null): void {
  if (error === null) log.info(`${what} finished`, fields);
  else log.warn(`${what} failed`, { ...fields, error: errorFields(error) });
}
