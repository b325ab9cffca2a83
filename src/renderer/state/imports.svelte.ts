import type { ImportedFile } from '../../shared/model/imported.ts';
import { request } from '../api.ts';
import { attempt, goTo, refreshRecent } from './app.svelte.ts';

class ImportsState {
  shown = $state.raw<ImportedFile | undefined>();
  isReading = $state(false);
  text = $state('');
  name = $state('');
}

export const imports = new ImportsState();

export async function importText(name: string): Promise<void> {
  await reading(async () => {
    const imported = await request('imports:parse-and-store', { text: imports.text, name });
    imports.text = '';
    imports.name = '';
    show(imported);
  });
}

export async function importFile(): Promise<void> {
  await reading(async () => {
    const imported = await request('imports:open-file', {});
    if (imported !== null) show(imported);
  });
}

export async function loadImport(importId: string): Promise<void> {
  await reading(async () => show(await request('imports:load', { importId })));
}

function show(imported: ImportedFile): void {
  imports.shown = imported;
  goTo('import');
  void refreshRecent();
}

async function reading(action: () => Promise<void>): Promise<void> {
  if (imports.isReading) return;
  imports.isReading = true;
  await attempt(action);
  imports.isReading = false;
}
