// Makes docs/screenshots/*.png from a real run of the built app (npm run build first): every screen, light and dark,
// and in a small window. Needs an engine, Electron and a display, as `node scripts/setup.mjs` brings them.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { _electron } from '@playwright/test';
import { setup } from './setup.mjs';

const SIZE = { width: 1240, height: 820 };
const SMALL = { width: 1024, height: 640 };

const { env } = await setup({ needs: ['modules', 'engine', 'images', 'electron', 'display'] });
Object.assign(process.env, env);
const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs', 'screenshots');
const home = mkdtempSync(join(tmpdir(), 'whalemark-screenshots-'));
mkdirSync(folder, { recursive: true });

const app = await _electron.launch({
  cwd: root,
  args: ['.', '--disable-gpu'],
  env: /** @type {Record<string, string>} */ ({
    ...process.env,
    WHALEMARK_HOME: home,
    WHALEMARK_DATASETS: 'off',
    WHALEMARK_TEST_SCHEDULE:
      process.env['WHALEMARK_TEST_SCHEDULE'] ?? '{"rounds":5,"warmupSeconds":1,"durationSeconds":3}',
  }),
});

try {
  const page = await app.firstWindow();
  await page.emulateMedia({ reducedMotion: 'reduce' });

  /** @param {string} name */
  const shoot = async (name) => {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(SIZE);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(SMALL);
    await page.screenshot({ path: join(folder, `${name}-small.png`) });
    await page.setViewportSize(SIZE);
    console.log(`took ${name}`);
  };
  const compare = page.getByRole('button', { name: 'Compare my setup', exact: true });
  const start = page.getByRole('button', { name: 'Start', exact: true });

  // The button is there before the engine has been looked at.
  await page.getByRole('heading', { name: 'Passport of this setup' }).waitFor();
  await page.getByRole('heading', { name: 'Buffer pool sizes' }).waitFor();
  await compare.and(page.locator(':enabled')).waitFor();
  await shoot('home');
  await compare.click();
  await start.and(page.locator(':enabled')).waitFor();
  await shoot('plan');
  await start.click();
  await page.getByRole('heading', { name: /^Round 3 of/ }).waitFor({ timeout: 600_000 });
  await shoot('live');
  await page.getByRole('region', { name: 'Numbers', exact: true }).waitFor({ timeout: 900_000 });
  await shoot('result');

  // The whole result, for the reader who wants to see what is below the fold.
  const height = await page
    .locator('main')
    .evaluate((main) => main.scrollHeight + (main.previousElementSibling?.clientHeight ?? 0) + 1);
  await page.setViewportSize({ width: SIZE.width, height });
  await page.screenshot({ path: join(folder, 'result-whole.png') });

  await app.evaluate(
    ({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    },
    join(folder, 'share-card.png'),
  );
  await page.getByRole('button', { name: 'PNG picture' }).click();
  await page.getByText(/^Saved as /).waitFor();
} finally {
  // Should a run still go on, the app would ask before it quits.
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
  });
  await app.close();
  rmSync(home, { recursive: true, force: true });
}
