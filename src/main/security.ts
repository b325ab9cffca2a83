import type { App, Session, WebContents } from 'electron';

/** The window's own address; nothing else is ever loaded. */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://whalemark`;

/** Sent with every page of ours; the page carries it as a meta element as well. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'none'",
  "object-src 'none'",
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** True for an address of our own page. */
export function isOwnAddress(url: string): boolean {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}` === APP_ORIGIN;
  } catch {
    return false;
  }
}

/** Denies every web contents what our page never needs: going elsewhere, new windows, web views. */
export function lockDownContents(app: App): void {
  app.on('web-contents-created', (_, contents: WebContents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** Denies the page every permission and every address but its own. */
export function lockDownSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.setPermissionCheckHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, callback) => {
    const allowed = isOwnAddress(url) || url.startsWith('devtools://') || url.startsWith('data:image/');
    callback({ cancel: !allowed });
  });
}
