import { Agent, get } from 'node:http';
import type { Protocol, ProtocolResponse } from 'electron';
import { APP_SCHEME, CONTENT_SECURITY_POLICY, isOwnAddress } from '../../../src/main/window/security.ts';
import { developmentPolicy } from '../policy.mjs';

export { declareScheme } from '../../../src/main/window/protocol.ts';

const policy = developmentPolicy(CONTENT_SECURITY_POLICY, __DEV_SERVER__);
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Serves the page from Vite at the product's address, so main's checks stay the same. */
export function serveRenderer(protocol: Protocol): void {
  protocol.registerBufferProtocol(APP_SCHEME, ({ url, method }, callback) => {
    if (method !== 'GET' || !isOwnAddress(url)) callback({ statusCode: 405, data: Buffer.alloc(0) });
    else void fromVite(url).then(callback);
  });
}

/** Vite's answer; an error page rather than a rejection. */
function fromVite(url: string): Promise<ProtocolResponse> {
  const { pathname, search } = new URL(url);
  const { port } = __DEV_SERVER__;
  return new Promise((resolve) => {
    const fail = (): void => resolve({ statusCode: 502, data: Buffer.alloc(0) });
    get({ host: '127.0.0.1', port, path: pathname + search, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', fail);
      answer.on('end', () =>
        resolve({
          statusCode: answer.statusCode ?? 502,
          headers: {
            'Content-Type': answer.headers['content-type'] ?? 'text/plain',
            'Content-Security-Policy': policy,
            'X-Content-Type-Options': 'nosniff',
            'Cache-Control': 'no-store',
          },
          data: Buffer.concat(chunks),
        }),
      );
    }).on('error', fail);
  });
}
