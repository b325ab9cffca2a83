import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { nodeEntry, root } from '../../../scripts/build/node-entry.mjs';
import { isStale } from '../../../scripts/build/stale.mjs';

/** The module of the measuring process that a copy has instead of its own, a path below the project. */
interface Replacement {
  module: RegExp;
  by: string;
}

/** Everything that a copy is made of. */
const SOURCES = ['out', 'src', 'assets', 'presets', 'scripts/build', 'tests/fake', 'tests/unit/builders.ts'];

/**
 * A copy of the built app in which one module of the measuring process is another, everything else is what users get,
 * who have no door for that. Returns the folder to start; `removeAppCopy` takes it away.
 */
export async function appCopyWith(module: RegExp, by: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'whalemark-app-copy-'));
  await makeCopy(folder, { module, by });
  return folder;
}

export function removeAppCopy(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** The copy with the fake core, which is kept from run to run and made again when it is older than what it is made of. */
export async function fakeAppCopy(): Promise<string> {
  const folder = join(root, '.cache', 'fake-app');
  // Written last.
  if (!isStale(join('.cache', 'fake-app', 'package.json'), root, SOURCES)) return folder;
  const fresh = `${folder}-${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  await makeCopy(fresh, {
    module: /^.*\/benchmark\/handlers\/handlers\.ts$/,
    by: 'tests/fake/core-entry.ts',
  });
  if (existsSync(folder)) rmSync(folder, { recursive: true });
  renameSync(fresh, folder);
  return folder;
}

async function makeCopy(folder: string, { module, by }: Replacement): Promise<void> {
  cpSync(join(root, 'out'), join(folder, 'out'), { recursive: true });
  const outDir = join(folder, 'out', 'main');
  const core = nodeEntry({
    entry: 'src/main/core/core-main.ts',
    outDir,
    fileName: 'core.cjs',
    target: 'node16',
  });
  await build({
    ...core,
    logLevel: 'warn',
    resolve: { alias: [{ find: module, replacement: join(root, by) }] },
  });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'whalemark', version: '0.1.0', main: 'out/main/main.cjs' }),
  );
}
