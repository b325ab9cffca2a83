import { basename } from 'node:path';
import type { Said } from '../../shared/message.ts';
import { BenchmarkError, errorMessage, toErrorData } from '../../shared/errors.ts';
import type { PresetProblem, PresetSummary } from '../../shared/model/preset.ts';
import type { Core } from '../../shared/contract/ipc.ts';
import { writeExport } from '../report/export.ts';
import { presetId, readPreset } from '../presets/preset-file.ts';
import type { PresetEntry, PresetStore } from '../presets/preset-store.ts';
import { loadReference } from '../plan/reference.ts';

const THE_DIALOG_ASKED = { overwrite: true };

export function presetHandlers(store: PresetStore, referenceDir: string) {
  return {
    'presets:list': async () =>
      Promise.all((await store.list()).map((entry) => summaryOf(entry, referenceDir))),
    'presets:text': async ({ id }) => ({ text: await store.text(id) }),
    'presets:check': async ({ id, text }) => {
      const problems = await problemsOf(text, id ?? 'preset');
      return problems.length > 0 ? problems : clashesOf(text, id, await store.list());
    },
    'presets:save': async ({ id, text }) => ({ id: (await store.save(text, id)).id }),
    'presets:duplicate': async ({ id }) => {
      const taken = (await store.list()).map((entry) => entry.id);
      return { id: (await store.duplicate(id, freeId(id, taken))).id };
    },
    'presets:delete': async ({ id }) => {
      await store.remove(id);
      return undefined;
    },
    'presets:import': async ({ path }) => ({ id: (await store.importFile(path)).id }),
    'presets:export': async ({ id, path }) => {
      await writeExport(path, Buffer.from(await store.text(id), 'utf8'), THE_DIALOG_ASKED);
      return { fileName: basename(path) };
    },
  } satisfies Partial<Core>;
}

async function summaryOf(entry: PresetEntry, referenceDir: string): Promise<PresetSummary> {
  const { id, builtIn } = entry;
  if (entry.preset === null) {
    const error = entry.error.toData();
    return { id, name: entry.fileName, question: '', builtIn, reference: null, hasSmall: false, error };
  }
  const { name, question, reference, small } = entry.preset;
  const common = { id, name, question, builtIn, hasSmall: small !== undefined };
  if (reference === undefined) return { ...common, reference: null };
  try {
    const { title, source, date } = await loadReference(reference.id, referenceDir);
    return { ...common, reference: { title, source, date } };
  } catch (error) {
    return { ...common, reference: null, error: toErrorData(error) };
  }
}

async function problemsOf(text: string, name: string): Promise<PresetProblem[]> {
  try {
    await readPreset(text, name);
    return [];
  } catch (error) {
    return toErrorData(error).evidence.map(problemOf);
  }
}

function problemOf(said: Said): PresetProblem {
  if (typeof said === 'string' || said.code !== 'preset.line') return { line: null, problem: said };
  const { line = 1, problem = said } = said.params;
  return { line: Number(line), problem: typeof problem === 'number' ? said : problem };
}

function clashesOf(text: string, edited: string | undefined, entries: PresetEntry[]): PresetProblem[] {
  const id = presetId(text, edited ?? 'preset');
  const other = entries.find((entry) => entry.id === id && (entry.builtIn || id !== edited));
  if (other === undefined) return [];
  const clash = new BenchmarkError(other.builtIn ? 'PRESET_BUILT_IN' : 'PRESET_EXISTS', { id });
  const line = text.split('\n').findIndex((one) => /^id\s*:/.test(one)) + 1;
  return [{ line: line === 0 ? null : line, problem: errorMessage(clash.toData()) }];
}

function freeId(id: string, taken: string[]): string {
  const stem = `${id.replace(/-copy(-\d+)?$/, '')}-copy`;
  for (let count = 2, free = stem; ; count++) {
    if (!taken.includes(free)) return free;
    free = `${stem}-${count}`;
  }
}
