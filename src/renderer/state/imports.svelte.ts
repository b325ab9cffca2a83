import type { ImportedFile } from '../../shared/model/imported.ts';
import { request } from '../api.ts';
import { attempt, goTo, refreshRecent } from './app.svelte.ts';

class ImportsState {
  /** The import that is shown. */
  shown = $state.raw<ImportedFile | undefined>();
  isReading = $state(false);
  /** What was pasted and not imported yet. */
  text = $state('');
  name = $state('');
}

export const imports = new ImportsState();

/** Reads what was pasted. */
export async function importText(name: string): Promise<void> {
  await reading(async () => {
    const imported = await request('imports:parse-and-store', { text: imports.text, name });
    imports.text = '';
    imports.name = '';
    show(imported);
  });
}

/** Lets the user choose a file and reads it. */
export async function importFile(): Promise<void> {
  await reading(async () => {
    const imported = await request('imports:open-file', {});
    if (imported !== null) show(imported);
  });
}

/** Shows an import of the list. */
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
