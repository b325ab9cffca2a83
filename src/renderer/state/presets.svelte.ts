import type { PresetProblem, PresetSummary } from '../../shared/model/preset-summary.ts';
import { presetIn } from '../../shared/words/plan-in-words.ts';
import { errorDataOf, request } from '../api.ts';
import { app, attempt, goTo } from './app.svelte.ts';
import { settings } from './settings.svelte.ts';

/** Typing stops this long before the text is checked. */
const CHECK_AFTER_MS = 250;

/** The text of a preset while it is edited. */
interface Draft {
  /** Of the preset that is edited; its text may give it another one. */
  id: string;
  saved: string;
  text: string;
}

class PresetsState {
  #list = $state.raw<PresetSummary[] | undefined>();
  readonly #listShown = $derived(this.#list?.map((one) => presetIn(one, settings.language)));
  draft = $state.raw<Draft | undefined>();
  problems = $state.raw<PresetProblem[]>([]);
  isChecking = $state(false);
  isSaved = $state(false);

  /** Undefined until they have been read; built-in ones are named in the window's language. */
  get list(): PresetSummary[] | undefined {
    return this.#listShown;
  }
  set list(list: PresetSummary[] | undefined) {
    this.#list = list;
  }
  readonly isDirty = $derived(this.draft !== undefined && this.draft.text !== this.draft.saved);
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

/** Removes a preset of the user's own, and what was being edited of it. */
export async function deletePreset(id: string): Promise<void> {
  await attempt(async () => {
    await request('presets:delete', { id });
    if (presets.draft?.id === id) presets.draft = undefined;
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

/** Opens a preset's text; changes that were left unsaved are still there. */
export async function editPreset(id: string): Promise<void> {
  await attempt(async () => {
    if (presets.draft?.id !== id || !presets.isDirty) {
      const { text } = await request('presets:text', { id });
      presets.draft = { id, saved: text, text };
    }
    presets.isSaved = false;
    goTo('preset');
  });
  await check();
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Takes what was typed and checks it when typing stops. */
export function typePreset(text: string): void {
  if (presets.draft === undefined) return;
  presets.draft = { ...presets.draft, text };
  presets.isSaved = false;
  presets.isChecking = true;
  clearTimeout(timer);
  timer = setTimeout(() => void check(), CHECK_AFTER_MS);
}

async function check(): Promise<void> {
  const asked = presets.draft;
  if (asked === undefined) return;
  try {
    const problems = await request('presets:check', { id: asked.id, text: asked.text });
    if (asked === presets.draft) presets.problems = problems;
  } catch (error) {
    if (asked === presets.draft) app.error = errorDataOf(error);
  }
  if (asked === presets.draft) presets.isChecking = false;
}

/** Saves what was typed. */
export async function savePreset(): Promise<void> {
  const { draft } = presets;
  if (draft === undefined) return;
  await attempt(async () => {
    const { id } = await request('presets:save', { id: draft.id, text: draft.text });
    presets.draft = { id, saved: draft.text, text: presets.draft?.text ?? draft.text };
    presets.isSaved = !presets.isDirty;
    await refreshPresets();
  });
}

/** Back to what is saved. */
export async function revertPreset(): Promise<void> {
  if (presets.draft === undefined) return;
  presets.draft = { ...presets.draft, text: presets.draft.saved };
  await check();
}
