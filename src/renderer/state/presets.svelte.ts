import type { PresetSummary } from '../../shared/model/preset.ts';
import { presetIn } from '../../shared/words/plan-in-words.ts';
import { errorDataOf, request } from '../api.ts';
import { app, attempt } from './app.svelte.ts';
import { settings } from './settings.svelte.ts';

class PresetsState {
  #list = $state.raw<PresetSummary[] | undefined>();
  readonly #listShown = $derived(this.#list?.map((one) => presetIn(one, settings.language)));

  get list(): PresetSummary[] | undefined {
    return this.#listShown;
  }
  set list(list: PresetSummary[] | undefined) {
    this.#list = list;
  }
}

export const presets = new PresetsState();

export async function refreshPresets(): Promise<void> {
  try {
    presets.list = await request('presets:list', {});
  } catch (error) {
    app.error = errorDataOf(error);
    presets.list ??= [];
  }
}

export async function duplicatePreset(id: string): Promise<string | undefined> {
  let copy: string | undefined;
  await attempt(async () => {
    copy = (await request('presets:duplicate', { id })).id;
    await refreshPresets();
  });
  return copy;
}
