import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Preset } from '../../shared/model/preset.ts';
import { referenceFileSchema, type PlanReference, type ReferenceFile } from '../../shared/model/reference.ts';

/** Reads a published experiment, `<id>.json` of `directory`. Rejects with PRESET_INVALID when there is none of that id. */
export async function loadReference(id: string, directory: string): Promise<ReferenceFile> {
  try {
    return referenceFileSchema.parse(JSON.parse(await readFile(join(directory, `${id}.json`), 'utf8')));
  } catch (cause) {
    throw invalid(`there is no published experiment “${id}”`, 'reference.id', id, cause);
  }
}

/**
 * The published numbers of the scenarios that are planned; null for a preset without a reference. Each ratio is the
 * cell's TPS to the TPS of the cell that the experiment itself compares it with. Rejects with PRESET_INVALID, naming
 * the field, when the experiment or one of its cells does not exist.
 */
export async function planReference(
  preset: Pick<Preset, 'id' | 'reference'>,
  scenarioIds: string[],
  directory: string,
): Promise<PlanReference | null> {
  if (preset.reference === undefined) return null;
  const { cells, ...file } = await loadReference(preset.reference.id, directory);
  const cellOf = (id: string, field: string): ReferenceFile['cells'][number] => {
    const cell = cells.find((one) => one.id === id);
    if (cell !== undefined) return cell;
    const known = cells.map((one) => one.id).join(', ');
    throw invalid(`“${file.id}” has no cell “${id}”; known: ${known}`, field, preset.id);
  };
  const found = Object.entries(preset.reference.cells).map(([scenarioId, cellId]) => {
    const field = `reference.cells.${scenarioId}`;
    const { label, tps, baseline } = cellOf(cellId, field);
    return { scenarioId, label, tps, ratio: tps / cellOf(baseline, field).tps };
  });
  return { ...file, cells: found.filter(({ scenarioId }) => scenarioIds.includes(scenarioId)) };
}

function invalid(problem: string, field: string, name: string, cause?: unknown): BenchmarkError {
  return new BenchmarkError(
    'PRESET_INVALID',
    { name, count: '1' },
    { evidence: [`${field}: ${problem}`], ...(cause === undefined ? {} : { cause }) },
  );
}
