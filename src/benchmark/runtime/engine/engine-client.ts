import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { inspect } from 'node:util';
import Dockerode from 'dockerode';
import * as z from 'zod';
import { englishOf, msg, type Said } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import { limitAnswers } from './answer-limit.ts';
import { type ApiVersions, spokenApi } from './api-version.ts';
import type { Connection } from './endpoints.ts';
import { engineError, engineLost, isEngineLost, statusOf } from './engine-error.ts';
import { SshAgent, SshFailure } from '../ssh/ssh-connection.ts';
import { errorFields, log } from '../../log/log.ts';
import type { Passport } from '../../../shared/model/passport.ts';
import { setTimeout as wait } from 'node:timers/promises';

const DEFAULT_DEADLINE_MS = 60_000;

const QUESTION_MS = 10_000;
const UNANSWERED = Symbol('unanswered');

interface CallOptions {
  deadlineMs?: number | null;
  signal?: AbortSignal | undefined;
}

export class EngineClient {
  readonly docker: Dockerode;
  readonly #pulse = new Pulse(() => this.#ping());

  constructor(connection: Connection, versions?: ApiVersions) {
    this.docker = withoutDockerHost(() => new Dockerode(dockerOptions(connection)));
    limitAnswers(this.docker);
    if (versions !== undefined) this.speak(versions);
  }

  /** Newer API versions may drop what is read here. */
  speak(versions: ApiVersions): void {
    Object.assign(this.docker.modem, { version: spokenApi(versions) });
  }

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

  async answer<T>(
    schema: z.ZodType<T>,
    action: Said,
    work: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<T> {
    return checked(schema, await this.ask(action, work), action);
  }

  async made<T>(
    schema: z.ZodType<T>,
    action: Said,
    work: (signal: AbortSignal) => Promise<unknown>,
    deadlineMs = DEFAULT_DEADLINE_MS,
  ): Promise<T> {
    return checked(schema, await this.call(action, work, { deadlineMs }), action);
  }

  #ping(): Promise<unknown> {
    return this.call('ping', (signal) => this.told('ping', signal), { deadlineMs: PING_DEADLINE_MS });
  }

  /** dockerode's types lack the options. */
  told(what: 'ping' | 'version' | 'info' | 'swarmInspect', abortSignal: AbortSignal): Promise<unknown> {
    const ask: (options: object) => Promise<unknown> = this.docker[what].bind(this.docker);
    return ask({ abortSignal });
  }

  /**
   * `work` must pass its signal to dockerode. `deadlineMs`: null for none; for a stream, its start's. Rejects
   * with ENGINE_LOST, ENGINE_REFUSED, or STOPPED.
   */
  async call<T>(
    action: Said,
    work: (signal: AbortSignal) => Promise<T>,
    options: CallOptions = {},
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
    const isLong = deadlineMs === null || deadlineMs > PING_DEADLINE_MS;
    const begin = (): Promise<T> => work(controller.signal);
    try {
      return await Promise.race([isLong ? this.#pulse.during(begin) : begin(), givenUp]);
    } catch (error) {
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

/** A laptop wakes or an engine restarts within this. */
const AWAY_MS = 30_000;
/** Over SSH, each ping is a login. */
const BETWEEN_PINGS_MS = 15_000;
const PING_DEADLINE_MS = 20_000;

/** Connections of an engine that is away may hang for minutes. */
class Pulse {
  readonly #waits = new Set<(error: unknown) => void>();
  #timer: NodeJS.Timeout | undefined;
  #silentSince: number | undefined;
  #isAway = false;

  constructor(private readonly ping: () => Promise<unknown>) {}

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isAway) await this.ping();
    this.#isAway = false;
    let end: (error: unknown) => void = () => undefined;
    const lost = new Promise<never>((_, reject) => (end = reject));
    this.#waits.add(end);
    if (this.#waits.size === 1) {
      this.#silentSince = undefined;
      this.#next();
    }
    try {
      return await Promise.race([work(), lost]);
    } finally {
      this.#waits.delete(end);
      if (this.#waits.size === 0) clearTimeout(this.#timer);
    }
  }

  #next(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#beat(), BETWEEN_PINGS_MS);
  }

  async #beat(): Promise<void> {
    const began = performance.now();
    try {
      await this.ping();
      this.#silentSince = undefined;
    } catch (error) {
      this.#silentSince ??= began;
      this.#isAway = isEngineLost(error) && performance.now() - this.#silentSince > AWAY_MS;
      if (this.#isAway) for (const end of this.#waits) end(error);
    }
    if (this.#waits.size > 0) this.#next();
  }
}

interface Request {
  path: string;
  method: 'GET' | 'POST';
  /** Query parameters; a POST without `file` also sends them as its body. */
  options: object;
  file?: Buffer;
  isStream?: true;
  hijack?: true;
  abortSignal: AbortSignal;
  statusCodes: Record<number, true | string>;
}

/** docker-modem's types lack this method's options. */
interface Dialer {
  dial(request: Request, callback: (error: Error | null, answer: unknown) => void): void;
}

/** A request for which dockerode has no method, or a wrong one. */
export function dial({ modem }: Dockerode, request: Request): Promise<unknown> {
  const dialer: Dialer = modem;
  return new Promise((resolve, reject) =>
    dialer.dial(request, (error, answer) => (error === null ? resolve(answer) : reject(error))),
  );
}

export function checked<T>(schema: z.ZodType<T>, answer: unknown, action: Said): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new BenchmarkError(
    'ENDPOINT_BAD_ANSWER',
    { endpoint: 'The engine', reason: msg('engine.oddAnswer', { action }) },
    { evidence: z.prettifyError(parsed.error).split('\n') },
  );
}

/** docker-modem throws for a `DOCKER_HOST` that it can't parse. */
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
  // Kept-alive connections that the engine closes look like a lost engine.
  const plain = { keepAlive: false };
  if (connection.kind === 'socket') {
    return { socketPath: connection.path, agent: opaque(new HttpAgent(plain)) };
  }
  if (connection.kind === 'ssh') {
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

function opaque<T extends HttpAgent>(agent: T): T {
  return Object.defineProperty(agent, inspect.custom, { value: () => 'Agent' });
}

const QUIET_MS = 60_000;
const MOST_KNOWN = 200;
const reported = new Map<string, { at: number; since: number }>();

export function logEngineFailure(action: Said, failure: BenchmarkError, ms: number): void {
  if (failure.code === 'STOPPED') return;
  const key = `${englishOf(action)}\n${failure.code}\n${failure.message}`;
  const before = reported.get(key);
  const now = Date.now();
  if (before !== undefined && now - before.at < QUIET_MS) {
    before.since += 1;
    return;
  }
  if (reported.size >= MOST_KNOWN) reported.clear();
  reported.set(key, { at: now, since: 0 });
  const status = statusOf(failure.cause);
  log.warn('request of the engine failed', {
    action,
    ms,
    ...(status === undefined ? {} : { status }),
    ...(before === undefined || before.since === 0 ? {} : { alsoSinceLastTold: before.since }),
    error: errorFields(failure.toData()),
  });
}

const BETWEEN_MS = 500;

export async function returnsSoon(
  runtime: { passport: Passport; ping(): Promise<{ engineVersion: string; kernel: string }> },
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
