import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import { isNamed, type Preset } from '../../shared/model/preset.ts';
import type { Scenario } from '../../shared/model/plan.ts';
import {
  PUBLISHED_MEASURES,
  type PublishedMeasure,
  referenceFileSchema,
  type PlanReference,
  type ReferenceFile,
} from '../../shared/model/reference.ts';

/** Rejects with PRESET_INVALID if `<id>.json` is missing. */
export async function loadReference(id: string, directory: string): Promise<ReferenceFile> {
  try {
    return referenceFileSchema.parse(JSON.parse(await readFile(join(directory, `${id}.json`), 'utf8')));
  } catch (cause) {
    throw invalid(`there is no published experiment “${id}”`, 'reference.id', id, cause);
  }
}

/**
 * Ratios are to the experiment's baseline; null: no reference. Figures of unplanned paths are at scenarios
 * that the preset names. Rejects with PRESET_INVALID for an unknown experiment or cell.
 */
export async function planReference(
  preset: Pick<Preset, 'id' | 'reference'>,
  scenarios: readonly Planned[],
  directory: string,
): Promise<PlanReference | null> {
  if (preset.reference === undefined) return null;
  const file = await loadReference(preset.reference.id, directory);
  const { cells, claims, seconds, id, title, source, url, date, hardware, software, workload } = file;
  const cellOf = (id: string, field: string): Published => {
    const cell = cells.find((one) => one.id === id);
    if (cell !== undefined) return cell;
    const known = cells.map((one) => one.id).join(', ');
    throw invalid(`“${file.id}” has no cell “${id}”; known: ${known}`, field, preset.id);
  };
  const mapped = Object.entries(preset.reference.cells).flatMap(([scenarioId, cellId]) => {
    const cell = cellOf(cellId, `reference.cells.${scenarioId}`);
    const own = scenarios.filter((one) => isNamed(one, scenarioId));
    return own.map((scenario) => ({ scenario, cell, isExact: scenario.path === cell.path }));
  });
  const exact = new Set(mapped.flatMap(({ cell, isExact }) => (isExact ? [cell.id] : [])));
  const shown = mapped.filter(({ cell, isExact }) => isExact || !exact.has(cell.id));
  const named = new Set(Object.values(preset.reference.cells));
  const of = (cellId: string): Planned[] =>
    shown.flatMap(({ cell, scenario }) => (cell.id === cellId ? [scenario] : []));
  return {
    ...{ id, title, source, url, date, hardware, software, workload },
    cells: shown.map(({ scenario, cell, isExact }) => {
      const base = cellOf(cell.baseline, `reference.cells.${scenario.id}`);
      return {
        scenarioId: scenario.id,
        label: cell.label,
        otherPath: isExact ? null : cell.path,
        tps: cell.tps,
        ratio: cell.tps / base.tps,
        figures: figuresOf(cell, base, seconds),
      };
    }),
    claims: claims
      .filter((claim) => [...claim.of, ...claim.against].every((id) => named.has(id)))
      .map(({ of: levels, against, ...claim }) => ({
        ...claim,
        pairs: levels.flatMap((level, index) =>
          of(level).flatMap(({ id: scenarioId, loadGenerator }) =>
            of(against[index] ?? '').flatMap((other) =>
              other.loadGenerator === loadGenerator ? [{ scenarioId, referenceId: other.id }] : [],
            ),
          ),
        ),
      })),
  };
}

type Published = ReferenceFile['cells'][number];
type Planned = Pick<Scenario, 'id' | 'baseId' | 'path' | 'loadGenerator'>;

function figuresOf(
  cell: Published,
  base: Published,
  seconds: number,
): PlanReference['cells'][number]['figures'] {
  const valueOf = (measure: PublishedMeasure, one: Published): number | undefined => {
    if (measure !== 'deadlocksPerMinute') return one[measure];
    return one.deadlocks === undefined ? undefined : (one.deadlocks * 60) / seconds;
  };
  return PUBLISHED_MEASURES.flatMap((measure) => {
    const [value, of] = [valueOf(measure, cell), valueOf(measure, base)];
    if (measure === 'tps' || value === undefined || of === undefined) return [];
    return [{ measure, value, ratio: value / of }];
  });
}

function invalid(problem: string, field: string, name: string, cause?: unknown): BenchmarkError {
  return new BenchmarkError(
    'PRESET_INVALID',
    { name, count: '1' },
    { evidence: [`${field}: ${problem}`], ...(cause === undefined ? {} : { cause }) },
  );
}
