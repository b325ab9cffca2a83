import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { namesIn } from '../../files/failures.ts';
import * as z from 'zod';
import { workloadSchema } from '../../../shared/model/workload.ts';
import { PRIVATE_FOLDER } from '../../files/data-dir.ts';
import { machineId } from '../../owners/owner.ts';
import { jsonOf } from '../../files/json.ts';
import { replaceFile } from '../../files/replace-file.ts';

const SUFFIX = '.json';

const recordSchema = z.object({
  format: z.literal('whalemark-dataset'),
  version: z.literal(1),
  volume: z.string(),
  key: z.string(),
  runtimeId: z.string(),
  datadir: z.string(),
  fingerprint: z.string(),
  bytes: z.number(),
  source: z.object({ image: z.string(), workload: workloadSchema }),
  account: z.object({ user: z.string(), password: z.string(), database: z.string() }),
  /** Milliseconds since 1970. */
  lastUsedAt: z.number(),
});
export type DatasetRecord = z.infer<typeof recordSchema>;
export type DatasetSource = DatasetRecord['source'];

export class DatasetRecords {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async all(): Promise<DatasetRecord[]> {
    const names = await namesIn(this.#directory);
    const records = await Promise.all(
      names
        .filter((name) => name.endsWith(SUFFIX))
        .map(async (name) => {
          const text = await readFile(join(this.#directory, name), 'utf8').catch(() => '');
          return recordSchema.safeParse(jsonOf(text)).data;
        }),
    );
    return records
      .filter((record) => record !== undefined)
      .sort((a, b) => b.lastUsedAt - a.lastUsedAt || a.volume.localeCompare(b.volume));
  }

  async write(record: DatasetRecord): Promise<void> {
    await mkdir(this.#directory, PRIVATE_FOLDER);
    await replaceFile(this.#path(record.volume), `${JSON.stringify(record)}\n`);
  }

  async remove(volume: string): Promise<void> {
    await rm(this.#path(volume), { force: true });
  }

  #path(volume: string): string {
    return join(this.#directory, `${volume}${SUFFIX}`);
  }
}

export function homeId(directory: string): string {
  return createHash('sha256')
    .update(`${machineId()}\0${resolve(directory)}`)
    .digest('hex')
    .slice(0, 12);
}
