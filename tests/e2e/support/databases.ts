import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type ElectronApplication, type Page } from '@playwright/test';
import { t } from '../../helpers/words.ts';
import { newFolder } from './folders.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/database-app');

/** A Compose file in a new folder. */
export function composeFile(fixture = 'compose.yaml'): string {
  const file = join(newFolder('shop'), 'compose.yaml');
  copyFileSync(join(FIXTURES, fixture), file);
  return file;
}

/** Answers the next "open" dialogs with a file. */
export async function openDialogsWith(app: ElectronApplication, file: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, file);
}

/** Drags a file of this machine onto the window, as Chromium gets it from the system. */
export async function dropFile(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  await send('dragEnter');
  // A system reports a drag all the time. The window takes nothing before it has accepted it.
  await expect
    .poll(async () => {
      await send('dragOver');
      return page.getByText(t('drop.here')).isVisible();
    })
    .toBe(true);
  await send('drop');
  await session.detach();
}
