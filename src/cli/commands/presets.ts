import { join } from 'node:path';
import { englishOf } from '../../shared/message.ts';
import { writeExport } from '../../benchmark/report/export.ts';
import { loadReference } from '../../benchmark/plan/reference.ts';
import { EXIT } from '../exit-codes.ts';
import { whalemark } from '../installation.ts';
import type { OutOptions } from '../run/out-folder.ts';
import type { JsonOption } from './results.ts';
import { note, print, printFile, printJson } from '../text/terminal.ts';

const store = whalemark.presets;

export async function showPreset(id: string): Promise<number> {
  printFile(await store.text(id));
  return EXIT.done;
}

export async function exportPreset(
  id: string,
  file: string,
  { force: overwrite = false }: OutOptions,
): Promise<number> {
  await writeExport(file, Buffer.from(await store.text(id)), { overwrite });
  note(`Saved: ${file}`);
  return EXIT.done;
}

export async function importPreset(file: string): Promise<number> {
  note(`Saved as ${(await store.importFile(file)).id}.`);
  return EXIT.done;
}

export async function duplicatePreset(id: string, newId: string): Promise<number> {
  note(`Saved as ${(await store.duplicate(id, newId)).id}.`);
  return EXIT.done;
}

export async function removePreset(id: string): Promise<number> {
  await store.remove(id);
  note(`Removed: ${id}`);
  return EXIT.done;
}

export async function listPresets({ json }: JsonOption): Promise<number> {
  const entries = await Promise.all(
    (await store.list()).map(async ({ id, builtIn, preset, error }) => {
      const referenceId = preset?.reference?.id;
      const reference =
        referenceId === undefined
          ? null
          : await loadReference(referenceId, join(whalemark.paths.assetsDir, 'reference')).catch(() => null);
      return {
        id,
        name: preset?.name ?? null,
        question: preset?.question ?? null,
        builtIn,
        small: preset?.small !== undefined,
        source: reference === null ? null : `${reference.source}, ${reference.date}`,
        error:
          error === null
            ? null
            : { code: error.code, message: error.message, evidence: error.evidence.map(englishOf) },
      };
    }),
  );
  if (json) {
    printJson(entries);
    return EXIT.done;
  }
  const width = Math.max(...entries.map(({ id }) => id.length));
  for (const { id, question, error, builtIn } of entries) {
    const text = `${question ?? ''}${builtIn ? '' : ' (yours)'}`;
    const problem =
      error === null ? text : `! ${[error.message, ...error.evidence.map(englishOf)].join(' ')}`;
    print(`${id.padEnd(width)}  ${problem}`);
  }
  return EXIT.done;
}
