import { BenchmarkError } from '../../../shared/errors.ts';

/** What Go's network code, proxies and registries say when the registry was not reached at all. */
const UNREACHABLE =
  /no such host|connection refused|i\/o timeout|tls handshake|temporary failure in name resolution|server misbehaving|proxy[^:]*|bad gateway|service unavailable|gateway timeout|network is unreachable|no route to host|connection reset|context deadline exceeded|client\.timeout|x509: [^:]*|certificate[^:]*|: eof$/i;

/** What registries answer when they were reached but have no such image, or not for this architecture. */
const NOT_FOUND =
  /manifest unknown|not found|name unknown|repository does not exist|denied: requested access|no matching manifest|no such image|invalid reference format|does not match the specified platform/i;

/** The caller knows which local images could stand in; until it says so, none. */
const NO_LOCAL = '–';

/**
 * The end of Go's chain of reasons ("Get …: dial tcp: lookup …: no such host"): the cause itself, without the
 * addresses of the user's resolver or proxy, since it stands in every export of a run with a substituted image.
 */
function cause(reason: string): string {
  const known = UNREACHABLE.exec(reason)?.[0].replace(/^: /, '');
  return known ?? reason.split(': ').at(-1) ?? reason;
}

/** The engine's complaint about a registry as REGISTRY_UNREACHABLE, IMAGE_NOT_FOUND or PULL_FAILED. */
export function registryError(image: string, reason: string): BenchmarkError {
  if (UNREACHABLE.test(reason)) {
    return new BenchmarkError(
      'REGISTRY_UNREACHABLE',
      { image, reason: cause(reason), local: NO_LOCAL },
      { evidence: [reason] },
    );
  }
  return NOT_FOUND.test(reason)
    ? imageNotFound(image, reason)
    : new BenchmarkError('PULL_FAILED', { image, reason });
}

/** IMAGE_NOT_FOUND, naming no local image in its place: those are only known to whoever looked for them. */
export function imageNotFound(image: string, reason: string): BenchmarkError {
  return new BenchmarkError('IMAGE_NOT_FOUND', { image, reason, local: NO_LOCAL });
}

/**
 * Throws IMAGE_NOT_FOUND for what can't be an image reference. A reference becomes part of a request's path, so the
 * letters of the grammar (distribution/reference) are checked before anything is sent.
 */
export function checkReference(reference: string): void {
  if (!/^[a-z0-9][\w.\-/:@]*$/i.test(reference) || reference.includes('..')) {
    throw imageNotFound(reference, 'this is not an image reference');
  }
}
