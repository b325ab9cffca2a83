import { constants } from 'node:fs';
import { access, copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { NO_ANNOTATIONS, type Annotations } from '../../shared/model/annotations.ts';
import { entryId, entryTime, type HistoryEntry } from '../../shared/model/history-entry.ts';
import type { ImportStore } from '../import/import-store.ts';
import { inTurns } from '../files/in-turns.ts';
import { replaceFile } from '../files/replace-file.ts';
import { isStoredId, type RunStore } from '../runs/run-store.ts';
import { changeAnnotations, readAnnotations } from './annotations-file.ts';

const RESULT = 'result.json';
const ANNOTATIONS = 'annotations.json';

/** A change of what people write; what it doesn't name stays. */
export type AnnotationsChange = { [K in keyof Annotations]?: Annotations[K] | undefined };

/**
 * All results of the data folder with what people wrote beside them. What is deleted is moved to the folder `trash/`
 * beside `runs/`, until it is purged.
 */
export class HistoryStore {
  readonly #runsDir: string;
  readonly #trashDir: string;
  readonly #runs: RunStore;
  readonly #imports: ImportStore;

  constructor(dataDir: string, runs: RunStore, imports: ImportStore) {
    this.#runsDir = join(dataDir, 'runs');
    this.#trashDir = join(dataDir, 'trash');
    this.#runs = runs;
    this.#imports = imports;
  }

  /** The latest first. */
  async list(): Promise<HistoryEntry[]> {
    const [runs, imports] = await Promise.all([this.#runs.list(), this.#imports.recent(Infinity)]);
    const entries = await inTurns(
      [
        ...runs.map((run) => ({ kind: 'run' as const, ...run })),
        ...imports.map(({ id, ...rest }) => ({ kind: 'import' as const, importId: id, ...rest })),
      ],
      async (entry): Promise<HistoryEntry> => ({
        ...entry,
        annotations: await this.annotations(entryId(entry)),
      }),
    );
    return entries.sort((a, b) => entryTime(b) - entryTime(a));
  }

  /** True for a finished run or an import of the data folder. */
  async has(id: string): Promise<boolean> {
    return isStoredId(id) && (await exists(this.#isImport(id) ? this.#imports.path(id) : this.#result(id)));
  }

  async annotations(id: string): Promise<Annotations> {
    return isStoredId(id) ? readAnnotations(this.#annotationsPath(id)) : NO_ANNOTATIONS;
  }

  /** Changes what stands beside a result. Rejects with RESULT_UNREADABLE when there is no such result, and as `changeAnnotations` does. */
  async annotate(id: string, change: AnnotationsChange): Promise<Annotations> {
    await this.#require(id);
    const known = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return changeAnnotations(this.#annotationsPath(id), (before) => {
      const changed: Annotations = { ...before, ...known };
      return { ...changed, tags: [...new Set(changed.tags)] };
    });
  }

  /** Puts a result aside. Rejects with RESULT_UNREADABLE when there is none, with BUSY or RUN_LOCKED while its run goes on. */
  async remove(id: string): Promise<void> {
    await this.#require(id);
    if (!this.#isImport(id)) await this.#runs.requireFree(id);
    await rm(this.#trashed(id), { recursive: true, force: true });
    await mkdir(this.#trashed(id), PRIVATE_FOLDER);
    await this.#move(id, this.#runsDir, this.#trashed(id));
  }

  /** Puts it back. Rejects with RESULT_UNREADABLE when it has been purged meanwhile. */
  async restore(id: string): Promise<void> {
    if (!isStoredId(id) || !(await exists(this.#trashed(id)))) throw missing(id);
    await this.#move(id, this.#trashed(id), this.#runsDir);
    await rm(this.#trashed(id), { recursive: true, force: true });
  }

  /** Removes what was put aside for good; without an id all of it. */
  async purge(id?: string): Promise<void> {
    if (id !== undefined && !isStoredId(id)) return;
    await rm(id === undefined ? this.#trashDir : this.#trashed(id), { recursive: true, force: true });
  }

  /** Copies somebody else's result file into the history. One that is there already stays as it is. */
  async keep(id: string, path: string): Promise<void> {
    // The id comes out of a file that anybody may have written.
    if (!isStoredId(id) || this.#isImport(id)) throw missing(id);
    if (await this.has(id)) return;
    const target = this.#result(id);
    await mkdir(join(this.#runsDir, id), PRIVATE_FOLDER);
    await replaceFile(target, (draft) => copyFile(path, draft));
    await this.annotate(id, { shared: true });
  }

  async #require(id: string): Promise<void> {
    if (!(await this.has(id))) throw missing(id);
  }

  /** A run is a folder, an import one file with another one beside it. */
  async #move(id: string, from: string, to: string): Promise<void> {
    if (!this.#isImport(id)) return rename(join(from, id), join(to, id));
    const beside = `${id}.${ANNOTATIONS}`;
    if (await exists(join(from, beside))) await rename(join(from, beside), join(to, beside));
    return rename(join(from, `${id}.json`), join(to, `${id}.json`));
  }

  #isImport(id: string): boolean {
    return id.startsWith('import-');
  }

  #result(id: string): string {
    return join(this.#runsDir, id, RESULT);
  }

  #trashed(id: string): string {
    return join(this.#trashDir, id);
  }

  #annotationsPath(id: string): string {
    return this.#isImport(id)
      ? join(this.#runsDir, `${id}.${ANNOTATIONS}`)
      : join(this.#runsDir, id, ANNOTATIONS);
  }
}

function missing(id: string): BenchmarkError {
  return new BenchmarkError('RESULT_UNREADABLE', { name: id, reason: 'it is not in the history' });
}

function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}
