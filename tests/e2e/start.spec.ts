import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';
import { newFolder } from './support/folders.ts';

const DEVTOOLS = /DevTools listening on ws:\/\/([^/]+)/;

/** Starts the app, waits until standard error contains `text`, and gives the addresses of the app's pages. */
async function refusal(folder: string, env: Record<string, string>, text: string): Promise<string[]> {
  const program = createRequire(import.meta.url)('electron') as string;
  const child = spawn(program, [folder, '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'], {
    env: { ...process.env, TMPDIR: newFolder('tmp'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    let said = '';
    // The two lines come in either order.
    for await (const line of createInterface({ input: child.stderr })) {
      said += `${line}\n`;
      if (said.includes(text) && DEVTOOLS.test(said)) break;
    }
    expect(said).toContain(text);
    const port = DEVTOOLS.exec(said)?.[1];
    const pages = (await (await fetch(`http://${port}/json/list`)).json()) as { url: string }[];
    return pages.map(({ url }) => url).filter((url) => url.startsWith('app:'));
  } finally {
    // Its children use the temporary folder, too: "close" follows when none of them holds standard error.
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    child.stderr.resume();
    await ended;
  }
}

test('an AppImage that is started without the sandbox says so and opens no page', async ({ fakeApp }) => {
  const home = newFolder('appimage');
  const env = { WHALEMARK_HOME: home, APPIMAGE: join(home, 'whalemark.AppImage') };
  expect(await refusal(fakeApp, env, t('app.noSandbox'))).toEqual([]);
});

test('a data folder that is a file is named, and no page opens', async ({ fakeApp }) => {
  const home = join(newFolder('no-folder'), 'data');
  writeFileSync(home, '');
  expect(await refusal(fakeApp, { WHALEMARK_HOME: home }, home)).toEqual([]);
});
