import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseResult, serializeResult } from '../../src/benchmark/store/result-file.ts';
import { withTexts } from '../unit/benchmark/report/hostile.ts';
import { t } from '../helpers/words.ts';
import { expect, saveDialogsTo, test } from './support/app.ts';
import { newFolder } from './support/folders.ts';
import { openEverything } from './support/visit.ts';
import type { InPage } from './support/in-page.ts';
import { openShareDialog, savedAs } from './support/share.ts';

const SAMPLE = join(import.meta.dirname, '../fixtures/results/sample-result.json');
const ATTACK =
  ' "><script>globalThis.ran=1</script><img src=x onerror="globalThis.ran=2"></style><a href="javascript:globalThis.ran=3">x</a><svg onload=globalThis.ran=4>';
/** The traces that an attack would leave in a page. */
const FOUND = `({
  ran: globalThis.ran,
  foreign: document.querySelectorAll('img[src="x"], a[href^="javascript:"], [onerror], [onload], iframe, object, embed').length,
  scripts: document.scripts.length,
})`;

test('the page runs without Node, under its policy, and has one door', async ({ openFake }) => {
  const { app, page } = await openFake();
  const found = await page.evaluate(() => {
    const inPage = globalThis as unknown as InPage;
    const policy = inPage.document.querySelector('meta[http-equiv="Content-Security-Policy"]');
    return {
      node: ['require', 'process', 'module', 'Buffer', '__dirname', 'electron'].filter(
        (one) => one in inPage,
      ),
      door: Object.keys(inPage.whalemark).sort(),
      policy: policy?.getAttribute('content'),
      address: inPage.location.href,
    };
  });
  expect(found.node).toEqual([]);
  expect(found.door).toEqual(['onEvent', 'request']);
  expect(found.address).toMatch(/^app:\/\/whalemark\//);
  expect(found.policy).toContain("default-src 'self'");
  expect(found.policy).not.toContain('unsafe');

  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    // The types lack this function, but Electron has it.
    const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
    return contents.getLastWebPreferences();
  });
  // The preferences that Electron really applies.
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
  });
  // Electron 22 doesn't report these four. The policy forbids workers.
  for (const name of ['nodeIntegrationInWorker', 'plugins', 'navigateOnDragDrop', 'spellcheck']) {
    expect(preferences[name] ?? false, name).toBe(false);
  }
  expect(preferences['enableBlinkFeatures'] ?? '').toBe('');
  expect(await app.evaluate(({ session }) => session.defaultSession.isSpellCheckerEnabled())).toBe(false);
});

test('the process of the page is in Chromium’s sandbox', async ({ launch, fakeApp }) => {
  test.skip(process.platform !== 'linux', 'elsewhere a process does not tell');
  const { app } = await launch({ folder: fakeApp, sandboxed: true });
  const processes = await app.evaluate(({ BrowserWindow }) => ({
    main: process.pid,
    page: BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
  }));
  const [main, page] = [processes.main, processes.page].map(statusOf);
  // A system-call filter, a process namespace (which needs a user namespace), and no capabilities.
  expect(page).toMatchObject({ Seccomp: '2', CapEff: '0000000000000000' });
  expect(page?.['NSpid']?.split(/\s+/).length).toBeGreaterThan(main?.['NSpid']?.split(/\s+/).length ?? 0);
  expect(page?.['Uid']).not.toMatch(/^0\b/);
});

test('an Electron without security fixes is named in the window of npm start', async ({
  launch,
  fakeApp,
}) => {
  const { app, page } = await launch({ folder: fakeApp, env: { WHALEMARK_OLD_ELECTRON: '1' } });
  const version = await app.evaluate(() => process.versions.electron);
  await expect(page.getByRole('alert').filter({ hasText: t('app.outdated', { version }) })).toBeVisible();
});

/** The kernel's status of a process. */
const statusOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );

