import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { msg, type Said } from '../../shared/message.ts';
import { whyNotContinuable } from '../../shared/run/continuing.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { describeOwner, isOwnerAlive, isOwnerOnOtherMachine, ownOwner } from '../owners/owner.ts';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import type { RecentRun } from '../../shared/model/history-entry.ts';
import type { RunEvent } from '../../shared/model/events.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { RunFold } from '../../shared/run/reduce.ts';
import { namesIn, writingAt } from '../files/failures.ts';
import { isDraftOf } from '../files/replace-file.ts';
import { Journal, type JournalledRun, mayStillBeMeasured, missingEnd, readRun } from './journal.ts';
import { claimOf, claimRun, type HeldClaim } from './run-claim.ts';
import { loadListed, recentRunOf, saveListed } from './listed-run.ts';
import { type ListedRun, listedRuns, readResultFile } from './read-result.ts';
import { readResultHere } from './stored-result.ts';

const JOURNAL = 'journal.ndjson';
/** Another person's result. */
export const KEPT_RESULT = 'result.json';
const LISTED = 'listed.json';

/** Lower case, since Macs and Windows ignore case. */
const ID = /^[a-z0-9][a-z0-9_-]{0,99}$/;

export function isStoredId(id: string): boolean {
  return ID.test(id);
}

/** A reader takes half a second to start; first rows must not wait. */
const A_READERS_RUNS = { first: 2, more: 6 };
const PAGE = 200;

const RUN_ID = /^\d{8}-\d{6}-[0-9a-f]{4}$/;

const NOT_HERE = msg('continue.notHere');
const NO_JOURNAL = msg('continue.resultOnly');
/** Passports of identical machines are equal. */
const OTHER_MACHINE = msg('continue.otherMachine');

interface ContinuedRun {
  fold: RunFold;
  event: RunEvent;
  journal: Journal;
  owners: string[];
  release(): Promise<void>;
}

export function notContinuable(reason: Said): BenchmarkError {
  return new BenchmarkError('RUN_NOT_RESUMABLE', { reason });
}

