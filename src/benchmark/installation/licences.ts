import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { licenceSchema, type Licence } from '../../shared/model/licences.ts';

/** The list that the build put into the assets (scripts/build/licences.mjs), by name. Rejects when it is not there. */
export async function readLicences(assetsDir: string): Promise<Licence[]> {
  const text = await readFile(join(assetsDir, 'licences.json'), 'utf8');
  return z.array(licenceSchema).parse(JSON.parse(text));
}
