import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { newFolder } from './folders.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/database-app');

/** A Compose file in a folder of its own. */
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
  // A window that shows no screen yet takes nothing.
  await page.getByRole('heading', { level: 1 }).waitFor();
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  await session.detach();
}
