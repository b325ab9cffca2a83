import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { inspect } from 'node:util';
import Dockerode from 'dockerode';
import * as z from 'zod';
import { englishOf, msg, type Said } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Connection } from './endpoints.ts';
import { engineError, engineLost, statusOf } from './engine-error.ts';
import { SshAgent } from '../ssh/ssh-agent.ts';
import { SshFailure } from '../ssh/ssh-connection.ts';
import { errorFields, log } from '../../log/log.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { ContainerRuntime } from '../container-runtime.ts';

/** Long enough for a laptop under load to create a container, short enough to notice that an engine hangs. */
const DEFAULT_DEADLINE_MS = 60_000;

/** A question is answered in milliseconds; one that waits this long is asked again. */
const QUESTION_MS = 10_000;
/** Cause of an ENGINE_LOST that only means "no answer yet". */
const UNANSWERED = Symbol('unanswered');

/**
 * dockerode with the two things it lacks: every call has a deadline and rejects with a `BenchmarkError`,
 * and answers are checked instead of believed.
 */
export class EngineClient {
  readonly docker: Dockerode;

  constructor(connection: Connection) {
    this.docker = withoutDockerHost(() => new Dockerode(dockerOptions(connection)));
  }

  /**
   * A call that only asks and changes nothing. One without an answer in ten seconds is asked once more on a new
   * connection before the engine counts as lost: a run of minutes should not end because of one lost answer (it
   * happened in Electron's utility process, to an engine that answered everything else).
   */
  async ask<T>(
    action: Said,
    work: (signal: AbortSignal) => Promise<T>,
    questionMs = QUESTION_MS,
  ): Promise<T> {
    try {
      return await this.call(action, work, { deadlineMs: questionMs });
    } catch (error) {
      if (!(error instanceof BenchmarkError) || error.cause !== UNANSWERED) throw error;
      return this.call(action, work);
    }
  }

