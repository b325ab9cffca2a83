import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FOLDER } from '../data-dir.ts';
import { BenchmarkError, toErrorData } from '../../shared/errors.ts';
import type { RecentRun } from '../../shared/requests/results.ts';
import type { RunEvent } from '../../shared/model/events.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { reduceAll } from '../../shared/reduce.ts';
import { viewOf } from '../../shared/run-view.ts';
import { inTurns } from '../in-turns.ts';
import { isOwnerAlive } from '../runtime/labels.ts';
import { Journal, readJournal } from './journal.ts';
import { readResultFile, writeResultFile } from './stored-result.ts';
import { loadRecentRun, loadView, recentRunOf, saveView } from './view-file.ts';

const JOURNAL = 'journal.ndjson';
const RESULT = 'result.json';
const VIEW = 'view.ndjson';

/** The folder `runs/` of the data folder: one folder a run, with its journal and, when it has ended, its result. */
export class RunStore {
  readonly #root: string;

  constructor(dataDir: string) {
    this.#root = join(dataDir, 'runs');
  }

  /** A new run's id: sortable by time, unique on this machine. */
  static newRunId(now: Date, random: string): string {
    const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    return `${stamp}-${random}`;
  }

  resultPath(runId: string): string {
    return join(this.#root, runId, RESULT);
  }

  async startJournal(runId: string, owner: string): Promise<Journal> {
    await mkdir(join(this.#root, runId), PRIVATE_FOLDER);
    return Journal.create(join(this.#root, runId, JOURNAL), owner);
  }

  /** Writes the result beside the journal; a crash leaves the old file or the new one, never half of one. */
  async saveResult(state: RunState): Promise<string> {
    const path = this.resultPath(state.runId);
    await writeResultFile(`${path}.tmp`, state);
    await rename(`${path}.tmp`, path);
    await this.#keepView(viewOf(state));
    return path;
  }

  /** Rejects with RESULT_UNREADABLE or RESULT_TOO_NEW. */
  async load(runId: string): Promise<RunState> {
    return readResultFile(this.resultPath(runId), runId);
  }

  /** What the window shows of a result; only the first time it is made of the whole. Rejects as `load` does. */
  async loadView(runId: string): Promise<RunView> {
    const kept = await loadView(this.#viewPath(runId), this.resultPath(runId));
    if (kept !== undefined) return kept;
    const view = viewOf(await this.load(runId));
    if (view.runId === runId) await this.#keepView(view);
    return view;
  }

  #viewPath(runId: string): string {
    return join(this.#root, runId, VIEW);
  }

  /** Without it the result only opens more slowly. */
  async #keepView(view: RunView): Promise<void> {
    await saveView(this.#viewPath(view.runId), this.resultPath(view.runId), view).catch(() => undefined);
  }

  /** The newest runs first; what can't be read is left out. */
  async recent(limit: number): Promise<RecentRun[]> {
    const recent: RecentRun[] = [];
    for (const runId of (await this.#runIds()).reverse()) {
      if (recent.length >= limit) break;
      const run = await this.#recentRun(runId).catch(() => null);
      if (run !== null) recent.push({ ...run, runId });
    }
    return recent;
  }

  /** All finished runs, the newest first; what can't be read is left out. */
  async list(): Promise<RecentRun[]> {
    const runs = await inTurns((await this.#runIds()).reverse(), async (runId) => {
      const run = await this.#recentRun(runId).catch(() => null);
      return run === null ? [] : [{ ...run, runId }];
    });
    return runs.flat();
  }

  async #recentRun(runId: string): Promise<RecentRun | null> {
    const kept = await loadRecentRun(this.#viewPath(runId), this.resultPath(runId));
    return kept ?? recentRunOf(await this.loadView(runId));
  }

  /** Turns the journals of dead processes into results: what they measured is kept. Returns the runs it saved. */
  async recover(): Promise<string[]> {
    const recovered: string[] = [];
    for (const runId of await this.#runIds()) {
      const journal = await this.#orphan(runId);
      if (journal === undefined) continue;
      const last = journal.events.at(-1);
      const end: RunEvent[] =
        last?.type === 'run-finished'
          ? []
          : [
              {
                type: 'run-finished',
                at: last?.at ?? 0,
                outcome: 'failed',
                error: toErrorData(new BenchmarkError('CORE_LOST')),
              },
            ];
      const state = reduceAll([...journal.events, ...end]);
      if (state === undefined) continue;
      await this.saveResult(state);
      recovered.push(runId);
    }
    return recovered;
  }

  /** The journal of a run without a result whose process is dead. */
  async #orphan(runId: string): Promise<ReturnType<typeof readJournal>> {
    const names: string[] = await readdir(join(this.#root, runId)).catch(() => []);
    if (!names.includes(JOURNAL) || names.includes(RESULT)) return undefined;
    const journal = readJournal(await readFile(join(this.#root, runId, JOURNAL), 'utf8'));
    return journal !== undefined && isOwnerAlive(journal.owner) === 'dead' ? journal : undefined;
  }

  async #runIds(): Promise<string[]> {
    return (await readdir(this.#root).catch(() => [])).sort();
  }
}