test('the header carries the policy, and what it forbids does not happen', async ({ openFake }) => {
  const { app, page } = await openFake();
  const reloaded = page.waitForEvent('load');
  const header = await app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents === undefined) return '';
    contents.debugger.attach();
    await contents.debugger.sendCommand('Network.enable');
    const answered = new Promise<string>((resolve) => {
      contents.debugger.on('message', (_, method, params) => {
        if (method !== 'Network.responseReceived' || params.type !== 'Document') return;
        resolve(String(params.response.headers['Content-Security-Policy'] ?? ''));
      });
    });
    contents.reload();
    const policy = await answered;
    contents.debugger.detach();
    return policy;
  });
  await reloaded;
  expect(header).toContain("default-src 'self'");
  expect(header).not.toContain('unsafe');

  const done = await page.evaluate(async () => {
    const inPage = globalThis as unknown as InPage;
    const script = inPage.document.createElement('script');
    script.textContent = 'globalThis.inlineScriptRan = true';
    inPage.document.head.append(script);
    const fetched = await inPage.fetch('https://example.com').then(
      () => true,
      () => false,
    );
    // The attempt runs in its own task, because the debugger's own code is exempt.
    const evaluated = await new Promise<boolean>((resolve) => {
      setTimeout(() => {
        try {
          inPage.eval('1 + 1');
          resolve(true);
        } catch {
          resolve(false);
        }
      }, 0);
    });
    return { inline: 'inlineScriptRan' in inPage, fetched, evaluated };
  });
  expect(done).toEqual({ inline: false, fetched: false, evaluated: false });
});

test('the app itself breaks none of its own rules', async ({ openFake }) => {
  const { app, page } = await openFake({ pace: 1 });
  await app.evaluate(({ session }) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    // The app's own filter stays: its listener is of another kind.
    session.defaultSession.webRequest.onSendHeaders(({ url }) => void asked.push(url));
    session.defaultSession.webRequest.onErrorOccurred(({ url }) => void asked.push(url));
    session.defaultSession.webRequest.onCompleted(({ url }) => void asked.push(url));
  });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.reload();
  await page.getByRole('button', { name: t('home.options'), exact: true }).click();
  await page.getByRole('button', { name: t('plan.start') }).click();
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
  expect(complaints).toEqual([]);
  const asked = await app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
  expect(asked.length).toBeGreaterThan(2);
  expect(asked.filter((url) => !url.startsWith('app://whalemark/'))).toEqual([]);
});

test('the page can neither leave nor open windows nor get permissions', async ({ openFake }) => {
  const { app, page } = await openFake();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await app.evaluate(({ shell, BrowserWindow }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (address) => Promise.resolve(void opened.push(address));
    const tried: string[] = [];
    Object.assign(globalThis, { tried });
    const [window] = BrowserWindow.getAllWindows();
    window?.webContents.once('will-navigate', (_event, address) => tried.push(address));
  });
  const refused = page.waitForEvent('console', (message) => /Not allowed to load/.test(message.text()));
  const before = page.url();
  const opened = await page.evaluate(() => {
    const inPage = globalThis as unknown as InPage;
    const addresses = [
      'https://example.com',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'smb://host/share',
      'ms-msdt:/id',
    ];
    const isDenied = [...addresses, 'app://whalemark/', 'https://github.com/akopytov/sysbench'].every(
      (address) => inPage.open(address) === null,
    );
    inPage.location.href = 'https://example.com/';
    return !isDenied;
  });
  await page.evaluate(() => {
    const { document } = globalThis as unknown as InPage;
    const link = document.createElement('a');
    link.href = 'file:///etc/passwd';
    document.body.append(link);
    link.click();
    link.remove();
  });
  // The page's navigation has no event when it is refused, but the refusal has one.
  await refused;
  const tried = (): Promise<string[]> =>
    app.evaluate(() => (globalThis as unknown as { tried: string[] }).tried);
  await expect.poll(tried).toEqual(['https://example.com/']);
  expect(opened).toBe(false);
  expect(page.url()).toBe(before);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  // Only the address of the list has gone to the system's browser.
  const external = await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  expect(external).toEqual(['https://github.com/akopytov/sysbench']);
  const permissions = await page.evaluate(PERMISSIONS);
  expect(permissions).toEqual({
    notifications: 'denied',
    // A machine without a camera reports that first.
    camera: expect.stringMatching(/^Not(?:Allowed|Found)Error$/),
    states: ['denied', 'denied', 'denied', 'denied'],
    screen: expect.stringMatching(/^Not(?:Allowed|Supported)Error$/),
    clipboard: 'NotAllowedError',
    place: 1,
    webview: false,
    frame: false,
    download: 'app://whalemark/',
  });
  expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
});

