// Makes pictures/*.png from a real run of the built app (npm run build first): every screen in light, dark, a small window and
// Chinese. Those that pages show replace the ones in docs/screenshots. Needs an engine, Electron and a display, as `node scripts/setup.mjs` brings them.
// `--only home,settings` leaves all other pictures as they are. `--engines result.json` takes `engines` of a result with two engines alone:
// node scripts/engines.mjs docker-28+vm node out/cli/whalemark.cjs run engines --engines default,env:DOCKER_HOST -o FOLDER
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import { shootOwnDatabase } from './screenshots/own-database.mjs';
import { shootEngines } from './screenshots/two-engines.mjs';
import {
  CHINESE,
  ENGLISH,
  enginesResult,
  folder,
  home,
  isWanted,
  launch,
  only,
  root,
  screenOf,
  shoot,
  SIZE,
} from './screenshots/window.mjs';

/** @typedef {import('./screenshots/window.mjs').Words} Words */

/**
 * Changes the language as a user does, and stays in the settings.
 *
 * @param {import('@playwright/test').Page} page
 * @param {Words} from
 * @param {Words} to
 */
async function speak(page, from, to) {
  const { button, heading } = screenOf(page);
  await button(from('app.settings')).click();
  await page
    .getByRole('combobox', { name: from('settings.language') })
    .selectOption(to === CHINESE ? 'zh-CN' : 'en');
  await heading(to('app.settings')).waitFor();
}

/**
 * Back to the run that continues.
 *
 * @param {import('@playwright/test').Page} page
 * @param {Words} t
 */
async function toRun(page, t) {
  const [before = ''] = t('app.runGoesOn', { percent: '|' }).split('|');
  await page.getByRole('button', { name: before }).click();
}

/**
 * The screens that need no run of this moment. `shared` is a result file of another run, to be compared with.
 *
 * @param {Awaited<ReturnType<typeof launch>>} running
 * @param {Words} t
 * @param {string} shared
 */
async function tour({ app, page }, t, shared) {
  const { button, heading } = screenOf(page);
  const result = page.getByRole('region', { name: t('result.numbers'), exact: true });
  await button(t('app.home')).click();
  await heading(t('passport.title')).waitFor();
  await page.locator('#start-essentials', { hasText: 'GiB' }).waitFor();
  await shoot(page, 'home', t);

  await button(t('app.newComparison')).click();
  const steps = page.getByRole('navigation', { name: t('wizard.stepper') });
  for (const step of ['what', 'review']) {
    await steps.getByRole('button', { name: t(`wizard.steps.${step}`) }).click();
    await page.getByText(t('plan.disk'), { exact: true }).first().waitFor();
    await shoot(page, `wizard-${step}`, t);
  }

  await button(t('app.settings')).click();
  await heading(t('settings.leftovers')).waitFor();
  await shoot(page, 'settings', t);

  await button(t('app.home')).click();
  await page
    .getByRole('region', { name: t('recent.title') })
    .getByRole('listitem')
    .first()
    .getByRole('button')
    .first()
    .click();
  await result.waitFor();
  await shoot(page, 'result', t, page.locator('main .screen'));
  await page.getByText(t('result.why'), { exact: true }).click();
  await page.getByText(t('reproduce.title'), { exact: true }).click();
  await shoot(page, 'result-reproduce', t, page.getByRole('region', { name: t('reproduce.title') }));
  await page.locator('h1').scrollIntoViewIfNeeded();
  await button(t('share.button')).click();
  await page.getByRole('img', { name: t('share.picture') }).waitFor();
  await shoot(page, 'share', t);
  await button(t('common.close')).click();

  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, shared);
  await button(t('app.home')).click();
  await button(t('home.openResult')).click();
  await result.waitFor();
  const keep = button(t('history.sharedResult.keep'));
  if (t === ENGLISH) {
    await keep.click();
    await page.getByText(t('history.sharedResult.kept')).waitFor();
  }
  await button(t('app.history')).click();
  const boxes = page.getByRole('checkbox');
  await boxes.nth(1).waitFor();
  for (const box of await boxes.all()) await box.check();
  await shoot(page, 'history', t);
  await page.getByRole('button', { name: t('history.compare'), exact: true }).click();
  await heading(t('compare.strips')).waitFor();
  await shoot(page, 'compare', t);
}

process.on('exit', () => {
  for (const name of readdirSync(join(root, 'docs', 'screenshots'))) {
    const taken = join(folder, name);
    if (existsSync(taken)) copyFileSync(taken, join(root, 'docs', 'screenshots', name));
  }
});
if (enginesResult !== undefined) {
  await shootEngines(enginesResult);
  process.exit();
}
await shootOwnDatabase();
if (only?.every((name) => name.startsWith('database'))) process.exit();

const example = join(home, 'example.whalemark');
writeFileSync(example, gunzipSync(readFileSync(join(root, 'assets', 'example', 'result.json.gz'))));
const running = await launch({});
try {
  const { page } = running;
  const { button, heading } = screenOf(page);
  await heading(ENGLISH('passport.title')).waitFor();
  const start = button(ENGLISH('plan.start'));
  await button(ENGLISH('home.options')).and(page.locator(':enabled')).click();
  await start.and(page.locator(':enabled')).waitFor();
  await shoot(page, 'plan', ENGLISH);
  await start.click();
  const third = page.getByRole('heading', { level: 1, name: ENGLISH('live.round', { round: '3' }) });
  await third.waitFor({ timeout: 600_000 });
  await shoot(page, 'live', ENGLISH);
  await speak(page, ENGLISH, CHINESE);
  await toRun(page, CHINESE);
  await shoot(page, 'live', CHINESE);
  await speak(page, CHINESE, ENGLISH);
  await toRun(page, ENGLISH);
  await page
    .getByRole('region', { name: ENGLISH('result.numbers'), exact: true })
    .waitFor({ timeout: 900_000 });

  // The whole result, for the reader who wants to see what is below the fold.
  const height = await page
    .locator('main')
    .evaluate((main) => main.scrollHeight + (main.previousElementSibling?.clientHeight ?? 0) + 1);
  await page.setViewportSize({ width: SIZE.width, height });
  if (isWanted('result-whole')) await page.screenshot({ path: join(folder, 'result-whole.png') });
  await page.setViewportSize(SIZE);

  await tour(running, ENGLISH, example);
  await speak(page, ENGLISH, CHINESE);
  await tour(running, CHINESE, example);
} finally {
  // Should a run still continue, the app would ask before it quits.
  await running.app.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
  });
  await running.app.close();
}

// The same app where no engine answers.
for (const t of [ENGLISH, CHINESE]) {
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ language: t === CHINESE ? 'zh-CN' : 'en' }));
  const { app, page } = await launch({ DOCKER_HOST: 'unix:///nonexistent/docker.sock' });
  try {
    await page.getByText(t('guide.title'), { exact: true }).waitFor();
    await shoot(page, 'guide', t);
    await page
      .getByRole('button', { name: t('example.open') })
      .first()
      .click();
    await page.getByRole('region', { name: t('result.numbers'), exact: true }).waitFor();
    await shoot(page, 'example', t);
  } finally {
    await app.close();
  }
}
