import { expect, test } from './support/app.ts';
import type { InPage } from './support/in-page.ts';

test('the page runs without Node, under its policy, and has one door', async ({ launch }) => {
  const { app, page } = await launch();
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
    // Not in the types, but how Electron itself tells.
    const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
    const { sandbox, contextIsolation, nodeIntegration, webSecurity } = contents.getLastWebPreferences();
    return { sandbox, contextIsolation, nodeIntegration, webSecurity };
  });
  expect(preferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
  });
});

test('the header carries the policy, and what it forbids does not happen', async ({ launch }) => {
  const { app, page } = await launch();
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
    // In a task of its own: what the debugger itself evaluates is exempt.
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

test('the app itself breaks none of its own rules', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE_PACE: '1' } });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.reload();
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('heading', { name: 'Numbers', exact: true })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('the page can neither leave nor open windows nor get permissions', async ({ launch }) => {
  const { app, page } = await launch();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const before = page.url();
  const opened = await page.evaluate(() => {
    const inPage = globalThis as unknown as InPage;
    const isDenied = inPage.open('https://example.com') === null;
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
  // What must not happen has no event to wait for.
  await page.waitForTimeout(500);
  expect(opened).toBe(false);
  expect(page.url()).toBe(before);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  const permission = await page.evaluate(() =>
    (globalThis as unknown as InPage).Notification.requestPermission(),
  );
  expect(permission).toBe('denied');
});

test('files outside the page are not served', async ({ launch }) => {
  const { app } = await launch();
  const found = await app.evaluate(async ({ BrowserWindow }) => {
    const status = async (url: string): Promise<number> => {
      const window = new BrowserWindow({ show: false });
      let code = -1;
      window.webContents.on('did-navigate', (_event, _url, answered) => {
        code = answered;
      });
      await window.loadURL(url).catch(() => undefined);
      window.destroy();
      return code;
    };
    return {
      page: await status('app://whalemark/index.html'),
      outside: await status('app://whalemark/..%2f..%2fpackage.json'),
      main: await status('app://whalemark/%2e%2e/main/main.cjs'),
      // Another host is stopped before it is even looked up.
      host: await status('app://elsewhere/index.html'),
      disk: await status('file:///etc/passwd'),
    };
  });
  expect(found).toEqual({ page: 200, outside: 404, main: 404, host: -1, disk: -1 });
});

test('requests are checked: good ones pass, unknown and malformed ones do not', async ({ launch }) => {
  const { page } = await launch();
  const answers = await page.evaluate(async () => {
    const ask = (globalThis as unknown as InPage).whalemark.request as (
      name: string,
      params: unknown,
    ) => Promise<unknown>;
    return {
      good: await ask('app:info', {}),
      unknown: await ask('core:shut-down', {}),
      inherited: await ask('constructor', {}),
      malformed: await ask('plan:make', { presetId: 7 }),
      extra: await ask('runtimes:look', { path: '/etc' }),
      nothing: await ask('run:start', undefined),
    };
  });
  expect(answers.good).toMatchObject({ ok: true, value: { platform: process.platform } });
  for (const name of ['unknown', 'inherited', 'malformed', 'extra', 'nothing'] as const) {
    expect(answers[name], name).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
  }
});

test('a page that is not ours gets an exception, not an answer', async ({ launch }) => {
  const { app } = await launch();
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
