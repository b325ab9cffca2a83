import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { createServer, mergeConfig } from 'vite';
import { root } from '../build/node-entry.mjs';
import { rendererConfig } from '../build/renderer.mjs';
import { developmentPolicy } from './policy.mjs';

export async function serveWindow() {
  const http = createHttpServer();
  await new Promise((resolve, reject) => {
    http.once('error', reject).listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('a port was expected');
  const { port } = address;
  const nonce = randomBytes(16).toString('base64');
  const vite = await createServer(
    mergeConfig(rendererConfig(join(root, 'out', 'renderer')), {
      cacheDir: join(root, '.cache', 'vite-dev'),
      // Vite names the file that made the page reload.
      logLevel: 'info',
      html: { cspNonce: nonce },
      plugins: [
        {
          name: 'development-policy',
          transformIndexHtml: {
            order: 'pre',
            /** @param {string} html */
            handler: (html) => developmentPolicy(html, { nonce, port }),
          },
        },
      ],
      server: {
        middlewareMode: true,
        warmup: { clientFiles: ['./main.ts', './**/*.svelte'] },
        hmr: { server: http, protocol: 'ws', host: '127.0.0.1', clientPort: port },
        fs: { allow: [root, realpathSync(join(root, 'node_modules'))] },
      },
    }),
  );
  http.on('request', vite.middlewares);
  // A package that Vite finds while the page is open would reload the page.
  await vite.transformRequest('/main.ts');
  await vite.waitForRequestsIdle();
  const close = async () => {
    await vite.close();
    http.close();
    http.closeAllConnections();
  };
  return { port, nonce, close };
}
