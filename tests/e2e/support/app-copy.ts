import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { nodeEntry, root } from '../../../scripts/build/node-entry.mjs';
import { isStale } from '../../../scripts/build/stale.mjs';

/** Everything that a copy is made of. */
const SOURCES = ['out', 'src', 'assets', 'presets', 'scripts/build', 'tests/fake', 'tests/unit/builders.ts'];

/** The module that makes the core. */
const CORE = /^.*\/benchmark\/handlers\/handlers\.ts$/;

/**
 * A copy of the built app whose measuring process has the fake core. Everything else is as users get it.
 * It is kept from run to run and made again when it is older than what it is made of.
 */
export async function fakeAppCopy(): Promise<string> {
  const folder = join(root, '.cache', 'fake-app');
  // package.json is written last.
  if (!isStale(join('.cache', 'fake-app', 'package.json'), root, SOURCES)) return folder;
  const fresh = `${folder}-${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  await makeCopy(fresh);
  if (existsSync(folder)) rmSync(folder, { recursive: true });
  renameSync(fresh, folder);
  return folder;
}

async function makeCopy(folder: string): Promise<void> {
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
    resolve: { alias: [{ find: CORE, replacement: join(root, 'tests/fake/core-entry.ts') }] },
  });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'whalemark', version: '0.1.0', main: 'out/main/main.cjs' }),
  );
}
