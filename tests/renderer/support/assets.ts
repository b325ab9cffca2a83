import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportAssets } from '../../../scripts/build/report-assets.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
export const presetsFolder = join(root, 'presets');

let folder: string | undefined;

/** The assets as the build puts them together, without a build. */
export function assetsFolder(): string {
  if (folder !== undefined) return folder;
  folder = mkdtempSync(join(tmpdir(), 'whalemark-assets-'));
  mkdirSync(folder, { recursive: true });
  for (const name of ['reference', 'example']) symlinkSync(join(root, 'assets', name), join(folder, name));
  for (const { from, to } of reportAssets()) symlinkSync(from, join(folder, to));
  writeFileSync(join(folder, 'licenses.json'), '[]');
  return folder;
}

export function removeAssets(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}
