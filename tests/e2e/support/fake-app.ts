import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { nodeEntry } from '../../../scripts/build/node-entry.mjs';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * A copy of the built app whose measuring process is the fake one: everything but `benchmark/core.ts` is what users
 * get. Returns the folder to start; remove it with `removeFakeApp`.
 */
export async function buildFakeApp(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'whalemark-fake-app-'));
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
    resolve: {
      alias: [{ find: /^.*\/benchmark\/core\.ts$/, replacement: join(import.meta.dirname, 'fake-core.ts') }],
    },
  });
  return folder;
}

export function removeFakeApp(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
