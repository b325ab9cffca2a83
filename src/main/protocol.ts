import { readFile } from 'node:fs';
import { extname, join, resolve, sep } from 'node:path';
import type { Protocol, ProtocolResponse } from 'electron';
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

/** Must run before the app is ready. */
export function declareScheme(protocol: Protocol): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true } },
  ]);
}

/**
 * Serves the page from a scheme of its own instead of file://, whose pages may read every file of the disk and share
 * one opaque origin; here `'self'` means our files only, and each answer carries its policy as a header.
 * (`protocol.handle` would be the newer way; the Electron of our tests does not know it.)
 */
export function serveRenderer(protocol: Protocol, root: string): void {
  protocol.registerBufferProtocol(APP_SCHEME, ({ url }, callback) => {
    const file = fileOf(url, root);
    if (file === undefined) return callback(notFound());
    readFile(file, (error, data) => {
      const type = TYPES[extname(file)];
      if (error !== null || type === undefined) return callback(notFound());
      callback({
        statusCode: 200,
        headers: {
          'Content-Type': type,
          'Content-Security-Policy': CONTENT_SECURITY_POLICY,
          'X-Content-Type-Options': 'nosniff',
          'Cache-Control': 'no-store',
        },
        data,
      });
    });
  });
}

/** The file below `root` that an address means, or undefined for whatever lies elsewhere. */
export function fileOf(url: string, root: string): string | undefined {
  if (!isOwnAddress(url)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(new URL(url).pathname);
  } catch {
    return undefined;
  }
  if (path.includes('\0')) return undefined;
  const file = resolve(join(root, path === '/' ? 'index.html' : path));
  return file.startsWith(resolve(root) + sep) ? file : undefined;
}

function notFound(): ProtocolResponse {
  return { statusCode: 404, headers: { 'Content-Type': 'text/plain' }, data: Buffer.from('Not found') };
}
