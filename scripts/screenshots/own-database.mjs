import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ENGLISH, home, isWanted, launch, root, screenOf, shoot } from './window.mjs';

const report = JSON.parse(readFileSync(join(root, 'src/shared/locales/en/report.json'), 'utf8'));

/** Limited to less than the load can use, so that there is something to change on every machine. */
const COMPOSE = (/** @type {string} */ image) => `services:
  db:
    image: ${image}
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

/** What is read of a user's Compose file, and the changes that its run leads to. */
export async function shootOwnDatabase() {
  if (!isWanted('database') && !isWanted('database-override')) return;
  const folder = join(home, 'shop');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'compose.yaml');
  writeFileSync(file, COMPOSE(process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'mysql:8.4'));
  writeFileSync(join(folder, '.env'), 'DB_PASSWORD=not-shown\n');
  const { app, page } = await launch({});
  try {
    const { button } = screenOf(page);
    await app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    }, file);
    await button(ENGLISH('database.open')).click();
    // Home has a button of this name, too.
    await page.getByRole('region', { name: ENGLISH('database.read') }).waitFor();
    const start = button(ENGLISH('plan.start')).and(page.locator(':enabled'));
    await start.waitFor();
    await shoot(page, 'database', ENGLISH);
    await start.click();
    const advice = page.getByRole('region', { name: report.advice.title });
    await advice.getByRole('listitem').first().waitFor({ timeout: 900_000 });
    await shoot(page, 'database-override', ENGLISH, advice);
  } finally {
    await app.close();
  }
}
