import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../files/data-dir.ts';
import { writingAt } from '../files/failures.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { readResultFile, readResultView } from '../runs/result-process.ts';

/** A view of a long run takes many megabytes; more of them are read again when they are asked for. */
const MOST_VIEWS = 4;

/** Result files opened in this session, by run id, so that they can be exported and kept like ours. */
export class OpenedResults {
  /** What was dropped onto the window is a file of ours for this session: the page knows no path. */
  readonly #droppedDir: string;
  readonly #emptied: Promise<void>;
  readonly #paths = new Map<string, string>();
  /** Of the last ones. */
  readonly #views = new Map<string, RunView>();

  constructor(dataDir: string) {
    this.#droppedDir = join(dataDir, 'dropped');
    this.#emptied = rm(this.#droppedDir, { recursive: true, force: true }).catch(() => undefined);
  }

  /** Rejects with RESULT_UNREADABLE or RESULT_TOO_NEW where its file has changed since. */
  async view(runId: string): Promise<RunView | undefined> {
    const path = this.path(runId);
    return path === undefined ? undefined : (this.#views.get(runId) ?? this.openFile(path));
  }

  path(runId: string): string | undefined {
    return this.#paths.get(runId);
  }

  /** Whoever asks for this run gets what is kept of it here, if anything. */
  forget(runId: string): void {
    this.#paths.delete(runId);
    this.#views.delete(runId);
  }

  /** All of an opened result, read anew. Rejects with RESULT_UNREADABLE or RESULT_TOO_NEW. */
  async state(runId: string): Promise<RunState | undefined> {
    const path = this.path(runId);
    return path === undefined ? undefined : readResultFile(path, nameOf(path));
  }

  /** Reads a result file. Rejects with RESULT_UNREADABLE or RESULT_TOO_NEW, which name it `name`. */
  async openFile(path: string, name = nameOf(path)): Promise<RunView> {
    const view = await readResultView(path, name);
    this.#paths.set(view.runId, path);
    this.#views.delete(view.runId);
    this.#views.set(view.runId, view);
    const [oldest] = this.#views.keys();
    if (this.#views.size > MOST_VIEWS && oldest !== undefined) this.#views.delete(oldest);
    return view;
  }

  /** Reads a result's text. Rejects as `openFile` does, or with DATA_FOLDER_UNWRITABLE. */
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

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
