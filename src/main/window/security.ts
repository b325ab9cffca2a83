import type { App, Session, WebContents, WebPreferences } from 'electron';
import { isExternalLink } from '../../shared/contract/external-links.ts';

/** The window's own address; nothing else is ever loaded. */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://whalemark`;

/** What the page carries as a meta element, and every answer as a header. */
export const PAGE_POLICY = [
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

/** Sent with every page of ours. Who may frame it is only heeded in a header. */
export const CONTENT_SECURITY_POLICY = `${PAGE_POLICY}; frame-ancestors 'none'`;

/**
 * What the one page may do. Most of it is what Electron does anyway; it stands here so that no other default, of an older
 * or a newer Electron, decides it.
 */
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
  // Its dictionaries would be fetched from Google's servers.
  spellcheck: false,
} as const satisfies WebPreferences;

/** True for an address of our own page. */
export function isOwnAddress(url: string): boolean {
  try {
    const { protocol, host, username, password } = new URL(url);
    return `${protocol}//${host}` === APP_ORIGIN && username === '' && password === '';
  } catch {
    return false;
  }
}

/**
 * Takes the network away from Chromium: no name of any host is resolved, so that not even what no request filter sees – a
 * prefetch, WebRTC – gets out. The core talks through Node, which this does not concern. Must run before the app is ready.
 */
export function lockDownNetwork(app: Pick<App, 'commandLine'>): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  // The hyperlink auditing of `<a ping>`.
  app.commandLine.appendSwitch('no-pings');
}

/**
 * Denies every web contents and every session what our page never needs, those of later windows included. An address of
 * the list of external links is handed to `openExternal`, the system's browser. Must run before the app is ready.
 */
export function lockDownApp(app: App, openExternal: (address: string) => unknown): void {
  app.on('web-contents-created', (_, contents) => lockDownContents(contents, openExternal));
  app.on('session-created', lockDownSession);
  app.on('select-client-certificate', (event, _contents, _url, _certificates, callback) => {
    event.preventDefault();
    callback();
  });
}

/**
 * Was Chromium's sandbox switched off? An AppImage's starter does it by itself where the system allows no user namespaces, so there
 * the switch is not the user's word.
 */
export const isSandboxLost = ({ commandLine }: Pick<App, 'commandLine'>, env: NodeJS.ProcessEnv): boolean =>
  // eslint-disable-next-line no-restricted-syntax -- asks whether it is there
  env['APPIMAGE'] !== undefined && commandLine.hasSwitch('no-sandbox');

/** Going elsewhere, new windows, web views, addresses of this machine. */
function lockDownContents(contents: WebContents, openExternal: (address: string) => unknown): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  // Frames: of Electron 25 and later. In older ones the policy and the session's filter stop them.
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(({ url }) => {
    if (isExternalLink(url)) openExternal(url);
    return { action: 'deny' };
  });
}

/** Permissions, devices, downloads, and every address but its own. */
function lockDownSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.setPermissionCheckHandler(() => false);
  // Screens need a handler of their own to be captured at all; there is none.
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest(({ url }, callback) => {
    const allowed = isOwnAddress(url) || url.startsWith('devtools://') || url.startsWith('data:image/');
    callback({ cancel: !allowed });
  });
}
