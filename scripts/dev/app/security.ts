import type { App, Session } from 'electron';
import * as product from '../../../src/main/window/security.ts';

export * from '../../../src/main/window/security.ts';

/** Only Vite's address on this machine is excepted from the product's block. */
export function lockDownNetwork(app: Pick<App, 'commandLine'>): void {
  product.lockDownNetwork(app);
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND , EXCLUDE 127.0.0.1');
}

/** Guards the page as the product does; the page may also talk to Vite and reload itself. */
export function lockDownApp(app: App, openExternal: (address: string) => unknown): void {
  product.lockDownApp(app, openExternal);
  app.on('session-created', allowVite);
  app.on('web-contents-created', (_, contents) => {
    contents.on('will-navigate', (_event, url) => {
      if (url === contents.getURL()) contents.reload();
    });
  });
}

/** A session has one filter at a time: the product's, with one more address. */
function allowVite(session: Session): void {
  session.webRequest.onBeforeRequest(({ url }, callback) => {
    const allowed =
      product.isOwnAddress(url) ||
      url.startsWith('devtools://') ||
      url.startsWith('data:image/') ||
      url.startsWith(`ws://127.0.0.1:${__DEV_SERVER__.port}/`);
    callback({ cancel: !allowed });
  });
}