/** A script of the page that asks for every permission. Each answer is the reason of the refusal. */
const PERMISSIONS = `(async () => {
  const why = (asked) => asked.then(() => 'granted', ({ name }) => name);
  const webview = document.createElement('webview');
  webview.src = 'app://whalemark/';
  const frame = document.createElement('iframe');
  frame.src = 'app://whalemark/';
  document.body.append(webview, frame);
  const link = document.createElement('a');
  link.href = 'app://whalemark/index.html';
  link.download = 'x.html';
  document.body.append(link);
  link.click();
  const drop = new DataTransfer();
  drop.items.add(new File(['x'], 'x.html', { type: 'text/html' }));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: drop, bubbles: true, cancelable: true }));
  const answers = {
    notifications: await Notification.requestPermission(),
    camera: await why(navigator.mediaDevices.getUserMedia({ video: true })),
    states: await Promise.all(
      ['camera', 'microphone', 'geolocation', 'clipboard-read'].map(async (name) => (await navigator.permissions.query({ name })).state),
    ),
    screen: await why(navigator.mediaDevices.getDisplayMedia({ video: true })),
    clipboard: await why(navigator.clipboard.readText()),
    place: await new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve(0), ({ code }) => resolve(code))),
    webview: 'getWebContentsId' in webview,
    frame: frame.contentDocument?.querySelector('script') !== null && frame.contentDocument !== null,
    download: location.href,
  };
  webview.remove();
  frame.remove();
  link.remove();
  return answers;
})()`;

test('a page that is not ours gets an exception, not an answer', async ({ openFake }) => {
  const { app } = await openFake();
  const outcome = await app.evaluate(async ({ BrowserWindow, app: electronApp }) => {
    const preload = `${electronApp.getAppPath()}/out/preload/preload.cjs`;
    const foreign = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
    await foreign.loadURL('app://whalemark/index.html');
    const answer: unknown = await foreign.webContents.executeJavaScript(
      "window.whalemark.request('app:info', {}).then(() => 'answered', (error) => String(error))",
    );
    foreign.destroy();
    return String(answer);
  });
  expect(outcome).toContain('This sender may not ask anything');
});

test('a result whose every text is an attack does nothing, neither in the window nor in its report', async ({
  launch,
  fakeApp,
}) => {
  const folder = newFolder('hostile');
  const file = join(folder, 'hostile.whalemark');
  const state = withTexts(parseResult(readFileSync(SAMPLE, 'utf8'), 'sample'), ATTACK);
  writeFileSync(file, serializeResult(state, { included: [], leftOut: {} }));
  const { app, page } = await launch({ folder: fakeApp, args: [file] });
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
  await openEverything({ page });
  await expect(page.getByText('globalThis.ran=1').first()).toBeVisible();
  expect(await page.evaluate(FOUND)).toEqual({ ran: undefined, foreign: 0, scripts: 1 });
  const said = (await page.consoleMessages()).map((message) => message.text());
  expect(said.filter((text) => /Content Security Policy|Refused|error/i.test(text))).toEqual([]);

  await saveDialogsTo(app, folder);
  const report = join(folder, 'report.html');
  writeFileSync(report, await savedAs(await openShareDialog(page), t('share.formats.html'), folder));
  const opened = await app.evaluate(
    async ({ BrowserWindow, session }, [path, found]) => {
      const own = session.fromPartition('hostile');
      const asked: string[] = [];
      // This filter replaces the app's, which lets no file through.
      own.webRequest.onBeforeRequest(({ url }, callback) => {
        asked.push(url.replace(/^file:.*\//, ''));
        callback({});
      });
      const window = new BrowserWindow({ show: false, webPreferences: { session: own, sandbox: true } });
      const said: string[] = [];
      window.webContents.on('console-message', (_event, _level, text) => void said.push(text));
      await window.loadFile(path);
      const result: unknown = await window.webContents.executeJavaScript(found);
      window.destroy();
      return { result, said, asked };
    },
    [report, FOUND] as const,
  );
  expect(opened).toEqual({
    result: { ran: undefined, foreign: 0, scripts: 0 },
    said: [],
    asked: ['report.html'],
  });
});
