import { readFile, rename, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { BenchmarkError } from '../../shared/errors.ts';
import { annotationsSchema, NO_ANNOTATIONS, type Annotations } from '../../shared/model/annotations.ts';
import { errnoOf } from '../errno.ts';
import { replaceFile } from '../files/replace-file.ts';
import { writingAt } from '../files/write-failure.ts';

const FORMAT = 'whalemark-annotations';
const VERSION = 1;

const fileSchema = annotationsSchema.extend({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
});
const newerSchema = z.object({ format: z.literal(FORMAT), version: z.number().gt(VERSION) });

/** What stands next to a result; nothing where there is no such file, or none that can be read. */
export async function readAnnotations(path: string): Promise<Annotations> {
  try {
    return annotationsSchema.parse(fileSchema.parse(await valueAt(path)));
  } catch {
    return NO_ANNOTATIONS;
  }
}

/**
 * Changes them; a crash leaves the old file or the new one. A file that is broken is kept as `.broken`. Rejects with
 * ANNOTATIONS_TOO_NEW, or with DATA_FOLDER_UNREADABLE when what is there can't be read; it stays as it is then.
 */
export async function changeAnnotations(
  path: string,
  change: (annotations: Annotations) => Annotations,
): Promise<Annotations> {
  const value = await writingAt(path, 'DATA_FOLDER_UNREADABLE', () => valueAt(path));
  const newer = newerSchema.safeParse(value);
  if (newer.success) throw new BenchmarkError('ANNOTATIONS_TOO_NEW', { path });
  const file = fileSchema.safeParse(value);
  if (!file.success && value !== undefined) await rename(path, `${path}.broken`);
  const annotations = change(file.success ? annotationsSchema.parse(file.data) : NO_ANNOTATIONS);
  const changed = { format: FORMAT, version: VERSION, ...annotations };
  await replaceFile(path, (draft) => writeFile(draft, `${JSON.stringify(changed, null, 2)}\n`));
  return annotations;
}

/** Undefined where there is no file, null for one that is not JSON. Rejects when it can't be read. */
async function valueAt(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
