import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { t } from '../../helpers/words.ts';
import { newFolder } from './folders.ts';

const NAME = 'Small comparison';

/**
 * A data folder with the preset that tests of a real run start: MariaDB, which is up in half the time of MySQL and shows
 * the same here; two scenarios, so that something is compared, one of them with files on this machine; so little data
 * that its tables are kept after the first test.
 */
export function homeWithSmallPreset(rounds: number): string {
  const home = newFolder('e2e');
  mkdirSync(join(home, 'presets'));
  writeFileSync(
    join(home, 'presets', 'small.yaml'),
    `whalemark: 1
id: small
name: ${NAME}
question: Is it measured, stopped and cleaned up?
server: { image: 'mariadb:11.8', settings: { bufferPool: 64, redoLogMiB: 64 } }
workload: { kind: oltp_read_write, tables: 2, tableSize: 1000 }
connections: 2
grid: { storages: [named-volume, bind-mount], paths: [published-port] }
baseline: named-volume.published-port
aaCheck: false
schedule: { rounds: ${rounds}, warmupSeconds: 0, durationSeconds: 1 }
`,
  );
  return home;
}

/** Opens the preset's plan from home, and starts it. */
export async function startSmall(page: Page): Promise<void> {
  const heading = page.getByRole('heading', { name: NAME, exact: true });
  const card = page.locator('li.preset', { has: heading });
  await card.getByText(t('presets.open'), { exact: true }).click();
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
}