function refusalOf(run: string, { owner, since }: HeldClaim, goesOn: () => BenchmarkError): BenchmarkError {
  if (isOwnerAlive(owner) !== 'unknown') return goesOn();
  const when = `${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return new BenchmarkError('RUN_LOCKED', { run, owner: describeOwner(owner), since: when });
}

export class RunStore {
  /** While this is true, only cached runs are listed. */
  isMeasuring: () => boolean = () => false;
  readonly #root: string;
  #lastRead: Promise<unknown> = Promise.resolve();

  constructor(dataDir: string) {
    this.#root = join(dataDir, 'runs');
  }

  static newRunId(now: Date, random: string): string {
    const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    return `${stamp}-${random}`;
  }

  journalPath(runId: string): string {
    return join(this.#root, runId, JOURNAL);
  }

  async sourceOf(runId: string): Promise<string | undefined> {
    const names = isStoredId(runId) ? await namesIn(join(this.#root, runId)) : [];
    const name = [JOURNAL, KEPT_RESULT].find((one) => names.includes(one));
    return name === undefined ? undefined : join(this.#root, runId, name);
  }

  async start(runId: string, owner: string): Promise<{ journal: Journal; release(): Promise<void> }> {
    const directory = join(this.#root, runId);
    return writingAt(directory, 'DATA_FOLDER_UNWRITABLE', () => this.#start(runId, directory, owner));
  }

  async #start(runId: string, directory: string, owner: string): ReturnType<RunStore['start']> {
    await mkdir(directory, PRIVATE_FOLDER);
    const claim = await claimRun(directory, owner);
    if (claim === undefined) throw new Error(`another process writes the run ${runId}`);
    try {
      return { journal: await this.startJournal(runId, owner), release: () => claim.release() };
    } catch (error) {
      await claim.release();
      throw error;
    }
  }

  async startJournal(runId: string, owner: string): Promise<Journal> {
    await mkdir(join(this.#root, runId), PRIVATE_FOLDER);
    return Journal.create(this.journalPath(runId), owner);
  }

  /** Reading own journals in this process is faster. */
  async load(runId: string): Promise<RunState> {
    const path = await this.pathOf(runId);
    return path === this.journalPath(runId) ? readResultHere(path, runId) : readResultFile(path, runId);
  }

  async pathOf(runId: string): Promise<string> {
    const source = await this.sourceOf(runId);
    if (source !== undefined) return source;
    throw new BenchmarkError('RESULT_UNREADABLE', { name: runId, reason: 'it is not in the history' });
  }

  #listedPath(runId: string): string {
    return join(this.#root, runId, LISTED);
  }

  /** Best effort; otherwise the history opens more slowly. */
  async list(state: RunState): Promise<void> {
    const run = recentRunOf(state);
    if (run === null) return;
    const { runId } = run;
    await saveListed(this.#listedPath(runId), this.journalPath(runId), run).catch(() => undefined);
  }

  async recent(limit: number): Promise<RecentRun[]> {
    const recent: RecentRun[] = [];
    for (let before: string | null = null; ;) {
      const { runs, next }: Awaited<ReturnType<RunStore['page']>> = await this.page(before, limit);
      recent.push(...runs);
      if (next === null || recent.length >= limit) return recent.slice(0, limit);
      before = next;
    }
  }

  /** Newest first; `next` is null after the last. */
  async page(before: string | null, size = PAGE): Promise<{ runs: RecentRun[]; next: string | null }> {
    const ids = (await this.#runIds()).reverse().filter((id) => before === null || id < before);
    const found: { runId: string; run: RecentRun | null }[] = [];
    const unread: ListedRun[] = [];
    const most = before === null ? A_READERS_RUNS.first : A_READERS_RUNS.more;
    for (const runId of ids) {
      const { run, source } = await this.#cachedRun(runId).catch(() => ({ run: null, source: undefined }));
      found.push({ runId, run });
      if (source !== undefined) unread.push({ runId, source, listed: this.#listedPath(runId) });
      if (unread.length === most || found.length >= size) break;
    }
    const read = new Map((await this.#read(unread)).map((run, index) => [unread[index]?.runId, run]));
    return {
      runs: found.flatMap(({ runId, run }) => {
        const one = run ?? read.get(runId) ?? null;
        return one === null ? [] : [{ ...one, runId }];
      }),
      next: found.length < ids.length ? (found.at(-1)?.runId ?? null) : null,
    };
  }

  async has(runId: string): Promise<boolean> {
    return (await this.#recentRun(runId).catch(() => null)) !== null;
  }

  async #recentRun(runId: string): Promise<RecentRun | null> {
    const { run, source } = await this.#cachedRun(runId);
    if (source === undefined) return run;
    const [read = null] = await this.#read([{ runId, source, listed: this.#listedPath(runId) }]);
    return read;
  }

  /** One process reads at a time, and none during a measurement. */
  #read(runs: readonly ListedRun[]): Promise<(RecentRun | null)[]> {
    const read = this.#lastRead.then(() => (this.isMeasuring() ? [] : listedRuns(runs)));
    this.#lastRead = read.catch(() => undefined);
    return read;
  }

  async #cachedRun(runId: string): Promise<{ run: RecentRun | null; source: string | undefined }> {
    const source = await this.pathOf(runId);
    const run = (await loadListed(this.#listedPath(runId), source)) ?? null;
    return { run, source: run !== null || (await this.isGoingOn(runId)) ? undefined : source };
  }

  async recover(): Promise<string[]> {
    const recovered: string[] = [];
    for (const runId of await this.#runIds()) {
      // One failure must not stop the others.
      if (await this.#recoverRun(runId).catch(() => false)) recovered.push(runId);
    }
    return recovered;
  }

  async #recoverRun(runId: string): Promise<boolean> {
    const directory = join(this.#root, runId);
    const path = this.journalPath(runId);
    if ((await this.sourceOf(runId)) !== path) return false;
    const claim = await claimOf(directory);
    if (typeof claim === 'object') return false;
    // Reading a long journal takes seconds.
    if (claim === 'none' && (await loadListed(this.#listedPath(runId), path)) !== undefined) return false;
    const held = await claimRun(directory, ownOwner());
    if (held === undefined) return false;
    try {
      const run = await readRun(path);
      if (run === undefined || mayStillBeMeasured(run.journal)) return false;
      const end = missingEnd(run);
      if (end !== undefined) {
        const journal = await Journal.goOn(path, run.journal.end);
        await journal.append(end).finally(() => journal.close());
      }
      await this.list((end === undefined ? undefined : run.fold.push(end)) ?? run.state);
      await this.#removeDrafts(runId);
      return end !== undefined;
    } finally {
      await held.release();
    }
  }

  async #removeDrafts(runId: string): Promise<void> {
    const folder = join(this.#root, runId);
    for (const name of await namesIn(folder)) {
      if (isDraftOf(name, LISTED)) await rm(join(folder, name), { force: true });
    }
  }

  async isGoingOn(runId: string): Promise<boolean> {
    return (await this.#heldClaim(runId)) !== undefined;
  }

  async #heldClaim(runId: string): Promise<HeldClaim | undefined> {
    const claim = await claimOf(join(this.#root, runId));
    return typeof claim === 'object' ? claim : undefined;
  }

  async requireFree(runId: string): Promise<void> {
    const claim = await this.#heldClaim(runId);
    if (claim !== undefined) throw refusalOf(runId, claim, () => new BenchmarkError('BUSY'));
  }

  /** Only the user can say that these runs ended. */
  async locked(): Promise<({ runId: string } & HeldClaim)[]> {
    const found: ({ runId: string } & HeldClaim)[] = [];
    for (const runId of await this.#runIds()) {
      const claim = (await this.#heldClaim(runId)) ?? (await this.#unclaimed(runId));
      if (claim !== undefined && isOwnerAlive(claim.owner) === 'unknown') found.push({ runId, ...claim });
    }
    return found;
  }

  /** A copied data folder may have unfinished runs without claims. */
  async #unclaimed(runId: string): Promise<HeldClaim | undefined> {
    const path = this.journalPath(runId);
    if ((await this.sourceOf(runId)) !== path) return undefined;
    if ((await loadListed(this.#listedPath(runId), path)) !== undefined) return undefined;
    const run = await readRun(path);
    if (run === undefined || !mayStillBeMeasured(run.journal)) return undefined;
    return { owner: run.journal.owner, since: run.state.startedAt };
  }

  async continuable(runId: string): Promise<RunState> {
    const { state } = await this.#continuableRun(runId);
    return state;
  }

  /** `check` sees the run before the claim. */
  async goOn(
    runId: string,
    owner: string,
    check: (state: RunState) => Promise<void> = () => Promise.resolve(),
  ): Promise<ContinuedRun> {
    if (!RUN_ID.test(runId)) throw notContinuable(NOT_HERE);
    const directory = join(this.#root, runId);
    await check((await this.#continuableRun(runId)).state);
    const claim = await claimRun(directory, owner);
    if (claim === undefined) throw await this.#stillGoingOn(runId);
    let journal: Journal | undefined;
    try {
      // The run may have been continued before the claim.
      const run = await this.#continuableRun(runId, true);
      const at = Date.now();
      const from = run.journal.lastAt ?? at;
      const event: RunEvent = { type: 'run-continued', at, from, owner };
      journal = await Journal.goOn(this.journalPath(runId), run.journal.end);
      await journal.append(event);
      run.fold.push(event);
      return { fold: run.fold, event, journal, owners: run.journal.owners, release: () => claim.release() };
    } catch (error) {
      await journal?.close().catch(() => undefined);
      await claim.release();
      throw error;
    }
  }

  async #continuableRun(runId: string, isClaimed = false): Promise<JournalledRun & { state: RunState }> {
    if (!RUN_ID.test(runId)) throw notContinuable(NOT_HERE);
    if (!isClaimed && (await this.isGoingOn(runId))) throw await this.#stillGoingOn(runId);
    const run = await readRun(this.journalPath(runId));
    if (run === undefined) {
      throw notContinuable((await this.sourceOf(runId)) === undefined ? NOT_HERE : NO_JOURNAL);
    }
    const { owner, owners } = run.journal;
    if (mayStillBeMeasured(run.journal) && owner !== ownOwner())
      throw await this.#stillGoingOn(runId, { owner, since: run.state.startedAt });
    if (owners.some(isOwnerOnOtherMachine)) throw notContinuable(OTHER_MACHINE);
    const why = whyNotContinuable({ ...run.state, status: 'finished' });
    if (why !== undefined) throw notContinuable(why);
    return run;
  }

  async #stillGoingOn(runId: string, writer?: HeldClaim): Promise<BenchmarkError> {
    const claim = writer ?? (await this.#heldClaim(runId));
    const goesOn = (): BenchmarkError => notContinuable(msg('continue.running'));
    return claim === undefined ? goesOn() : refusalOf(runId, claim, goesOn);
  }

  async #runIds(): Promise<string[]> {
    return (await namesIn(this.#root)).filter(isStoredId);
  }
}
