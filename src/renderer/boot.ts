import { mount, unmount } from 'svelte';
import App from './App.svelte';
import { start } from './state/app.svelte.ts';
import { carryOut } from './state/commands.svelte.ts';
import { refreshPresets } from './state/presets.svelte.ts';
import { loadSettings } from './state/settings.svelte.ts';

export async function boot(target: HTMLElement): Promise<() => Promise<void>> {
  // The language is a setting.
  await loadSettings().catch(() => undefined);
  const app = mount(App, { target });
  void start(carryOut);
  void refreshPresets();
  return () => unmount(app);
}
