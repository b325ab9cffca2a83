import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import * as z from 'zod';

/** Of GitHub's answer (REST API, “Get the latest release”) only the tag is read. */
const releaseSchema = z.object({ tag_name: z.string().regex(/^v?\d{1,4}\.\d{1,4}\.\d{1,4}$/) });
/** A release with many files and long notes takes some tens of kilobytes. */
const MOST_BYTES = 2 ** 20;
const PATIENCE_MS = 10_000;

/** Why it is not known which release is the newest. */
export class ReleaseUnknown extends Error {
  readonly reason: 'unreachable' | 'unexpected';
  constructor(reason: 'unreachable' | 'unexpected', message: string) {
    super(message);
    this.name = 'ReleaseUnknown';
    this.reason = reason;
  }
}

/**
 * Version of the newest release, as `1.2.3`. Tells the other side nothing but the program's name and version. Redirects are
 * not followed. Rejects with ReleaseUnknown after ten seconds at the latest.
 *
 * Through Node and not Chromium, from which the network has been taken away.
 */
export function latestRelease(address: string, ownVersion: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const get = address.startsWith('https:') ? getSecure : getPlain;
    const unreachable = (error: Error): void => reject(new ReleaseUnknown('unreachable', error.message));
    const headers = { accept: 'application/vnd.github+json', 'user-agent': `Whalemark/${ownVersion}` };
    get(address, { headers, signal }, (response) => {
      response.on('error', unreachable);
      if (response.statusCode === 200) read(response, resolve, reject);
      else {
        response.destroy();
        reject(new ReleaseUnknown('unexpected', `status ${response.statusCode ?? 'unknown'}`));
      }
    }).on('error', unreachable);
  });
}

function read(
  response: IncomingMessage,
  resolve: (version: string) => void,
  reject: (error: ReleaseUnknown) => void,
): void {
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.length <= MOST_BYTES) return;
    response.destroy();
    reject(new ReleaseUnknown('unexpected', `more than ${MOST_BYTES} characters`));
  });
  response.on('end', () => {
    const tag = parsed(text)?.tag_name;
    if (tag === undefined) reject(new ReleaseUnknown('unexpected', 'no tag of a version'));
    else resolve(tag.replace(/^v/, ''));
  });
}

function parsed(text: string): z.infer<typeof releaseSchema> | undefined {
  try {
    return releaseSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
