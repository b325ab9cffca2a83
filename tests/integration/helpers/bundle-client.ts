import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { nodeEntry } from '../../../scripts/build/node-entry.mjs';

/** The load client bundled from today's sources as the build does it, into a folder of its own. */
export async function bundleClient(): Promise<{ file: string; remove(): Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'whalemark-client-'));
  const fileName = 'client.cjs';
  await build(
    nodeEntry({ entry: 'src/benchmark/load/node/client-main.ts', outDir, fileName, target: 'node16' }),
  );
  return { file: join(outDir, fileName), remove: () => rm(outDir, { recursive: true, force: true }) };
}
