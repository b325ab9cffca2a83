import { baseOf } from '../../shared/compose/file-names.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../files/data-dir.ts';
import { writingAt } from '../files/failures.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { NamedRun } from '../../shared/words/compare-wording.ts';
import { readResultFile } from './read-result.ts';
import { foundResult, readResultFolder } from './result-folder.ts';

export class OpenedResults {
  /** The page has no paths of dropped results. */
  readonly #droppedDir: string;
  readonly #emptied: Promise<void>;
  readonly #paths = new Map<string, string>();

  constructor(dataDir: string) {
    this.#droppedDir = join(dataDir, 'dropped');
    this.#emptied = rm(this.#droppedDir, { recursive: true, force: true }).catch(() => undefined);
  }

  path(runId: string): string | undefined {
    return this.#paths.get(runId);
  }

  forget(runId: string): void {
    this.#paths.delete(runId);
  }

  async openFile(path: string, name = baseOf(path)): Promise<RunState> {
    const state = await readResultFile(path, name);
    this.#paths.set(state.runId, path);
    return state;
  }

  /** The caller gets no paths. */
  async add(from: 'file' | 'folder', path: string): Promise<{ results: NamedRun[]; unread: string[] }> {
    const { results, unread } =
      from === 'folder'
        ? await readResultFolder(path)
        : { results: [foundResult(path, await this.openFile(path))], unread: [] };
    return { results: results.map(({ name, run }) => ({ name, run })), unread };
  }

  async openText(text: string, name: string): Promise<RunState> {
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
