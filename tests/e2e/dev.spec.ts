import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { _electron, type ElectronApplication } from '@playwright/test';
import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';
import { newFolder } from './support/folders.ts';
import type { InPage } from './support/in-page.ts';

const root = join(import.meta.dirname, '..', '..');
const core = 'src/main/core/core-main.ts';
/** The parts of the repository that `npm run dev` reads. The test changes them, so it takes a copy. */
const NEEDED = [
  ...['src', 'scripts', 'tests/fake', 'tests/helpers', 'tests/unit', 'presets', 'assets', 'docs'],
  ...['package.json', 'package-lock.json', 'svelte.config.js', 'tsconfig.json'],
];

let app: ElectronApplication | undefined;
/** The command's output so far. */
let said = '';
test.afterEach(async () => {
  await interrupt();
  const { status, expectedStatus } = test.info();
  if (status !== expectedStatus) process.stdout.write(`${said}\n`);
});

/** Interrupts the whole process group, as Ctrl+C in a terminal does. Resolves when it has ended. */
async function interrupt(): Promise<void> {
  const child = app?.process();
  app = undefined;
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGINT');
  await ended;
}

function copyOfTheSources(): string {
  const folder = newFolder('dev');
  for (const name of NEEDED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** A program that Playwright can start, as it adds its own options in front. */
function launcherOf(folder: string): string {
  const file = join(folder, 'npm-run-dev');
  writeFileSync(file, `#!/bin/sh\ncd '${folder}' && exec npm run dev -- --fake plain -- "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

async function milliseconds(act: () => void, seen: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  act();
  await seen();
  return Math.round(performance.now() - since);
}

test('npm run dev shows what is edited, and leaves nothing', { tag: '@full' }, async () => {
  const folder = copyOfTheSources();
  const began = performance.now();
  app = await _electron.launch({
    executablePath: launcherOf(folder),
    args: ['--disable-gpu'],
    env: { ...process.env, NODE_ENV: 'production' } as Record<string, string>,
  });
  const child = app.process();
  const hears = (words: string): Promise<void> =>
    expect.poll(() => said, { intervals: [10], timeout: 20_000 }).toContain(words);
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const page = await app.firstWindow();
  const history = page.getByRole('heading', { level: 1, name: t('app.history') });
  await page.getByRole('button', { name: t('app.history'), exact: true }).click();
  await expect(history).toBeVisible();
  const started = Math.round(performance.now() - began);

  // The page stays the same one, on its screen.
  await page.evaluate(() => ((globalThis as unknown as InPage & { flag: boolean }).flag = true));
  const source = (path: string, text: string): void => appendFileSync(join(folder, path), `\n${text}\n`);
  const component = await milliseconds(
    () => source('src/renderer/screens/History.svelte', '<p>Edited just now</p>'),
    () => page.getByText('Edited just now').waitFor(),
  );
  const style = await milliseconds(
    () => source('src/renderer/styles/base.css', 'h1 { text-indent: 7px; }'),
    () => expect(history).toHaveCSS('text-indent', '7px'),
  );
  await expect(history).toBeVisible();
  expect(await page.evaluate('globalThis.flag')).toBe(true);

  // A source that can't be built changes nothing, and its error is printed.
  source(core, `import './nowhere.ts';`);
  await hears('nowhere.ts');
  await expect(history).toBeVisible();
  expect(await page.evaluate('globalThis.flag')).toBe(true);

  // Other sources need a new app, which waits for its own Playwright.
  const restart = await milliseconds(
    () =>
      writeFileSync(
        join(folder, core),
        `${readFileSync(join(root, core), 'utf8')}\nprocess.stderr.write('core of the edit\\n');\n`,
      ),
    () => hears('dev: the app restarts'),
  );
  const own = readdirSync(join(folder, '.cache')).find((name) => name.startsWith('dev-')) ?? '';
  expect(readFileSync(join(folder, '.cache', own, 'out/main/core.cjs'), 'utf8')).toContain(
    'core of the edit',
  );

  await interrupt();
  await expect.poll(() => readdirSync(join(folder, '.cache'))).toEqual(['vite-dev']);
  expect(existsSync(join(folder, 'out'))).toBe(false);
  process.stdout.write(
    `window after ${started} ms; on screen: component ${component} ms, style ${style} ms; app again: ${restart} ms\n`,
  );
});
