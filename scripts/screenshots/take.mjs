// Takes the pictures (screenshots.mjs), and writes them when the last one has been taken.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { repository } from '../setup/repository.mjs';
import { film } from './film.mjs';
import { appTexts, FOLDER, LIST, outdatedTexts, shownTexts } from './texts.mjs';
import { launch, linesIn, read, screenOf, t } from './window.mjs';

const SIZE = { width: 1240, height: 820 };
const RUN = 'run.webp';
const LIVE = 'live-light.png';

const onlyStale = process.argv.includes('--stale');
/** @param {string} file */
const isWanted = (file) => !onlyStale || outdatedTexts(file, read)?.length !== 0;

/** A CPU limit can be changed on every machine. */
const COMPOSE = `services:
  db:
    image: ${process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'mysql:8.4'}
    environment:
      MYSQL_ROOT_PASSWORD: \${DB_PASSWORD:?}
    volumes:
      - db-data:/var/lib/mysql
    ports:
      - "3306:3306"

    deploy:
      resources:
        limits:
          cpus: "0.5"

volumes:
  db-data:
`;

/** @type {Map<string, { bytes: Uint8Array, lines: string[] }>} */
const taken = new Map();
const home = mkdtempSync(join(tmpdir(), 'whalemark-screenshots-'));
try {
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ language: 'en', theme: 'light' }));
  await withEngine();
  await withoutEngine();
} finally {
  rmSync(home, { recursive: true, force: true });
}
const texts = appTexts(read);
/** @type {Record<string, string[]>} */
const list = JSON.parse(read(LIST));
for (const [file, { bytes, lines }] of taken) {
  if (!isWanted(file)) continue;
  writeFileSync(join(repository, FOLDER, file), bytes);
  list[file] = shownTexts(lines, texts);
  console.log(`${FOLDER}/${file}: ${Math.round(bytes.length / 1024)} KiB`);
}
writeFileSync(join(repository, LIST), `${JSON.stringify(list, null, 2)}\n`);

/** @param {import('./window.mjs').Page} page @param {string} file @param {number} [height] */
async function shoot(page, file, height = SIZE.height) {
  await page.setViewportSize({ ...SIZE, height });
  taken.set(file, { bytes: await page.screenshot(), lines: await linesIn(page) });
  console.log(`took ${file}`);
}

async function withEngine() {
  const { app, page } = await launch(home);
  const { button, heading } = screenOf(page);
  const start = button('plan.start').and(page.locator(':enabled'));
  try {
    await heading('passport.title').waitFor();
    await page.locator('#start-essentials', { hasText: 'GiB' }).waitFor();
    await shoot(page, 'home-light.png', 600);

    const shop = join(home, 'shop');
    mkdirSync(shop);
    writeFileSync(join(shop, 'compose.yaml'), COMPOSE);
    writeFileSync(join(shop, '.env'), 'DB_PASSWORD=not-shown\n');
    await app.evaluate(
      ({ dialog }, path) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
      },
      join(shop, 'compose.yaml'),
    );
    await button('database.open').click();
    // Home has a button Start, too.
    await page.getByRole('region', { name: t('database.read') }).waitFor();
    await start.waitFor();
    await shoot(page, 'database-light.png');

    await button('app.home').click();
    await button('app.newComparison').click();
    const steps = page.getByRole('navigation', { name: t('wizard.stepper') });
    for (const step of ['what', 'review']) {
      await steps.getByRole('button', { name: t(`wizard.steps.${step}`) }).click();
      await page.getByText(t('plan.disk'), { exact: true }).first().waitFor();
      await shoot(page, `wizard-${step}-light.png`);
    }

    await button('app.home').click();
    await button('home.options').and(page.locator(':enabled')).click();
    await start.waitFor();
    await shoot(page, 'plan-light.png');
    if (!isWanted(LIVE) && !isWanted(RUN)) return;

    await start.click();
    const turn = page.getByRole('heading', { level: 1, name: /turn (?:[5-9]|\d\d) of/i });
    const answer = page.getByRole('heading', { name: t('live.answer'), exact: true });
    const numbers = page.getByRole('region', { name: t('result.numbers'), exact: true });
    taken.set(
      RUN,
      await film(page, numbers, async () => {
        const isDue = (await turn.isVisible()) && (await answer.isVisible());
        if (isDue && !taken.has(LIVE)) await shoot(page, LIVE);
      }),
    );
    if (!taken.has(LIVE)) throw new Error('the run ended before its fifth turn with an answer');
  } finally {
    // The app asks before it quits if a run continues.
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
    });
    await app.close();
  }
}

async function withoutEngine() {
  const { app, page } = await launch(home, { DOCKER_HOST: 'unix:///nonexistent/docker.sock' });
  try {
    await page.getByText(t('guide.title'), { exact: true }).waitFor();
    await screenOf(page).button('example.open').first().click();
    await page.getByRole('region', { name: t('result.numbers'), exact: true }).waitFor();
    await shoot(page, 'example-light.png');
  } finally {
    await app.close();
  }
}
