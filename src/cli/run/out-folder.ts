import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { writingAt } from '../../benchmark/files/write-failure.ts';

/**
 * Makes the folder of `--out`. One that can't be written is found out before the run, not after it. Rejects with
 * EXPORT_FAILED.
 */
export async function makeOutFolder(path: string): Promise<void> {
  await writingAt(path, 'EXPORT_FAILED', async () => {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  });
}
