import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import { nodeEntry } from '../../../scripts/build/node-entry.mjs';
import { onlyOurs } from '../../../scripts/build/only-ours.mjs';
import { newFolder } from '../../helpers/folders.ts';

describe('what ships', () => {
  const made = (entry: string): Promise<unknown> =>
    build({
      ...nodeEntry({ entry, outDir: newFolder(), fileName: 'part.cjs', target: 'node16' }),
      logLevel: 'silent',
      plugins: [onlyOurs()],
    });

  it.each(['scripts/dev/app/protocol.ts', 'tests/fake/core-entry.ts'])(
    'is not built with %s in it',
    async (entry) => {
      await expect(made(entry)).rejects.toThrow(/is not part of the product/);
    },
  );

  it('is built of the sources and of packages', async () => {
    await expect(made('src/preload/preload.ts')).resolves.toBeDefined();
  });
});