  /**
   * Runs one call. `work` must hand the signal it gets to dockerode: it fires when the deadline (milliseconds; null
   * for none) passes or `options.signal` aborts. For streams the deadline counts until the stream is there.
   * Rejects with ENGINE_LOST, ENGINE_REFUSED or STOPPED; `action` says what is being done, for the evidence.
   */
  async call<T>(
    action: Said,
    work: (signal: AbortSignal) => Promise<T>,
    options: { deadlineMs?: number | null; signal?: AbortSignal } = {},
  ): Promise<T> {
    const { deadlineMs = DEFAULT_DEADLINE_MS, signal } = options;
    const began = Date.now();
    if (signal?.aborted === true) throw new BenchmarkError('STOPPED');
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let giveUp: (error: BenchmarkError) => void = () => undefined;
    const givenUp = new Promise<never>((_, reject) => (giveUp = reject));
    const onAbort = (): void => giveUp(new BenchmarkError('STOPPED'));
    signal?.addEventListener('abort', onAbort, { once: true });
    if (deadlineMs !== null) {
      timer = setTimeout(
        () =>
          giveUp(
            engineLost(action, msg('reason.noAnswerWithin', { seconds: deadlineMs / 1000 }), UNANSWERED),
          ),
        deadlineMs,
      );
    }
    try {
      return await Promise.race([work(controller.signal), givenUp]);
    } catch (error) {
      // Frees the connection when it is us who gave up.
      controller.abort();
      const failure =
        error instanceof SshFailure ? engineLost(action, error.how, error) : engineError(error, action);
      logEngineFailure(action, failure, Date.now() - began);
      throw failure;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

/** Checks an answer against a schema; what doesn't fit is not a Docker engine's answer. */
export function checked<T>(schema: z.ZodType<T>, answer: unknown, action: Said): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new BenchmarkError(
    'ENDPOINT_BAD_ANSWER',
    { endpoint: 'The engine', reason: msg('engine.oddAnswer', { action }) },
    { evidence: z.prettifyError(parsed.error).split('\n') },
  );
}

/**
 * docker-modem mixes `DOCKER_HOST` into whatever options it is given, and throws when it can't parse it.
 * We know where to connect, whatever the environment says; construction is synchronous, so nobody sees the gap.
 */
function withoutDockerHost<T>(construct: () => T): T {
  const saved = process.env['DOCKER_HOST'];
  delete process.env['DOCKER_HOST'];
  try {
    return construct();
  } finally {
    if (saved !== undefined) process.env['DOCKER_HOST'] = saved;
  }
}

function dockerOptions(connection: Connection): Dockerode.DockerOptions & { agent: HttpAgent } {
  // No kept-alive connections: one that the engine closed in the meantime would look like a lost engine.
  const plain = { keepAlive: false };
  if (connection.kind === 'socket') {
    return { socketPath: connection.path, agent: opaque(new HttpAgent(plain)) };
  }
  if (connection.kind === 'ssh') {
    // The agent knows the way; the name only goes into the header.
    return { host: 'http://docker', port: 80, protocol: 'http', agent: opaque(new SshAgent(connection)) };
  }
  const { port, tls } = connection;
  const host = connection.host.includes(':') ? `[${connection.host}]` : connection.host;
  if (tls === undefined) {
    return { host: `http://${host}`, port, protocol: 'http', agent: opaque(new HttpAgent(plain)) };
  }
  const { verify, ...material } = tls;
  const agent = opaque(new HttpsAgent({ ...plain, rejectUnauthorized: verify, ...material }));
  return { host: `https://${host}`, port, protocol: 'https', agent };
}

/**
 * docker-modem prints the options of every request with all hidden properties for its debug log, whether that is on
 * or off. Electron 22 (Node 16.17) dies of it when an agent is among them; and keys have no place in a log.
 */
function opaque<T extends HttpAgent>(agent: T): T {
  return Object.defineProperty(agent, inspect.custom, { value: () => 'Agent' });
}

/** The same failure again is only told after so long: some things are asked every second. */
const QUIET_MS = 60_000;
const MOST_KNOWN = 200;
/** When each was told last, and how often it came since. */
const told = new Map<string, { at: number; since: number }>();

/** Logs a request that the engine refused or did not answer, after `ms`; one that we gave up ourselves is no failure. */
export function logEngineFailure(action: Said, failure: BenchmarkError, ms: number): void {
  if (failure.code === 'STOPPED') return;
  const key = `${englishOf(action)}\n${failure.code}\n${failure.message}`;
  const before = told.get(key);
  const now = Date.now();
  if (before !== undefined && now - before.at < QUIET_MS) {
    before.since += 1;
    return;
  }
  if (told.size >= MOST_KNOWN) told.clear();
  told.set(key, { at: now, since: 0 });
  const status = statusOf(failure.cause);
  log.warn('request of the engine failed', {
    action,
    ms,
    ...(status === undefined ? {} : { status }),
    ...(before === undefined || before.since === 0 ? {} : { alsoSinceLastTold: before.since }),
    error: errorFields(failure.toData()),
  });
}

/** How long an engine may stay away: a laptop wakes in seconds, an engine restarts in some more. Ms. */
const AWAY_MS = 30_000;
const BETWEEN_MS = 500;

/** Whether a lost engine answers again within its time, in the version that it had. False as soon as the run is stopped. */
export async function returnsSoon(
  runtime: Pick<ContainerRuntime, 'ping' | 'passport'>,
  signal: AbortSignal,
  awayMs = AWAY_MS,
): Promise<boolean> {
  const until = performance.now() + awayMs;
  const { engineVersion, kernel } = runtime.passport.runtime;
  while (!signal.aborted) {
    const now = await runtime.ping().catch(() => undefined);
    if (now !== undefined) return now.engineVersion === engineVersion && now.kernel === kernel;
    if (performance.now() > until) return false;
    await wait(BETWEEN_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
}
