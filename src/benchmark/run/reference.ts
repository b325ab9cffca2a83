import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Preset } from '../../shared/model/preset.ts';
import { referenceFileSchema, type PlanReference, type ReferenceFile } from '../../shared/model/reference.ts';

/** A published experiment by its id. */
export async function loadReference(id: string, directory: string): Promise<ReferenceFile> {
  return referenceFileSchema.parse(JSON.parse(await readFile(join(directory, `${id}.json`), 'utf8')));
}

/** The published numbers of the scenarios that run. */
export function planReference(
  _preset: Preset,
  _scenarioIds: string[],
  { cells: _, ...file }: ReferenceFile,
): PlanReference {
  return { ...file, cells: [] };
}
