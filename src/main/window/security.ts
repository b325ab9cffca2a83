import type { App, Session, WebContents, WebPreferences } from 'electron';
import links from '../../shared/contract/external-links.json' with { type: 'json' };

export const APP_SCHEME = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://whalemark`;

const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'none'",
  "object-src 'none'",
  "frame-src 'none'",
  "worker-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Only a header restricts framing. */
export const CONTENT_SECURITY_POLICY = `${PAGE_POLICY}; frame-ancestors 'none'`;

/** Mostly Electron's defaults, explicit for all versions. */
export const WEB_PREFERENCES = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  plugins: false,
  navigateOnDragDrop: false,
  spellcheck: false,
} as const satisfies WebPreferences;

export function isOwnAddress(url: string): boolean {
  try {
    const { protocol, host, username, password } = new URL(url);
    return `${protocol}//${host}` === APP_ORIGIN && username === '' && password === '';
  } catch {
    return false;
  }
}

/** Chromium resolves no host names; the core uses Node. */
export function lockDownNetwork(app: Pick<App, 'commandLine'>): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  app.commandLine.appendSwitch('no-pings');
}

export function lockDownApp(app: App, openExternal: (address: string) => unknown): void {
  app.on('web-contents-created', (_, contents) => lockDownContents(contents, openExternal));
  app.on('session-created', lockDownSession);
  app.on('select-client-certificate', (event, _contents, _url, _certificates, callback) => {
    event.preventDefault();
    callback();
  });
}

/** An AppImage switches the sandbox off where there are no user namespaces. */
export const isSandboxLost = ({ commandLine }: Pick<App, 'commandLine'>, env: NodeJS.ProcessEnv): boolean =>
  // eslint-disable-next-line no-restricted-syntax -- asks whether it is there
  env['APPIMAGE'] !== undefined && commandLine.hasSwitch('no-sandbox');

function lockDownContents(contents: WebContents, openExternal: (address: string) => unknown): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  // Electron 22 lacks this event; policy and session filter do the same.
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(({ url }) => {
    if (isExternalLink(url)) openExternal(url);
    return { action: 'deny' };
  });
}

function lockDownSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.setPermissionCheckHandler(() => false);
  // Screen capture stays off without a handler.
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest(({ url }, callback) => {
    const allowed = isOwnAddress(url) || url.startsWith('devtools://') || url.startsWith('data:image/');
    callback({ cancel: !allowed });
  });
}

/** Only these addresses may open in the browser. */
export const EXTERNAL_LINKS: readonly string[] = links;

function isExternalLink(address: string): boolean {
  return EXTERNAL_LINKS.includes(address);
}
