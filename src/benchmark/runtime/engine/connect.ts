import { BenchmarkError } from '../../../shared/errors.ts';
import type { RuntimeAttempt, RuntimeReport } from '../../../shared/model/passport.ts';
import { listCandidates } from '../discovery/candidates.ts';
import type { ContainerRuntime } from '../container-runtime.ts';
import { DockerodeRuntime } from './dockerode-runtime.ts';
import { parseEndpoint, type Connection } from './endpoints.ts';
import { thisMachine, type Surroundings } from '../discovery/surroundings.ts';

/**
 * The runtime with the given id, or the one the report has chosen. Connects lazily: nothing is sent yet.
 * Throws RUNTIME_UNKNOWN for an id that the report doesn't have or a context that is gone, the discovery's own error for
 * a context whose certificates can't be read, NO_RUNTIME with the attempts as evidence when that runtime, or every one,
 * is unusable.
 */
export function connectRuntime(
  report: RuntimeReport,
  id?: string,
  surroundings: Surroundings = thisMachine(),
): ContainerRuntime {
  const wanted = id ?? report.chosenId;
  if (wanted === null) throw noRuntime(report.attempts);
  const attempt = report.attempts.find((each) => each.id === wanted);
  if (attempt === undefined) {
    const known = report.attempts.filter(({ usable }) => usable).map((each) => each.id);
    throw new BenchmarkError('RUNTIME_UNKNOWN', { id: wanted, known: known.join(', ') || '–' });
  }
  if (attempt.passport === null) throw noRuntime([attempt]);
  return new DockerodeRuntime(attempt.id, attempt.passport, connectionOf(attempt, surroundings));
}

/**
 * A report is data and holds no certificates, so they are read again from where the attempt came from. A context that
 * is no longer as it was would be reached without them: only a socket of this machine needs none.
 */
function connectionOf(attempt: RuntimeAttempt, surroundings: Surroundings): Connection {
  const candidate = listCandidates(surroundings).find(
    ({ id, endpoint }) => id === attempt.id && endpoint === attempt.endpoint,
  );
  if (candidate?.connection !== undefined) return candidate.connection;
  if (attempt.source === 'socket') return parseEndpoint(attempt.endpoint, surroundings.platform);
  if (candidate?.error !== undefined) throw candidate.error;
  throw new BenchmarkError('RUNTIME_UNKNOWN', { id: attempt.id, known: '–' });
}

function noRuntime(attempts: RuntimeAttempt[]): BenchmarkError {
  return new BenchmarkError(
    'NO_RUNTIME',
    {},
    {
      evidence: attempts.map(
        ({ label, error }) => `${label}: ${error === null ? 'usable' : `${error.message} ${error.hint}`}`,
      ),
    },
  );
}
