// `npm run screenshots`: makes docs/screenshots anew from a real run on this machine's engine: every screen light,
// dark and small, and the picture for sharing. Takes about ten minutes; needs the set-up, and a display or xvfb-run.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { _electron } from '@playwright/test';
import { setup } from './setup.mjs';

const target = resolve('docs/screenshots');
const { env } = await setup({ needs: ['modules', 'engine', 'images', 'electron', 'display'] });
Object.assign(process.env, env);
await mkdir(target, { recursive: true });
const home = await mkdtemp(join(tmpdir(), 'whalemark-screenshots-'));
/** @type {Record<string, string>} */
const inherited = {};
for (const [name, value] of Object.entries(process.env)) if (value !== undefined) inherited[name] = value;
const app = await _electron.launch({
  args: ['.', '--disable-gpu'],
  env: { ...inherited, WHALEMARK_HOME: home },
});
try {
  const page = await app.firstWindow();
  await page.waitForLoadState();

  /** @param {'light' | 'dark'} colorScheme @param {{ width: number, height: number }} size */
  const show = async (colorScheme, size) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    // Charts take their colours from the theme on its change.
    await page.evaluate(
      () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
    );
  };
  /** @param {string} screen */
  const shoot = async (screen) => {
    const normal = { width: 1280, height: 860 };
    const views = /** @type {const} */ ([
      ['light', 'light', normal],
      ['dark', 'dark', normal],
      ['small', 'light', { width: 1024, height: 640 }],
    ]);
    for (const [name, scheme, size] of views) {
      await show(scheme, size);
      await page.screenshot({ path: join(target, `${screen}-${name}.png`) });
    }
    await show('light', normal);
  };

  await page.getByRole('region', { name: 'Passport of this setup' }).waitFor();
  await shoot('home');
  await page.getByRole('button', { name: 'Compare my setup' }).click();
  await page.getByRole('region', { name: 'What will run' }).waitFor();
  await shoot('plan');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText(/^1\d of 50 trials/).waitFor({ timeout: 400_000 });
  await shoot('live');
  await page.getByRole('region', { name: 'Numbers' }).waitFor({ timeout: 900_000 });
  await shoot('result');

  await app.evaluate(
    ({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    },
    join(target, 'share-card.png'),
  );
  await page.getByRole('button', { name: 'PNG picture' }).click();
  await page.getByText(/^Saved as /).waitFor();
  console.log(`docs/screenshots is new: ${await page.getByRole('heading', { level: 1 }).innerText()}`);
} finally {
  await app.close();
  await rm(home, { recursive: true, force: true });
}
