import type { PresetSummary } from '../../shared/model/preset-summary.ts';
import { presetIn } from '../../shared/words/plan-in-words.ts';
import { errorDataOf, request } from '../api.ts';
import { app, attempt } from './app.svelte.ts';
import { settings } from './settings.svelte.ts';

class PresetsState {
  #list = $state.raw<PresetSummary[] | undefined>();
  readonly #listShown = $derived(this.#list?.map((one) => presetIn(one, settings.language)));

  /** Undefined until read; built-in presets are named in the window's language. */
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

/** Returns the copy's id, or undefined after a failure. */
export async function duplicatePreset(id: string): Promise<string | undefined> {
  let copy: string | undefined;
  await attempt(async () => {
    copy = (await request('presets:duplicate', { id })).id;
    await refreshPresets();
  });
  return copy;
}

/** Groups of presets on the home screen, in this order. */
const PRESET_GROUPS = ['start', 'storage', 'network', 'published', 'yours'] as const;
type PresetGroup = (typeof PRESET_GROUPS)[number];

/**
 * What the built-in presets are about; those that are not named repeat a published experiment, or are for everybody.
 */
const ABOUT: Record<string, PresetGroup> = {
  'compare-my-setup': 'start',
  'mysql-vs-mariadb-vs-percona': 'start',
  'buffer-pool-sizes': 'storage',
  'nfs-vs-local': 'storage',
  'thread-ramp': 'network',
  'overlay-network': 'network',
};

function presetGroup({ id, builtIn, reference }: PresetSummary): PresetGroup {
  if (!builtIn) return 'yours';
  return ABOUT[id] ?? (reference === null ? 'start' : 'published');
}

/** The presets in their groups; groups without any are left out. */
export function groupedPresets(presets: PresetSummary[]): { group: PresetGroup; presets: PresetSummary[] }[] {
  return PRESET_GROUPS.map((group) => ({
    group,
    presets: presets.filter((preset) => presetGroup(preset) === group),
  })).filter((one) => one.presets.length > 0);
}
