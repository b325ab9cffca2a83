import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Preset } from '../../shared/model/preset.ts';
import { referenceFileSchema, type PlanReference, type ReferenceFile } from '../../shared/model/reference.ts';

/** `<id>.json`; rejects with PRESET_INVALID if missing. */
export async function loadReference(id: string, directory: string): Promise<ReferenceFile> {
  try {
    return referenceFileSchema.parse(JSON.parse(await readFile(join(directory, `${id}.json`), 'utf8')));
  } catch (cause) {
    throw invalid(`there is no published experiment “${id}”`, 'reference.id', id, cause);
  }
}

/**
 * Null for a preset without a reference. Ratios are to the experiment's own baseline. Rejects with PRESET_INVALID for
 * an unknown experiment or cell.
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
