import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import {
  type Annotations,
  annotationsSchema,
  type HistoryEntry,
  type HistoryPage,
  NO_ANNOTATIONS,
} from '../../shared/model/history-entry.ts';
import { replaceFile } from '../files/replace-file.ts';
import { isStoredId, KEPT_RESULT, type RunStore } from './run-store.ts';
import * as z from 'zod';
import { ifThere } from '../files/failures.ts';
import { jsonOf } from '../files/json.ts';

const ANNOTATIONS = 'annotations.json';

type AnnotationsChange = { [K in keyof Annotations]?: Annotations[K] | undefined };

export class HistoryStore {
  readonly #runsDir: string;
  #lastPage: Promise<unknown> = Promise.resolve();

  constructor(
    dataDir: string,
    private readonly runs: RunStore,
  ) {
    this.#runsDir = join(dataDir, 'runs');
  }

  async list(): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    for (let before: string | null = null; ;) {
      const page: HistoryPage = await this.page(before);
      entries.push(...page.entries);
      if (page.next === null) return entries.sort((a, b) => b.startedAt - a.startedAt);
      before = page.next;
    }
  }

  /** Newest runs come first. */
  page(before: string | null): Promise<HistoryPage> {
    const page = this.#lastPage.then(() => this.#page(before));
    this.#lastPage = page.catch(() => undefined);
    return page;
  }

  async #page(before: string | null): Promise<HistoryPage> {
    const { runs, next } = await this.runs.page(before);
    const entries: HistoryEntry[] = [];
    for (const run of runs) entries.push({ ...run, annotations: await this.annotations(run.runId) });
    return { entries, next };
  }

  async has(id: string): Promise<boolean> {
    return isStoredId(id) && this.runs.has(id);
  }

  async annotations(id: string): Promise<Annotations> {
    return isStoredId(id) ? readAnnotations(this.#annotationsPath(id)) : NO_ANNOTATIONS;
  }

  async annotate(id: string, change: AnnotationsChange): Promise<Annotations> {
    await this.#require(id);
    const known = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return changeAnnotations(this.#annotationsPath(id), (before) => ({ ...before, ...known }));
  }

  async folderOf(id: string): Promise<string> {
    await this.#require(id);
    await this.runs.requireFree(id);
    return join(this.#runsDir, id);
  }

  async remove(id: string): Promise<void> {
    await rm(await this.folderOf(id), { recursive: true, force: true });
  }

  /** An existing result stays. */
  async keep(id: string, path: string): Promise<void> {
    if (!isStoredId(id)) throw missing(id);
    if (await this.has(id)) return;
    await mkdir(join(this.#runsDir, id), PRIVATE_FOLDER);
    await replaceFile(join(this.#runsDir, id, KEPT_RESULT), await readFile(path));
    await this.annotate(id, { shared: true });
  }

  async #require(id: string): Promise<void> {
    if (!(await this.has(id))) throw missing(id);
  }

  #annotationsPath(id: string): string {
    return join(this.#runsDir, id, ANNOTATIONS);
  }
}

function missing(id: string): BenchmarkError {
  return new BenchmarkError('RESULT_UNREADABLE', { name: id, reason: 'it is not in the history' });
}

const FORMAT = 'whalemark-annotations';
const VERSION = 1;

const fileSchema = annotationsSchema.extend({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
});
const newerSchema = z.object({ format: z.literal(FORMAT), version: z.number().gt(VERSION) });

export async function readAnnotations(path: string): Promise<Annotations> {
  try {
    return annotationsSchema.parse(fileSchema.parse(JSON.parse(await readFile(path, 'utf8'))));
  } catch {
    return NO_ANNOTATIONS;
  }
}

/** A broken file is kept as `.broken`; one of a later version stays. */
export async function changeAnnotations(
  path: string,
  change: (annotations: Annotations) => Annotations,
): Promise<Annotations> {
  const text = await ifThere(path, (at) => readFile(at, 'utf8'));
  const value = jsonOf(text);
  const newer = newerSchema.safeParse(value);
  if (newer.success) throw new BenchmarkError('ANNOTATIONS_TOO_NEW', { path });
  const file = fileSchema.safeParse(value);
  if (!file.success && text !== undefined) await rename(path, `${path}.broken`);
  const annotations = change(file.success ? annotationsSchema.parse(file.data) : NO_ANNOTATIONS);
  const changed = { format: FORMAT, version: VERSION, ...annotations };
  await replaceFile(path, `${JSON.stringify(changed, null, 2)}\n`);
  return annotations;
}
