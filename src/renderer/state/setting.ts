import type { Settings } from '../../shared/model/settings.ts';
import { attempt } from './app.svelte.ts';
import { changeSettings, settings } from './settings.svelte.ts';

/** One of the settings, for a field to be bound to: shows what is saved, saves what is chosen, and says why it can't. */
export function setting<K extends keyof Settings>(name: K): { value: Settings[K] } {
  return {
    get value() {
      return settings.current[name];
    },
    set value(chosen) {
      const change: Partial<Settings> = {};
      change[name] = chosen;
      void attempt(() => changeSettings(change));
    },
  };
}
