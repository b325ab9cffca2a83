import type { Connection, SshTarget } from '../engine/endpoints.ts';
import { apiVersionsOf } from '../engine/api-version.ts';
import { EngineClient } from '../engine/engine-client.ts';
import { reasonOf, statusOf } from '../engine/engine-error.ts';
import { SshFailure, sshTrial } from '../ssh/ssh-connection.ts';
import { BenchmarkError, messageOf, type ErrorCode } from '../../../shared/errors.ts';
import { errnoOf } from '../../files/failures.ts';
import * as z from 'zod';
import { ENGINES, RUNTIME_KINDS, type RuntimeKind } from '../../../shared/kinds/engines.ts';

export interface RawAnswers {
  version: unknown;
  info: unknown;
}

export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

/** Over SSH, each concurrent question is a login. */
export async function probeEngine(
  connection: Connection,
  signal: AbortSignal,
  onAlive: () => void,
): Promise<RawAnswers> {
  const client = new EngineClient(connection);
  const ask = async (what: 'ping' | 'version' | 'info'): Promise<unknown> => {
    try {
      return await client.told(what, signal);
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined) throw error;
      throw new BadAnswer(`HTTP ${status}: ${excerpt(reasonOf(error))}`);
    }
  };
  await ask('ping');
  onAlive();
  const version = json(await ask('version'));
  client.speak(apiVersionsOf(versionSchema.safeParse(version).data ?? {}));
  return { version, info: json(await ask('info')) };
}

/** docker-modem returns unparsable answers as bytes. */
function json(answer: unknown): unknown {
  if (Buffer.isBuffer(answer)) throw new BadAnswer(`it sent no JSON but “${excerpt(answer.toString())}”`);
  return answer;
}

function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

const MEANING: Record<string, ErrorCode> = {
  ENOENT: 'ENDPOINT_MISSING',
  ENOTDIR: 'ENDPOINT_MISSING',
  ENOTFOUND: 'ENDPOINT_MISSING',
  EAI_AGAIN: 'ENDPOINT_MISSING',
  ECONNREFUSED: 'ENDPOINT_REFUSED',
  EHOSTUNREACH: 'ENDPOINT_REFUSED',
  ENETUNREACH: 'ENDPOINT_REFUSED',
  EACCES: 'ENDPOINT_FORBIDDEN',
  EPERM: 'ENDPOINT_FORBIDDEN',
};

/** Go's answer to HTTP on a TLS port. */
const WANTS_TLS = /client sent an HTTP request to an HTTPS server/i;

export function probeFailure(
  error: unknown,
  endpoint: string,
  connection: Connection,
  seconds: number,
): BenchmarkError {
  if (error instanceof BenchmarkError) return error;
  if (error instanceof SshFailure && connection.kind === 'ssh') {
    return sshFailure(error, endpoint, connection);
  }
  if (error instanceof BadAnswer && WANTS_TLS.test(error.message)) {
    return new BenchmarkError('ENDPOINT_TLS_WANTED', { endpoint });
  }
  if (connection.kind === 'tcp' && connection.tls !== undefined) {
    const failure = tlsFailure(error, endpoint);
    if (failure !== undefined) return failure;
  }
  const code = errnoOf(error) ?? '';
  const meaning = MEANING[code];
  if (meaning !== undefined) return new BenchmarkError(meaning, { endpoint });
  if (code === 'ETIMEDOUT') {
    return new BenchmarkError('ENDPOINT_TIMEOUT', { endpoint, seconds: String(seconds) });
  }
  const message = messageOf(error);
  if (code === 'EINVAL' || code === 'ENAMETOOLONG') {
    return new BenchmarkError('ENDPOINT_UNSUPPORTED', { endpoint, reason: message });
  }
  const reason = error instanceof BadAnswer || code === '' ? message : `${message} (${code})`;
  return new BenchmarkError('ENDPOINT_BAD_ANSWER', { endpoint, reason });
}

/**
 * Errors of OpenSSL and BoringSSL (Electron): checks are OpenSSL's X509_V_ERR_…, alerts RFC 8446 §6. dockerd
 * 20.10 answers a missing or foreign client certificate with `bad certificate`, newer ones with `certificate
 * required` and `unknown ca`.
 */
const MEANINGS: [RegExp, ErrorCode][] = [
  [/ALERT_\w*(CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)|CERTIFICATE_REQUIRED/, 'ENDPOINT_TLS_CLIENT'],
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, 'ENDPOINT_TLS_EXPIRED'],
  [/ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH/, 'ENDPOINT_TLS_NAME'],
  [
    /UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|SELF_SIGNED_CERT|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|INVALID_CA/,
    'ENDPOINT_TLS_UNTRUSTED',
  ],
  [/WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG/, 'ENDPOINT_TLS_MISSING'],
  [/ERR_OSSL_|PEM_|KEY_VALUES_MISMATCH|ERR_SSL_|SSL_ROUTINES/, 'ENDPOINT_TLS_FAILED'],
];

const BEFORE_HANDSHAKE = /before secure TLS connection was established/;

function tlsFailure(error: unknown, endpoint: string): BenchmarkError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = errnoOf(error) ?? '';
  const text = `${code} ${error.message}`.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  const meaning = MEANINGS.find(([pattern]) => pattern.test(text))?.[1];
  if (meaning !== undefined) return new BenchmarkError(meaning, { endpoint, reason: tlsReason(error) });
  // A TLS 1.3 hangup after the handshake means that the server refused the client's certificate.
  if (/^(ECONNRESET|EPIPE)$/.test(code) && !BEFORE_HANDSHAKE.test(error.message)) {
    const reason = 'it hung up after the handshake';
    return new BenchmarkError('ENDPOINT_TLS_CLIENT', { endpoint, reason });
  }
  return undefined;
}

