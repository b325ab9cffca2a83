import type { BenchmarkError } from '../../../shared/errors.ts';
import type { RuntimeAttempt } from '../../../shared/model/passport.ts';
import { configDirectory, currentContext, listContexts, readTls, tryParse } from './contexts.ts';
import { connectionKey, parseEndpoint, type Connection, type TlsMaterial } from '../engine/endpoints.ts';
import { wellKnownPlaces } from './places.ts';
import { variable, type Surroundings } from './surroundings.ts';

/** A place to look at, before anybody looked. */
export interface Candidate extends Pick<RuntimeAttempt, 'id' | 'source' | 'label' | 'endpoint'> {
  /** Undefined when it can't be used; then `error` says why. */
  connection: Connection | undefined;
  error: BenchmarkError | undefined;
  /** The user named this one with DOCKER_HOST or DOCKER_CONTEXT. */
  demanded: boolean;
}

/**
 * Every place to look for an engine, in the order of Docker's CLI: DOCKER_HOST, DOCKER_CONTEXT, `currentContext`,
 * the default context; then all other contexts and the well-known sockets, so that the user can choose. Reads files,
 * connects to nothing.
 */
export function listCandidates(surroundings: Surroundings): Candidate[] {
  const candidates: Candidate[] = [];
  const host = variable(surroundings, 'DOCKER_HOST');
  if (host !== undefined) candidates.push(fromVariable(surroundings, host));

  const demandedContext = variable(surroundings, 'DOCKER_CONTEXT');
  const current = currentContext(surroundings);
  const first = [demandedContext, current].filter((name): name is string => name !== undefined);
  const contexts = listContexts(surroundings, first);
  const rank = (name: string): number => {
    const at = [...first, 'default'].indexOf(name);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  const ordered = contexts
    .map((context, index) => ({ context, index }))
    .sort((a, b) => compare(rank(a.context.name), rank(b.context.name)) || a.index - b.index);
  for (const { context } of ordered) {
    candidates.push({
      id: `context:${context.name}`,
      source: 'context',
      label: context.name,
      endpoint: context.endpoint,
      connection: context.connection,
      error: context.error,
      // DOCKER_HOST overrides DOCKER_CONTEXT.
      demanded: host === undefined && context.name === demandedContext,
    });
  }

  const known = new Set(
    candidates.flatMap(({ connection }) => (connection ? connectionKey(connection) : [])),
  );
  for (const { label, path } of wellKnownPlaces(surroundings)) {
    // A place that a context names is listed under the context's name.
    if (known.has(path)) continue;
    known.add(path);
    const endpoint = `${surroundings.platform === 'win32' ? 'npipe' : 'unix'}://${path}`;
    candidates.push({
      id: `socket:${path}`,
      source: 'socket',
      label,
      endpoint,
      connection: parseEndpoint(endpoint, surroundings.platform),
      error: undefined,
      demanded: false,
    });
  }
  return candidates;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function fromVariable(surroundings: Surroundings, host: string): Candidate {
  return {
    id: 'env:DOCKER_HOST',
    source: 'env',
    label: 'DOCKER_HOST',
    endpoint: host,
    ...tryParse(host, surroundings, variableTls(surroundings, host)),
    demanded: true,
  };
}

/** DOCKER_TLS_VERIFY asks for TLS with verification, DOCKER_TLS without; 2376 is the port for TLS. */
function variableTls(surroundings: Surroundings, host: string): TlsMaterial | undefined {
  const verify = variable(surroundings, 'DOCKER_TLS_VERIFY') !== undefined;
  const wanted =
    verify || variable(surroundings, 'DOCKER_TLS') !== undefined || /:2376\/?$|^https:/i.test(host);
  if (!wanted || /^(unix|npipe):/i.test(host)) return undefined;
  const directory = variable(surroundings, 'DOCKER_CERT_PATH') ?? configDirectory(surroundings);
  try {
    return readTls(surroundings, directory, verify) ?? { verify };
  } catch {
    // A key that may not be read: the engine will say what it misses.
    return { verify };
  }
}
