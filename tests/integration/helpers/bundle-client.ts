import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { nodeEntry } from '../../../scripts/build/node-entry.mjs';
import { isStale } from '../../../scripts/build/stale.mjs';

const CLIENT = 'out/main/client.cjs';

/** A file that can be run. */
export interface Bundle {
  file: string;
  remove(): Promise<void>;
}

/** A program bundled from today's sources as the build does it, into its own folder. */
export async function bundled(entry: string): Promise<Bundle> {
  const outDir = await mkdtemp(join(tmpdir(), 'whalemark-bundle-'));
  const fileName = 'main.cjs';
  await build(nodeEntry({ entry, outDir, fileName, target: 'node16' }));
  return { file: join(outDir, fileName), remove: () => rm(outDir, { recursive: true, force: true }) };
}

/** The load client of today's sources: the one that was built, unless a source is newer. */
export async function bundleClient(): Promise<Bundle> {
  if (!isStale(CLIENT)) return { file: resolve(CLIENT), remove: () => Promise.resolve() };
  return bundled('src/benchmark/load/client/client-main.ts');
}
