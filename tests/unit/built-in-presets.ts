import { PresetStore } from '../../src/benchmark/presets/preset-store.ts';
import type { Preset } from '../../src/shared/model/preset.ts';

const store = new PresetStore('presets', '/nowhere');

export const builtIn = (id: string): Promise<Preset> => store.find(id);

export async function builtInPresets(): Promise<Preset[]> {
  return (await store.list()).flatMap(({ preset }) => (preset === null ? [] : [preset]));
}