/** OpenSSL's form is `number:error:code:library:function:reason:file:line:…`. */
function tlsReason(error: Error): string {
  const [, reason] = /error:[0-9a-f]{8}:[^:]*:[^:]*:([^:\n]+)/i.exec(error.message) ?? [];
  return (reason ?? error.message).trim();
}

const NO_DOCKER = /docker['"’]?:? (command )?not found|not recognized|docker: No such file/i;
/** `system dial-stdio` came with 18.09. */
const NO_DIAL = /is not a docker command|unknown command|unknown (shorthand )?flag/i;
const FORBIDDEN = /dial unix .*permission denied|permission denied while trying to connect/i;
const NO_ENGINE = /dial unix .*(no such file|connection refused)|cannot connect to the docker daemon/i;

function sshFailure(failure: SshFailure, endpoint: string, target: SshTarget): BenchmarkError {
  const said = failure.words.join('\n');
  const evidence = { evidence: failure.words.slice(-12) };
  const withReason = (code: ErrorCode): BenchmarkError => {
    const reason = telling(failure.words) ?? failure.how;
    return new BenchmarkError(code, { endpoint, reason, trial: sshTrial(target) }, evidence);
  };
  if (failure.exitCode === 'missing') return new BenchmarkError('SSH_MISSING', { endpoint }, evidence);
  // ssh itself failed with 255.
  if (failure.exitCode === 255 || failure.exitCode === null) return withReason('ENDPOINT_SSH');
  if (failure.exitCode === 127 || NO_DOCKER.test(said) || NO_DIAL.test(said)) {
    return withReason('ENDPOINT_SSH_DOCKER');
  }
  if (FORBIDDEN.test(said)) return new BenchmarkError('ENDPOINT_FORBIDDEN', { endpoint }, evidence);
  if (NO_ENGINE.test(said)) return new BenchmarkError('ENDPOINT_REFUSED', { endpoint }, evidence);
  return withReason('ENDPOINT_SSH');
}

function telling(words: string[]): string | undefined {
  const lines = words.filter(
    (line) => !/^(kex_exchange_identification|Connection closed by UNKNOWN)/.test(line),
  );
  return lines.at(-1) ?? words.at(-1);
}

/** Podman omits parts. */
export const versionSchema = z.looseObject({
  Version: z.string().min(1),
  ApiVersion: z.string().nullish(),
  MinAPIVersion: z.string().nullish(),
  Os: z.string().nullish(),
  Platform: z.looseObject({ Name: z.string().nullish() }).nullish(),
  Components: z.array(z.looseObject({ Name: z.string(), Version: z.string().nullish() })).nullish(),
});
export type EngineVersion = z.infer<typeof versionSchema>;

export const infoSchema = z.looseObject({
  ID: z.string().nullish(),
  Name: z.string().nullish(),
  OperatingSystem: z.string(),
  OSType: z.string().nullish(),
  KernelVersion: z.string(),
  Architecture: z.string(),
  NCPU: z.number().int(),
  MemTotal: z.number(),
  Driver: z.string(),
  DriverStatus: z.array(z.array(z.string())).nullish().catch(null),
  CgroupDriver: z.string().nullish().catch(null),
  CgroupVersion: z.string().nullish().catch(null),
  DockerRootDir: z.string().nullish(),
  SecurityOptions: z.array(z.string()).nullish(),
});
export type EngineInfo = z.infer<typeof infoSchema>;

export interface Identity {
  kind: RuntimeKind;
  name: string;
}

/** The rules are ddev's; `lima-rancher-desktop` precedes Lima. */
export function identify(version: EngineVersion, info: EngineInfo): Identity {
  const system = info.OperatingSystem;
  const machine = info.Name ?? '';
  const platform = version.Platform?.Name ?? '';
  const components = version.Components ?? [];

  const podman = components.find(({ Name }) => Name.startsWith('Podman Engine'));
  if (podman !== undefined) return named('podman', 'Podman', podman.Version ?? version.Version);
  const kind = RUNTIME_KINDS.find((one) => ENGINES[one].isIt?.(system, machine));
  if (kind !== undefined) {
    const { name = kind } = ENGINES[kind];
    return named(kind, name, new RegExp(`^${name} (\\d\\S*)`).exec(platform)?.[1]);
  }
  if (hasSecurityOption(info, 'rootless')) {
    return { kind: 'docker-rootless', name: `Docker Engine ${version.Version} (rootless)` };
  }
  const isDocker = platform.startsWith('Docker Engine') || components.some(({ Name }) => Name === 'Engine');
  return named(
    isDocker ? 'docker-engine' : 'unknown',
    isDocker ? 'Docker Engine' : 'Engine',
    version.Version,
  );
}

export function whatItSays({ Platform, Components }: EngineVersion, info: EngineInfo): string {
  const imageStore = info.DriverStatus?.find(([name]) => name === 'driver-type')?.[1];
  const said = [
    Platform?.Name,
    ...(Components ?? []).map(({ Name }) => Name),
    imageStore,
    `cgroup ${info.CgroupVersion ?? '?'} (${info.CgroupDriver ?? '?'})`,
  ];
  return said.filter(Boolean).join(', ');
}

export function hasSecurityOption(info: EngineInfo, name: string): boolean {
  return (info.SecurityOptions ?? []).some((option) => option.split(',').includes(`name=${name}`));
}

function named(kind: RuntimeKind, name: string, version?: string): Identity {
  return { kind, name: version === undefined ? name : `${name} ${version}` };
}
