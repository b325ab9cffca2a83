import * as z from 'zod';
import { msg } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Passport, RuntimeAttempt, RuntimeReport } from '../../../shared/model/passport.ts';
import { listCandidates, type Candidate } from './candidates.ts';
import { connectionKey, isRemote, type Connection } from '../engine/endpoints.ts';
import { type EngineInfo, infoSchema, probeFailure, versionSchema, whatItSays } from './probe.ts';
import { makePassport } from './passport.ts';
import { thisMachine, type Surroundings } from './surroundings.ts';

const PROBE_SECONDS = 3;
const REMOTE_PROBE_SECONDS = 5;
/** A busy VM, Podman, or `ssh` may take seconds. */
const PATIENT_PROBE_SECONDS = 11;

interface Finding {
  passport?: Passport;
  says?: string | undefined;
  engineId?: string;
  error?: BenchmarkError;
}

/**
 * Unless `preferId` is usable, nothing is chosen if DOCKER_HOST or DOCKER_CONTEXT names an unusable engine.
 * Never rejects.
 */
export async function discoverRuntimes(
  options: {
    surroundings?: Surroundings;
    preferId?: string;
    last?: RuntimeReport | undefined;
  } = {},
): Promise<RuntimeReport> {
  const { surroundings = thisMachine(), preferId, last } = options;
  const candidates = listCandidates(surroundings);
  const named = new Set(
    candidates.flatMap(({ id, isNamed, connection }) =>
      connection !== undefined && (isNamed || id === preferId) ? [connectionKey(connection)] : [],
    ),
  );
  const probes = new Map<string, Promise<Finding>>();
  const findings = await Promise.all(
    candidates.map((candidate) => {
      if (candidate.connection === undefined) return unusable(candidate);
      const known = isElsewhere(candidate.connection) ? knownFinding(candidate, last) : undefined;
      if (known !== undefined) return known;
      const key = connectionKey(candidate.connection);
      const seconds = probeSeconds(candidate.connection, named.has(key));
      const probe = probes.get(key) ?? look(surroundings, candidate.endpoint, candidate.connection, seconds);
      probes.set(key, probe);
      return probe;
    }),
  );

  const found = candidates.map((candidate, index) => ({ candidate, finding: findings[index] }));
  const chosenId = choose(
    found.flatMap(({ candidate, finding }) => (finding?.passport === undefined ? [] : candidate)),
    candidates,
    preferId,
  );
  const attempts = found.map(({ candidate, finding }): RuntimeAttempt => {
    const { id, source, label, endpoint } = candidate;
    return {
      id,
      source,
      label,
      endpoint,
      ...(candidate.demanded ? { askedBy: source === 'env' ? 'DOCKER_HOST' : 'DOCKER_CONTEXT' } : {}),
      usable: finding?.passport !== undefined,
      chosen: id === chosenId,
      sameAs: found
        .filter((other) => other.candidate !== candidate && isSame(finding, other.finding))
        .map((other) => other.candidate.id),
      passport: finding?.passport ?? null,
      ...(finding?.says === undefined ? {} : { says: finding.says }),
      error: finding?.error?.toData() ?? null,
    };
  });
  return { at: Date.now(), attempts, chosenId, facts: null };
}

function choose(usable: Candidate[], all: Candidate[], preferId: string | undefined): string | null {
  const preferred = usable.find(({ id }) => id === preferId);
  if (preferred !== undefined) return preferred.id;
  const demanded = all.find((candidate) => candidate.demanded);
  if (demanded !== undefined && !usable.includes(demanded)) return null;
  return usable[0]?.id ?? null;
}

/** Podman's ID changes, and engines of one image may share theirs. */
function isSame(one: Finding | undefined, other: Finding | undefined): boolean {
  if (one?.passport === undefined || other?.passport === undefined) return false;
  return one === other || (!!one.engineId && one.engineId === other.engineId);
}

function idOf({ ID, DockerRootDir }: EngineInfo): string {
  return ID ? `${ID} ${DockerRootDir ?? ''}` : '';
}

function unusable({ endpoint, error }: Candidate): Finding {
  return {
    error: error ?? new BenchmarkError('ENDPOINT_UNSUPPORTED', { endpoint, reason: msg('engine.noAddress') }),
  };
}

function probeSeconds(connection: Connection, isNamed: boolean): number {
  if (isNamed) return PATIENT_PROBE_SECONDS;
  return isElsewhere(connection) ? REMOTE_PROBE_SECONDS : PROBE_SECONDS;
}

function isElsewhere(connection: Connection): boolean {
  return connection.kind === 'ssh' || isRemote(connection);
}

function knownFinding({ id, endpoint }: Candidate, last: RuntimeReport | undefined): Finding | undefined {
  const attempt = last?.attempts.find((one) => one.id === id && one.endpoint === endpoint);
  if (attempt === undefined) return undefined;
  const { passport, says } = attempt;
  if (passport !== null) return { passport, says };
  return attempt.error === null ? undefined : { error: BenchmarkError.fromData(attempt.error) };
}

async function look(
  surroundings: Surroundings,
  endpoint: string,
  connection: Connection,
  limitSeconds: number,
): Promise<Finding> {
  const controller = new AbortController();
  const began = performance.now();
  let seconds = limitSeconds;
  let timer: NodeJS.Timeout | undefined;
  let wait = (): void => undefined;
  const expired = new Promise<never>((_, reject) => {
    const giveUp = (): void =>
      reject(new BenchmarkError('ENDPOINT_TIMEOUT', { endpoint, seconds: String(seconds) }));
    wait = () => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, began + seconds * 1000 - performance.now());
    };
  });
  wait();
  try {
    const onAlive = (): void => {
      if (controller.signal.aborted) return;
      seconds = PATIENT_PROBE_SECONDS;
      wait();
    };
    const probe = surroundings.probe(connection, controller.signal, onAlive);
    const answers = await Promise.race([probe, expired]);
    const version = versionSchema.safeParse(answers.version);
    if (!version.success) throw badAnswer(endpoint, '/version', version.error);
    if (version.data.Os === 'windows') throw new BenchmarkError('WINDOWS_CONTAINERS');
    const info = infoSchema.safeParse(answers.info);
    if (!info.success) throw badAnswer(endpoint, '/info', info.error);
    if (info.data.OSType === 'windows') throw new BenchmarkError('WINDOWS_CONTAINERS');
    return {
      passport: makePassport(surroundings, connection, version.data, info.data),
      says: whatItSays(version.data, info.data),
      engineId: idOf(info.data),
    };
  } catch (error) {
    return { error: probeFailure(error, endpoint, connection, seconds) };
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

function badAnswer(endpoint: string, what: string, error: z.ZodError): BenchmarkError {
  return new BenchmarkError(
    'ENDPOINT_BAD_ANSWER',
    { endpoint, reason: `${what} is not what it should be` },
    { evidence: z.prettifyError(error).split('\n') },
  );
}
