import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { annotationsSchema, NO_ANNOTATIONS, type Annotations } from '../../shared/model/annotations.ts';
import { replaceFile } from '../files/replace-file.ts';

const FORMAT = 'whalemark-annotations';
const VERSION = 1;

const fileSchema = annotationsSchema.extend({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
});

/** What stands beside a result; nothing where there is no such file, or none that can be read. */
export async function readAnnotations(path: string): Promise<Annotations> {
  try {
    const { title, tags, note, shared } = fileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    return { title, tags, note, shared };
  } catch {
    return NO_ANNOTATIONS;
  }
}

/** A crash leaves the old file or the new one, never half of one. */
export async function writeAnnotations(path: string, annotations: Annotations): Promise<void> {
  const file = { format: FORMAT, version: VERSION, ...annotations };
  await replaceFile(path, (draft) => writeFile(draft, `${JSON.stringify(file, null, 2)}\n`));
}
