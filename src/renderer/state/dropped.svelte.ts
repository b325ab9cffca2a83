import { MOST_DROPPED } from '../../shared/contract/requests/runs.ts';
import { request } from '../api.ts';
import { t } from '../texts.ts';
import { app, attempt, goHome, showResult } from './app.svelte.ts';
import { refreshPresets } from './presets.svelte.ts';
import { importDraft } from './wizard.svelte.ts';

/** Files that are dropped onto the window. They are read here, by the page: no path ever crosses to it. */
class DroppedState {
  /** A file is held over the window. */
  isOver = $state(false);
  /** What came of the last one, in words. */
  told = $state('');
}

export const dropped = new DroppedState();

/** Opens a file by what it is: a preset or a result. */
export async function openDropped(file: File): Promise<void> {
  dropped.told = '';
  if (/\.ya?ml$/i.test(file.name)) await openPreset(file);
  else if (/\.(whalemark|json)$/i.test(file.name)) await openResult(file);
  else dropped.told = t('drop.unknown', { name: file.name });
}

/** In the wizard it becomes the draft; anywhere else it is kept as one of the user's presets. */
async function openPreset(file: File): Promise<void> {
  const text = await file.text();
  if (app.screen === 'wizard') {
    importDraft(text, file.name);
    return;
  }
  goHome();
  await attempt(async () => {
    await request('presets:save', { text });
    await refreshPresets();
    dropped.told = t('drop.imported', { name: file.name });
  });
}

async function openResult(file: File): Promise<void> {
  if (file.size > MOST_DROPPED) {
    dropped.told = t('drop.large', { name: file.name });
    return;
  }
  await attempt(async () => {
    showResult(await request('results:open-text', { name: file.name, text: await file.text() }));
  });
}
