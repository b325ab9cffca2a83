import type { PresetSummary } from '../shared/model/preset-summary.ts';

/** How presets are laid out on the home screen, in this order. */
const PRESET_GROUPS = ['start', 'storage', 'network', 'published', 'yours'] as const;
export type PresetGroup = (typeof PRESET_GROUPS)[number];

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
