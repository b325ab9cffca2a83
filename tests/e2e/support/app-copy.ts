import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { nodeEntry, root } from '../../../scripts/build/node-entry.mjs';

/**
 * A copy of the built app in which one module of the measuring process is another, everything else is what users get,
 * who have no door for that. `replacement` is a path below the project. Returns the folder to start; `removeAppCopy`
 * takes it away.
 */
export async function appCopyWith(module: RegExp, replacement: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'whalemark-app-copy-'));
  cpSync(join(root, 'out'), join(folder, 'out'), { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'whalemark', version: '0.1.0', main: 'out/main/main.cjs' }),
  );
  const core = nodeEntry({
    entry: 'src/main/core/core-main.ts',
    outDir: join(folder, 'out', 'main'),
    fileName: 'core.cjs',
    target: 'node16',
  });
  await build({
    ...core,
    resolve: { alias: [{ find: module, replacement: join(root, replacement) }] },
  });
  await asRelease(folder);
  return folder;
}

/** Main as a release's workflow builds it, which knows where releases are. Tests tell it whom to ask instead. */
async function asRelease(folder: string): Promise<void> {
  const main = nodeEntry({
    entry: 'src/main/main.ts',
    outDir: join(folder, 'out', 'main'),
    fileName: 'main.cjs',
    target: 'node16',
  });
  await build({ ...main, define: { ...main.define, __REPOSITORY__: JSON.stringify('somebody/whalemark') } });
}

export function removeAppCopy(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
