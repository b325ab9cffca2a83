import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * electron-builder removes these files from its own download, but not from the tests' Electron.
 *
 * @param {import('electron-builder').AfterPackContext} context
 */
export default async function afterExtract({ appOutDir }) {
  await rm(join(appOutDir, 'resources', 'default_app.asar'), { recursive: true, force: true });
  await rm(join(appOutDir, 'version'), { force: true });
}
