import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Session, WebContents } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import {
  CONTENT_SECURITY_POLICY,
  isOwnAddress,
  lockDownApp,
  lockDownNetwork,
  PAGE_POLICY,
  WEB_PREFERENCES,
} from '../../../../src/main/window/security.ts';
import { EXTERNAL_LINKS, isExternalLink } from '../../../../src/shared/contract/external-links.ts';

const root = join(import.meta.dirname, '../../../..');

/** Stands in for Electron's app, and for one of its web contents and sessions. */
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
  const isCancelled = (url: string): boolean | undefined => {
    let cancelled: boolean | undefined;
    session.webRequest.onBeforeRequest.mock.lastCall?.[0]({ url }, ({ cancel }) => (cancelled = cancel));
    return cancelled;
  };
  return { app, contents, session, open, opened, isCancelled };
}
type Filter = (details: { url: string }, callback: (answer: { cancel?: boolean }) => void) => void;

/** Everything in `folder` that is TypeScript or Svelte, comments aside. */
function sourcesIn(folder: string): { file: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|svelte)$/.test(file))
    .map((file) => ({
      file: `${folder}/${file.replaceAll('\\', '/')}`,
      text: readFileSync(join(root, folder, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, ''),
    }));
}
function filesWith(folder: string, pattern: RegExp): string[] {
  return sourcesIn(folder).flatMap(({ file, text }) => (pattern.test(text) ? [file] : []));
}

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
    'https://example.com/',
    'https://github.com/',
    'https://github.com/akopytov/sysbench/',
    'https://github.com/akopytov/sysbench?x=y',
    'https://github.com/akopytov/sysbench#x',
    'https://user@github.com/akopytov/sysbench',
    'https://github.com.example.com/akopytov/sysbench',
    'http://github.com/akopytov/sysbench',
    ' https://github.com/akopytov/sysbench',
    'HTTPS://GITHUB.COM/akopytov/sysbench',
    'file:///etc/passwd',
    'smb://host/share',
    '\\\\host\\share',
    'javascript:alert(1)',
    'data:text/html,x',
    'ms-msdt:/id PCWDiagnostic',
    'vscode://file/etc/passwd',
    'mailto:a@example.com',
    'app://whalemark/',
    'about:blank',
    '',
  ])('“%s” goes nowhere', (url) => {
    const { open, opened } = lockedDown();
    expect(open(url)).toEqual({ action: 'deny' });
    expect(opened).toEqual([]);
    expect(isExternalLink(url)).toBe(false);
  });

  it('has a list of links that are whole addresses on the web', () => {
    expect(new Set(EXTERNAL_LINKS).size).toBe(EXTERNAL_LINKS.length);
    for (const address of EXTERNAL_LINKS) {
      expect(new URL(address)).toMatchObject({ href: address, protocol: 'https:', username: '', search: '' });
    }
  });

  it('finds no other way to a browser, a file or a program in main', () => {
    expect(filesWith('src/main', /openExternal\(/)).toEqual([
      'src/main/main.ts',
      'src/main/window/security.ts',
    ]);
    // The data folder and the log's, and no other.
    expect(filesWith('src/main', /openPath\(|showItemInFolder\(/)).toEqual([
      'src/main/requests/desktop.ts',
      'src/main/requests/diagnostics.ts',
    ]);
    expect(filesWith('src/main', /loadURL\(|loadFile\(/)).toEqual(['src/main/window/window.ts']);
    expect(filesWith('src/main', /child_process|executeJavaScript|insertCSS/)).toEqual([]);
  });

  it('gets no WebRTC past the proxy', () => {
    expect(lockedDown().contents.setWebRTCIPHandlingPolicy).toHaveBeenCalledWith('disable_non_proxied_udp');
  });
});

describe('the window', () => {
  it('says of every switch what it is, and takes no other', () => {
    expect(WEB_PREFERENCES).toEqual({
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
    });
    expect(filesWith('src/main', /new BrowserWindow\(|webPreferences:/)).toEqual([
      'src/main/window/window.ts',
    ]);
    const source = readFileSync(join(root, 'src/main/window/window.ts'), 'utf8');
    const names = /webPreferences: \{([^}]*)\}/.exec(source)?.[1]?.match(/^ {6}[\w.]+/gm);
    expect(names?.map((name) => name.trim())).toEqual([
      '...WEB_PREFERENCES',
      'preload',
      'devTools',
      'backgroundThrottling',
    ]);
  });

  it('has no network below it', () => {
    const appendSwitch = vi.fn();
    lockDownNetwork({ commandLine: { appendSwitch } } as unknown as App);
    expect(appendSwitch.mock.calls).toEqual([['host-resolver-rules', 'MAP * ~NOTFOUND'], ['no-pings']]);
    expect(readFileSync(join(root, 'src/main/main.ts'), 'utf8')).toMatch(
      /\nlockDownNetwork\(app\);\nlockDownApp\(app, /,
    );
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
    const { isCancelled } = lockedDown();
    for (const url of [
      'app://whalemark/',
      'app://whalemark/assets/a.js',
      'data:image/png;base64,AA',
      'devtools://x/',
    ]) {
      expect(isCancelled(url), url).toBe(false);
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
      expect(isCancelled(url), url).toBe(true);
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

  it('overrides no error of a certificate, and turns no protection of Electron’s off', () => {
    const off =
      /certificate-error|setCertificateVerifyProc|ignore-certificate|allowRunningInsecureContent: true|webSecurity: false|no-sandbox|disable-web-security|enableBlinkFeatures|nodeIntegration\w*: true|contextIsolation: false|sandbox: false|webviewTag: true|bypassCSP|enableRemoteModule/;
    for (const folder of ['src/main', 'src/preload']) expect(filesWith(folder, off)).toEqual([]);
  });

  it('talks to the window in one file only', () => {
    expect(filesWith('src/main', /\bipcMain\b/)).toEqual(['src/main/window/ipc.ts']);
    expect(filesWith('src/preload', /\bipcRenderer\b/)).toEqual(['src/preload/preload.ts']);
  });

  it('keeps nothing of Electron within the page’s reach but two functions', () => {
    const preload = readFileSync(join(root, 'src/preload/preload.ts'), 'utf8');
    expect(preload.match(/exposeInMainWorld\(/g)).toHaveLength(1);
    // The listener gets the event's data, and not what Electron calls the event: that has the sender in it.
    expect(preload).toContain('listener(event)');
    expect(filesWith('src/renderer', /from 'electron'|require\(|ipcRenderer/)).toEqual([]);
  });
});

describe('the policy', () => {
  it('has no exceptions', () => {
    expect(CONTENT_SECURITY_POLICY).toContain("default-src 'self'");
    expect(CONTENT_SECURITY_POLICY).toContain("frame-ancestors 'none'");
    expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|\*|https?:|blob:|wasm|nonce|strict-dynamic/);
  });

  it('is in the page as well', () => {
    const html = readFileSync(join(root, 'src/renderer/index.html'), 'utf8');
    expect(/http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(html)?.[1]).toBe(PAGE_POLICY);
  });

  it('meets a page without scripts, styles or handlers of its own in its elements', () => {
    expect(
      filesWith(
        'src/renderer',
        /\son\w+="|javascript:|document\.write|\.innerHTML|insertAdjacentHTML|\beval\(/,
      ),
    ).toEqual([]);
    // The method page, made by our own build out of our own text.
    expect(filesWith('src/renderer', /\{@html/)).toEqual([
      'src/renderer/components/common/MethodReader.svelte',
    ]);
  });
});

describe('addresses', () => {
  it.each(['app://whalemark/', 'app://whalemark/assets/a.js'])('%s is ours', (url) => {
    expect(isOwnAddress(url)).toBe(true);
  });

  it.each(['app://elsewhere/', 'https://whalemark/', 'file:///whalemark', 'app:whalemark', '', 'app://'])(
    '“%s” is not',
    (url) => {
      expect(isOwnAddress(url)).toBe(false);
    },
  );
});
