import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { licenceSchema, type Licence } from '../../shared/model/licences.ts';

/** From the build (scripts/build/licences.mjs), by name. Rejects if missing. */
export async function readLicences(assetsDir: string): Promise<Licence[]> {
  const text = await readFile(join(assetsDir, 'licences.json'), 'utf8');
  return z.array(licenceSchema).parse(JSON.parse(text));
}
