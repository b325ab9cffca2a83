import { baseOf } from '../../shared/compose/file-names.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../files/data-dir.ts';
import { writingAt } from '../files/failures.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { readResultView } from './read-result.ts';

const MOST_VIEWS = 4;

export class OpenedResults {
  /** Dropped results are stored here, since the page knows no path. */
  readonly #droppedDir: string;
  readonly #emptied: Promise<void>;
  readonly #paths = new Map<string, string>();
  readonly #views = new Map<string, RunView>();

  constructor(dataDir: string) {
    this.#droppedDir = join(dataDir, 'dropped');
    this.#emptied = rm(this.#droppedDir, { recursive: true, force: true }).catch(() => undefined);
  }

  async view(runId: string): Promise<RunView | undefined> {
    const path = this.path(runId);
    return path === undefined ? undefined : (this.#views.get(runId) ?? this.openFile(path));
  }

  path(runId: string): string | undefined {
    return this.#paths.get(runId);
  }

  forget(runId: string): void {
    this.#paths.delete(runId);
    this.#views.delete(runId);
  }

  async openFile(path: string, name = baseOf(path)): Promise<RunView> {
    const { view } = await readResultView(path, name);
    this.#paths.set(view.runId, path);
    this.#views.delete(view.runId);
    this.#views.set(view.runId, view);
    const [oldest] = this.#views.keys();
    if (this.#views.size > MOST_VIEWS && oldest !== undefined) this.#views.delete(oldest);
    return view;
  }

  async openText(text: string, name: string): Promise<RunView> {
    await this.#emptied;
    const path = join(this.#droppedDir, `${randomUUID()}.whalemark`);
    await writingAt(this.#droppedDir, 'DATA_FOLDER_UNWRITABLE', async () => {
      await mkdir(this.#droppedDir, PRIVATE_FOLDER);
      await writeFile(path, text, { mode: PRIVATE_FILE });
    });
    try {
      return await this.openFile(path, name);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }
}
