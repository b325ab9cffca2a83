import { englishOf } from '../message.ts';
import { PRODUCTS, productTraits, type Product } from '../kinds/engines.ts';
import type { DockerFacts, RuntimeAttempt, RuntimeReport } from '../model/passport.ts';

export type DockerTrouble =
  | { state: 'not-installed' }
  | { state: 'stopped' | 'starting'; product: Product | null }
  /** `socket` is null if its group isn't known. */
  | { state: 'forbidden'; path: string; socket: DockerFacts['sockets'][number] | null }
  /** Paused by the user, or by Docker Desktop's resource saver. */
  | { state: 'paused'; byUser: boolean }
  | { state: 'windows-containers' }
  | { state: 'wrong-context'; variable: AskedBy; label: string; usable: { id: string; label: string }[] }
  | { state: 'broken-context'; variable: AskedBy | null; label: string }
  | { state: 'remote-unreachable'; variable: AskedBy | null; label: string; trial: string | null }
  | { state: 'unknown' };
type AskedBy = NonNullable<RuntimeAttempt['askedBy']>;

/** Seconds until an engine no longer counts as starting. */
const STARTED_AFTER = 180;
const IS_ELSEWHERE = /^(?:tcp|ssh|https?):/i;
/** "Docker Desktop is manually paused. Unpause it through the Whale menu or Dashboard." */
const PAUSED = /\bpaused\b/i;

export function diagnoseDocker({ attempts, chosenId, facts }: RuntimeReport): DockerTrouble | undefined {
  if (chosenId !== null || facts === null) return undefined;
  const [first] = attempts;
  const usable = attempts.filter((attempt) => attempt.usable);
  // Only an environment variable leaves nothing chosen while something is usable.
  if (first !== undefined && usable.length > 0) {
    return {
      state: 'wrong-context',
      variable: first.source === 'env' ? 'DOCKER_HOST' : 'DOCKER_CONTEXT',
      label: labelOf(first),
      usable: different(usable).map(({ id, label }) => ({ id, label })),
    };
  }
  // A variable's engine is never replaced by another.
  const blocked = first?.askedBy === undefined ? undefined : (inTheWay([first], facts) ?? elsewhere(first));
  return blocked ?? inTheWay(attempts, facts) ?? elsewhere(first) ?? atHome(attempts, facts);
}

function inTheWay(attempts: RuntimeAttempt[], facts: DockerFacts): DockerTrouble | undefined {
  if (attempts.some(({ error }) => error?.code === 'WINDOWS_CONTAINERS'))
    return { state: 'windows-containers' };
  if (attempts.some(({ error }) => error !== null && PAUSED.test(englishOf(error.params['reason'] ?? '')))) {
    return { state: 'paused', byUser: true };
  }
  return forbidden(attempts, facts);
}

/** This machine's comparable engines, the one in use first. */
export function enginesHere({ attempts, chosenId }: RuntimeReport): RuntimeAttempt[] {
  const isInUse = ({ id }: RuntimeAttempt): boolean => id === chosenId;
  const here = attempts.filter(({ usable, passport }) => usable && passport?.runtime.remote === false);
  return different([...here.filter(isInUse), ...here.filter((one) => !isInUse(one))]);
}

export function different(attempts: readonly RuntimeAttempt[]): RuntimeAttempt[] {
  return attempts.filter(
    ({ id, sameAs }, index) =>
      !attempts.slice(0, index).some((earlier) => earlier.id === id || sameAs.includes(earlier.id)),
  );
}

function forbidden(attempts: RuntimeAttempt[], { sockets }: DockerFacts): DockerTrouble | undefined {
  // A firewall also forbids, but joining a group doesn't help there.
  const attempt = attempts.find(
    ({ error, endpoint }) => error?.code === 'ENDPOINT_FORBIDDEN' && !IS_ELSEWHERE.test(endpoint),
  );
  if (attempt === undefined) return undefined;
  const path = attempt.endpoint.replace(/^(unix|npipe):\/\//, '');
  return { state: 'forbidden', path, socket: sockets.find((one) => one.path === path) ?? null };
}

function elsewhere(first: RuntimeAttempt | undefined): DockerTrouble | undefined {
  if (first?.error === undefined || first.error === null) return undefined;
  const variable = first.askedBy ?? null;
  if (first.error.code === 'CONTEXT_BROKEN') return { state: 'broken-context', variable, label: first.label };
  if (!IS_ELSEWHERE.test(first.endpoint)) return undefined;
  const { trial } = first.error.params;
  const said = trial === undefined ? null : englishOf(trial);
  return { state: 'remote-unreachable', variable, label: labelOf(first), trial: said };
}

function labelOf({ source, endpoint, label }: RuntimeAttempt): string {
  return source === 'env' ? endpoint : label;
}

function atHome(attempts: RuntimeAttempt[], facts: DockerFacts): DockerTrouble {
  const product = meantProduct(attempts, facts);
  const running = facts.products.find((one) => one.product === product && one.isRunning);
  const hasCode = (code: string): boolean => attempts.some(({ error }) => error?.code === code);
  if (hasCode('ENDPOINT_TIMEOUT')) {
    // Docker Desktop stops an idle engine and does not always restart it.
    const sleeps = product === 'docker-desktop' && (running?.runningSeconds ?? 0) > STARTED_AFTER;
    return sleeps ? { state: 'paused', byUser: false } : { state: 'starting', product };
  }
  if (running !== undefined) return { state: 'starting', product };
  if (product !== null || hasCode('ENDPOINT_REFUSED')) return { state: 'stopped', product };
  const isSilent = attempts.every(({ error }) => error === null || error.code === 'ENDPOINT_MISSING');
  return { state: isSilent ? 'not-installed' : 'unknown' };
}

/** The running product, or else the likeliest; null: none is installed. */
function meantProduct([first]: RuntimeAttempt[], { platform, products }: DockerFacts): Product | null {
  const is = (wanted: Product | undefined): boolean => products.some(({ product }) => product === wanted);
  const running = products.find(({ isRunning }) => isRunning);
  if (running !== undefined) return running.product;
  const place = `${first?.label ?? ''} ${first?.endpoint ?? ''}`;
  const named = PRODUCTS.find((product) => productTraits(product).namedBy?.test(place));
  if (named !== undefined && is(named)) return named;
  if (platform === 'linux' && is('docker-engine')) return 'docker-engine';
  return products[0]?.product ?? null;
}

/** The first attempt if another engine is in use. */
export function passedOver({ attempts, chosenId }: RuntimeReport): RuntimeAttempt | undefined {
  const [first] = attempts;
  if (chosenId === null || first === undefined || first.usable || first.source === 'socket') return undefined;
  return first;
}
