import type { RuntimeAttempt, RuntimeReport } from '../../shared/model/passport.ts';
import { log } from '../log/log.ts';
import { contextOf } from '../privacy/shareable-plan.ts';

let lastTold = '';

export function logRuntimes(report: RuntimeReport): void {
  log.hide(...namesIn(report));
  const found = report.attempts.map((attempt) => ({
    kind: attempt.id.replace(/:.*$/s, ''),
    ...(attempt.source === 'socket' ? { label: attempt.label } : {}),
    ...(attempt.chosen ? { chosen: true } : {}),
    is: attempt.passport?.runtime.name ?? attempt.error?.code ?? 'unusable',
  }));
  const chosen = report.attempts.find(({ id }) => id === report.chosenId)?.passport?.runtime;
  const line = JSON.stringify([found, chosen]);
  if (line === lastTold) return;
  lastTold = line;
  if (chosen === undefined) return log.warn('no usable runtime', { found });
  const { kind, name, engineVersion, apiVersion, vm, rootless, remote, storageDriver } = chosen;
  log.info('runtime found', {
    runtime: { kind, name, engineVersion, apiVersion, vm, rootless, remote, storageDriver },
    found,
  });
}

export function namesIn({ attempts }: RuntimeReport): string[] {
  return attempts.flatMap(({ id, endpoint }: RuntimeAttempt) => {
    const context = contextOf(id);
    const [, user, host] = /^(?:ssh|tcp|https?):\/\/(?:([^@/]*)@)?(\[[^\]]*\]|[^:/]*)/.exec(endpoint) ?? [];
    return [context, user?.replace(/:.*$/s, ''), host].filter((name) => name !== undefined);
  });
}
