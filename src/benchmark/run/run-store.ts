import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchmarkError, toErrorData } from '../../shared/errors.ts';
import type { RecentRun } from '../../shared/ipc.ts';
import type { RunEvent } from '../../shared/model/events.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { reduceAll } from '../../shared/reduce.ts';
import { parseResult, serialiseResult } from '../../shared/result-file.ts';
import { isOwnerAlive } from '../runtime/labels.ts';
import { Journal, readJournal } from './journal.ts';

const JOURNAL = 'journal.ndjson';
const RESULT = 'result.json';

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
    await mkdir(join(this.#root, runId), { recursive: true });
    return Journal.create(join(this.#root, runId, JOURNAL), owner);
  }

  /** Writes the result beside the journal; a crash leaves the old file or the new one, never half of one. */
  async saveResult(state: RunState): Promise<string> {
    const path = this.resultPath(state.runId);
    await writeFile(`${path}.tmp`, serialiseResult(state));
    await rename(`${path}.tmp`, path);
    return path;
  }

  /** Rejects with RESULT_UNREADABLE or RESULT_TOO_NEW. */
  async load(runId: string): Promise<RunState> {
    return readResultFile(this.resultPath(runId), runId);
  }

  /** The newest runs first; what can't be read is left out. */
  async recent(limit: number): Promise<RecentRun[]> {
    const recent: RecentRun[] = [];
    for (const runId of (await this.#runIds()).reverse()) {
      if (recent.length >= limit) break;
      const state = await this.load(runId).catch(() => undefined);
      if (state?.outcome === undefined || state.outcome === null) continue;
      recent.push({
        runId,
        name: state.plan.preset.name,
        startedAt: state.startedAt,
        outcome: state.outcome,
        scenarios: state.plan.scenarios.length,
      });
    }
    return recent;
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

/** Reads any result file. Rejects with RESULT_UNREADABLE or RESULT_TOO_NEW. */
export async function readResultFile(path: string, name: string): Promise<RunState> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new BenchmarkError('RESULT_UNREADABLE', { name, reason }, { cause });
  }
  return parseResult(text, name);
}
