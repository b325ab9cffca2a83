import { readFile, realpath } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import type { Protocol, ProtocolRequest, ProtocolResponse } from 'electron';
import { APP_SCHEME, CONTENT_SECURITY_POLICY, isOwnAddress } from './security.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

export function declareScheme(protocol: Protocol): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true } },
  ]);
}

/**
 * Whalemark's own scheme, whose `'self'` means the app's files only, since pages of file:// can read the
 * whole disk. `onLoaded`: the page has its first scripts, and no request is open. `protocol.handle` is newer
 * than the tests' Electron.
 */
export function serveRenderer(protocol: Protocol, root: string, onLoaded: () => void): void {
  let unanswered = 0;
  let hasScript = false;
  protocol.registerBufferProtocol(APP_SCHEME, (request, callback) => {
    unanswered++;
    void answerOf(request, root).then((answer) => {
      callback(answer);
      unanswered--;
      hasScript ||= request.url.endsWith('.js');
      if (hasScript && unanswered === 0) setImmediate(onLoaded);
    });
  });
}

/** The promise never rejects. */
export async function answerOf(
  { url, method }: Pick<ProtocolRequest, 'url' | 'method'>,
  root: string,
): Promise<ProtocolResponse> {
  if (method !== 'GET') return plain(405, 'Method not allowed');
  try {
    const file = await realFileOf(url, root);
    const type = file === undefined ? undefined : TYPES[extname(file)];
    if (file === undefined || type === undefined) return plain(404, 'Not found');
    const headers = {
      'Content-Type': type,
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    };
    return { statusCode: 200, headers, data: await readFile(file) };
  } catch {
    return plain(404, 'Not found');
  }
}

async function realFileOf(url: string, root: string): Promise<string | undefined> {
  const file = fileOf(url, root);
  if (file === undefined) return undefined;
  const [real, realRoot] = await Promise.all([realpath(file), realpath(root)]);
  return real.startsWith(realRoot + sep) ? real : undefined;
}

function fileOf(url: string, root: string): string | undefined {
  if (!isOwnAddress(url)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(new URL(url).pathname);
  } catch {
    return undefined;
  }
  // On Windows, these characters mean folders, drives, and streams.
  if (/[\0\\:]/.test(path)) return undefined;
  const file = resolve(join(root, path === '/' ? 'index.html' : path));
  return file.startsWith(resolve(root) + sep) ? file : undefined;
}

function plain(statusCode: number, text: string): ProtocolResponse {
  return { statusCode, headers: { 'Content-Type': 'text/plain' }, data: Buffer.from(text) };
}
