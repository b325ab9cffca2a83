import { request as httpRequest, type Agent } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { Connection } from '../engine/endpoints.ts';
import { SshAgent } from '../ssh/ssh-agent.ts';

/** The three answers that tell one engine from another, as they came. */
export interface RawAnswers {
  ping: string;
  version: unknown;
  info: unknown;
}

/** `/info` is a few kilobytes; what sends more is not an engine. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** It answered, but not the way an engine does. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

/**
 * Asks an engine for `/_ping`, `/version` and `/info`, all at once where connections are cheap. Rejects with Node's
 * connection errors, with `BadAnswer` or `SshFailure`, or with an AbortError when `signal` fires; it
 * sets no time limit itself. Nothing of the probing outlives it.
 */
export async function probeEngine(connection: Connection, signal: AbortSignal): Promise<RawAnswers> {
  // One login on the other machine instead of three: the requests wait for each other.
  const agent = connection.kind === 'ssh' ? new SshAgent(connection, { maxSockets: 1 }) : undefined;
  try {
    const [ping, version, info] = await Promise.all([
      get(connection, '/_ping', signal, agent),
      get(connection, '/version', signal, agent).then(parseJson),
      get(connection, '/info', signal, agent).then(parseJson),
    ]);
    return { ping, version, info };
  } finally {
    agent?.destroy();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadAnswer(`it sent no JSON but “${excerpt(text)}”`);
  }
}

function get(
  connection: Connection,
  path: string,
  signal: AbortSignal,
  agent: Agent | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const isTls = connection.kind === 'tcp' && connection.tls !== undefined;
    const request = (isTls ? httpsRequest : httpRequest)(
      { ...target(connection), ...(agent === undefined ? {} : { agent }), path, signal },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > MAX_BODY_BYTES) response.destroy(new BadAnswer('its answer does not end'));
        });
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString('utf8');
          if (response.statusCode === 200) resolve(body);
          else reject(new BadAnswer(`HTTP ${response.statusCode ?? '?'}: ${messageIn(body)}`));
        });
      },
    );
    request.on('error', reject);
    request.end();
  });
}

function target(connection: Connection): RequestOptions {
  // A connection of its own for each request, closed at once: nothing of the probing may outlive it.
  const common = { agent: false as const };
  // A socket has no host name, but HTTP asks for one. (Over TLS the header would stand in for the name to verify.)
  if (connection.kind === 'socket') {
    return { ...common, socketPath: connection.path, headers: { host: 'docker' } };
  }
  // The agent knows the way; the name only goes into the header.
  if (connection.kind === 'ssh') return { host: 'docker' };
  const { host, port, tls } = connection;
  if (tls === undefined) return { ...common, host, port };
  const { verify, ...material } = tls;
  return { ...common, host, port, rejectUnauthorized: verify, ...material };
}

/** Engines wrap what they have to say as `{"message": "…"}`. */
function messageIn(body: string): string {
  try {
    const json: unknown = JSON.parse(body);
    if (typeof json === 'object' && json !== null && 'message' in json && typeof json.message === 'string') {
      return excerpt(json.message);
    }
  } catch {
    // Then the text as it is.
  }
  return excerpt(body);
}

function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
