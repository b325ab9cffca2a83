import type { PresetSummary } from '../../shared/model/preset-summary.ts';
import { presetIn } from '../../shared/words/plan-in-words.ts';
import { errorDataOf, request } from '../api.ts';
import { app, attempt } from './app.svelte.ts';
import { settings } from './settings.svelte.ts';

class PresetsState {
  #list = $state.raw<PresetSummary[] | undefined>();
  readonly #listShown = $derived(this.#list?.map((one) => presetIn(one, settings.language)));

  /** Undefined until they have been read; built-in ones are named in the window's language. */
  get list(): PresetSummary[] | undefined {
    return this.#listShown;
  }
  set list(list: PresetSummary[] | undefined) {
    this.#list = list;
  }
}

export const presets = new PresetsState();

/** Reads the presets anew. */
export async function refreshPresets(): Promise<void> {
  try {
    presets.list = await request('presets:list', {});
  } catch (error) {
    app.error = errorDataOf(error);
    presets.list ??= [];
  }
}

/** Copies a preset; the answer is the copy's id, or undefined when that failed. */
export async function duplicatePreset(id: string): Promise<string | undefined> {
  let copy: string | undefined;
  await attempt(async () => {
    copy = (await request('presets:duplicate', { id })).id;
    await refreshPresets();
  });
  return copy;
}

/** Removes a preset of the user's own. */
export async function deletePreset(id: string): Promise<void> {
  await attempt(async () => {
    await request('presets:delete', { id });
    await refreshPresets();
  });
}

/** Lets the user choose a preset file and keeps it. */
export async function importPreset(): Promise<void> {
  await attempt(async () => {
    if ((await request('presets:import', {})) !== null) await refreshPresets();
  });
}

/** The name of the file that was written, or undefined. */
export async function exportPreset(id: string): Promise<string | undefined> {
  let fileName: string | undefined;
  await attempt(async () => {
    fileName = (await request('presets:export', { id }))?.fileName;
  });
  return fileName;
}
