import { EventEmitter } from 'node:events';
import type { App, Session, WebContents } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import {
  CONTENT_SECURITY_POLICY,
  EXTERNAL_LINKS,
  lockDownApp,
  lockDownNetwork,
} from '../../../../src/main/window/security.ts';

/** Replaces Electron's app, and one of its web contents and sessions. */
function lockedDown() {
  const app = new EventEmitter();
  const opened: string[] = [];
  lockDownApp(app as unknown as App, (address) => opened.push(address));

  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: vi.fn<WebContents['setWindowOpenHandler']>(),
    setWebRTCIPHandlingPolicy: vi.fn<WebContents['setWebRTCIPHandlingPolicy']>(),
  });
  app.emit('web-contents-created', {}, contents);
  const open = (url: string): unknown =>
    contents.setWindowOpenHandler.mock.lastCall?.[0]({ url } as Electron.HandlerDetails);

  const session = Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: vi.fn<Session['setPermissionRequestHandler']>(),
    setPermissionCheckHandler: vi.fn<Session['setPermissionCheckHandler']>(),
    setDevicePermissionHandler: vi.fn<Session['setDevicePermissionHandler']>(),
    setSpellCheckerEnabled: vi.fn<Session['setSpellCheckerEnabled']>(),
    webRequest: { onBeforeRequest: vi.fn<(listener: Filter) => void>() },
  });
  app.emit('session-created', session);
  const isCanceled = (url: string): boolean | undefined => {
    let canceled: boolean | undefined;
    session.webRequest.onBeforeRequest.mock.lastCall?.[0]({ url }, ({ cancel }) => (canceled = cancel));
    return canceled;
  };
  return { app, contents, session, open, opened, isCanceled };
}
type Filter = (details: { url: string }, callback: (answer: { cancel?: boolean }) => void) => void;

describe('every page', () => {
  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])(
    'is stopped at %s',
    (event) => {
      const preventDefault = vi.fn();
      lockedDown().contents.emit(event, { preventDefault });
      expect(preventDefault).toHaveBeenCalledOnce();
    },
  );

  it('never opens a window, and only an address of the list goes to the browser', () => {
    const { open, opened } = lockedDown();
    for (const url of EXTERNAL_LINKS) expect(open(url)).toEqual({ action: 'deny' });
    expect(opened).toEqual(EXTERNAL_LINKS);
  });

  it.each([
    ...['/', '?x=y', '#x'].map((more) => `${EXTERNAL_LINKS[0]}${more}`),
    ...['//user@', '//example.com/', '///'].map((host) => EXTERNAL_LINKS[0]?.replace('//', host) ?? ''),
    ...['https://github.com/', 'https://github.com.example.com/akopytov/sysbench'],
    ...['http://github.com/akopytov/sysbench', ' https://github.com/akopytov/sysbench'],
    ...['HTTPS://GITHUB.COM/akopytov/sysbench', 'file:///etc/passwd', 'smb://host/share', '\\\\host\\share'],
    ...['javascript:alert(1)', 'data:text/html,x', 'vscode://file/etc/passwd', 'mailto:a@example.com'],
    ...['app://whalemark/', ''],
  ])('“%s” goes nowhere', (url) => {
    const { open, opened } = lockedDown();
    expect(open(url)).toEqual({ action: 'deny' });
    expect(opened).toEqual([]);
  });

  it('has a list of links that are whole addresses on the web', () => {
    expect(new Set(EXTERNAL_LINKS).size).toBe(EXTERNAL_LINKS.length);
    for (const address of EXTERNAL_LINKS) {
      expect(new URL(address)).toMatchObject({ href: address, protocol: 'https:', username: '', search: '' });
    }
  });

  it('gets no WebRTC past the proxy', () => {
    expect(lockedDown().contents.setWebRTCIPHandlingPolicy).toHaveBeenCalledWith('disable_non_proxied_udp');
  });
});

describe('the window', () => {
  it('has no network below it', () => {
    const appendSwitch = vi.fn();
    lockDownNetwork({ commandLine: { appendSwitch } } as unknown as App);
    expect(appendSwitch.mock.calls).toEqual([['host-resolver-rules', 'MAP * ~NOTFOUND'], ['no-pings']]);
  });
});

describe('every session', () => {
  it('grants no permission, no check and no device', () => {
    const { session } = lockedDown();
    const granted: boolean[] = [];
    const contents = {} as WebContents;
    const details = {} as Electron.PermissionRequest;
    for (const permission of [
      'media',
      'geolocation',
      'notifications',
      'openExternal',
      'display-capture',
    ] as const) {
      const ask = session.setPermissionRequestHandler.mock.lastCall?.[0];
      ask?.(contents, permission, (one) => granted.push(one), details as never);
    }
    const check = session.setPermissionCheckHandler.mock.lastCall?.[0];
    granted.push(check?.(contents, 'usb', 'app://whalemark', {} as never) ?? true);
    const device = session.setDevicePermissionHandler.mock.lastCall?.[0];
    granted.push(device?.({} as never) ?? true);
    expect(granted).toEqual([false, false, false, false, false, false, false]);
    expect(session.setSpellCheckerEnabled).toHaveBeenCalledWith(false);
  });

  it('downloads nothing', () => {
    const preventDefault = vi.fn();
    lockedDown().session.emit('will-download', { preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  });

  it('lets our page, its pictures and the developer tools load, and nothing else', () => {
    const { isCanceled } = lockedDown();
    for (const url of [
      'app://whalemark/',
      'app://whalemark/assets/a.js',
      'data:image/png;base64,AA',
      'devtools://x/',
    ]) {
      expect(isCanceled(url), url).toBe(false);
    }
    for (const url of [
      'https://example.com/',
      'http://127.0.0.1/',
      'ws://127.0.0.1:1/',
      'file:///etc/passwd',
      'ftp://x/',
      'blob:app://whalemark/x',
      'data:text/html,x',
      'app://elsewhere/',
      'app://whalemark.example.com/',
      'app://whalemark@example.com/',
      'app://user@whalemark/',
      'app://whalemark:80/',
      'chrome://settings',
    ]) {
      expect(isCanceled(url), url).toBe(true);
    }
  });
});

describe('the app', () => {
  it('gives no server a certificate of the user’s', () => {
    const [preventDefault, callback] = [vi.fn(), vi.fn()];
    lockedDown().app.emit('select-client-certificate', { preventDefault }, {}, 'https://x', [{}], callback);
    expect(preventDefault).toHaveBeenCalledOnce();
    expect(callback).toHaveBeenCalledExactlyOnceWith();
  });
});

describe('the policy', () => {
  it('has no exceptions', () => {
    expect(CONTENT_SECURITY_POLICY).toContain("default-src 'self'");
    expect(CONTENT_SECURITY_POLICY).toContain("frame-ancestors 'none'");
    expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|\*|https?:|blob:|wasm|nonce|strict-dynamic/);
  });
});
