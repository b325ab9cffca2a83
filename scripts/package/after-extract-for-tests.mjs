import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Electron-builder's hook behind the copying of Electron. From its own download it removes these itself, from the tests'
 * Electron it does not.
 *
 * @param {import('electron-builder').AfterPackContext} context
 */
export default async function afterExtract({ appOutDir }) {
  await rm(join(appOutDir, 'resources', 'default_app.asar'), { recursive: true, force: true });
  await rm(join(appOutDir, 'version'), { force: true });
}
