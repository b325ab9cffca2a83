import { join } from 'node:path';
import { BenchmarkError, toErrorData, type ErrorData } from '../../shared/errors.ts';
import type { Leftover, LeftThing } from '../../shared/model/leftovers.ts';
import { describeOwner, isOwnerAlive, rememberEndedOwners } from '../owners/owner.ts';
import type { DatasetCache } from '../servers/dataset/dataset-cache.ts';
import { log } from '../log/log.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { createLabels, OWNER_LABEL, RUN_LABEL } from '../runtime/labels.ts';
import { listOwn, sweepLeftovers, type SweptRun } from '../runtime/sweep.ts';
import { listBindDirectories, readBindMark, removeBindDirectory } from '../servers/storage/bind-directory.ts';
import { emptyAsRoot } from '../servers/helper-container.ts';
import { localServerImages } from '../servers/image.ts';
import { isStoredId, RunStore } from '../store/run-store.ts';
import { BIND_ROOTS, defaultBindRoot, knownBindRoots } from '../servers/storage/bind-roots.ts';
import { mkdir, readFile, rm } from 'node:fs/promises';
import * as z from 'zod';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import { errnoOf, namesIn } from '../files/failures.ts';
import { replaceFile } from '../files/replace-file.ts';
import { jsonOf } from '../files/json.ts';

interface Swept {
  removed: LeftThing[];
  failed: { name: string; error: ErrorData }[];
}

const ENGINE = 'engine:';

export async function findLeftovers(
  runtime: ContainerRuntime,
  dataDir: string,
  datasets: DatasetCache | undefined = undefined,
): Promise<Leftover[]> {
  const found: Leftover[] = [];
  const add = (thing: LeftThing, owner: string, runId: string | null, since = startOf(runId)): void => {
    const life = isOwnerAlive(owner);
    if (life === 'alive') return;
    const unknown = life === 'unknown' ? { owner: describeOwner(owner), consent: owner } : NO_DOUBT;
    found.push({ ...thing, runId, since, ...unknown });
  };
  for (const { kind, name, labels } of await listOwn(runtime)) {
    add({ kind, name }, labels[OWNER_LABEL] ?? '', labels[RUN_LABEL] ?? null);
  }
  const unread: Unread = (_, error) => {
    log.warn('leftovers unread', { error: error.message });
  };
  const strays = datasets && (await orTold(datasets.leftovers(), datasets.directory, unread));
  for (const { name, loader } of strays ?? []) add({ kind: 'volume', name }, loader, null);
  for (const { directory, owner, runId } of await bindDirectories(dataDir, unread)) {
    add({ kind: 'folder', name: directory }, owner, runId);
  }
  const store = new RunStore(dataDir);
  for (const { runId, owner, since } of await store.locked())
    add({ kind: 'run', name: runId }, owner, runId, since);
  for (const note of await engineNotes(dataDir)) {
    const { runId, runtimeId, endpoint } = note;
    if (isNoted(note, runtime) || (await store.isGoingOn(runId))) continue;
    const name = `${runtimeId} (${endpoint})`;
    found.push({
      kind: 'engine',
      name,
      runId,
      since: startOf(runId),
      owner: null,
      consent: `${ENGINE}${runId}`,
    });
  }
  return found;
}

const NO_DOUBT = { owner: null, consent: null };

function startOf(runId: string | null): number | null {
  const [, day, time] = /^(\d{8})-(\d{6})-/.exec(runId ?? '') ?? [];
  if (day === undefined || time === undefined) return null;
  const at = Date.parse(`${day.replace(/(..)(..)$/, '-$1-$2')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
  return Number.isNaN(at) ? null : at;
}

/** Things of live or invisible processes stay; `consents` are the user's word that those have ended. */
export async function removeLeftovers(
  runtime: ContainerRuntime,
  dataDir: string,
  appVersion: string,
  datasets: DatasetCache | undefined = undefined,
  consents: readonly string[] = [],
  only: Partial<SweptRun> = {},
): Promise<Swept> {
  const removed: LeftThing[] = consents.length === 0 ? [] : await withConsent(dataDir, consents);
  const swept = await sweepLeftovers(runtime, only);
  for (const { kind, name } of swept.removed) removed.push({ kind, name });
  const failed: Swept['failed'] = swept.failed.map(({ resource, error }) => ({ name: resource.name, error }));
  const unread: Unread = (name, error) => {
    failed.push({ name, error: toErrorData(error) });
  };
  // Volumes go after containers, which may hold one.
  const volumes = datasets && (await orTold(datasets.sweep(only.owner), datasets.directory, unread));
  for (const name of volumes?.removed ?? []) removed.push({ kind: 'volume', name });
  for (const { directory, runId, owner } of await bindDirectories(dataDir, unread)) {
    const isMeant = owner === (only.owner ?? owner) && runId === (only.runId ?? runId);
    if (!isMeant || isOwnerAlive(owner) !== 'dead') continue;
    try {
      await removeBindDirectory(directory, async (marked) => {
        const image = (await localServerImages(runtime))[0]?.image.id ?? '';
        const labels = createLabels({ runId, appVersion, role: 'helper' });
        await emptyAsRoot({ runtime, name: `whalemark-sweep-${runId}`, image, labels }, marked);
      });
      removed.push({ kind: 'folder', name: directory });
    } catch (error) {
      // A sweeper may remove it at the same time.
      const isGone = errnoOf(error) === 'ENOENT' || (await readBindMark(directory)) === undefined;
      if (!isGone) failed.push({ name: directory, error: toErrorData(error) });
    }
  }
  await forgetEmptied(runtime, dataDir, [
    ...swept.remaining,
    ...swept.failed.map(({ resource }) => resource),
  ]);
  if (removed.length > 0 || failed.length > 0) {
    log.info('leftovers removed', {
      removed: removed.map(({ kind, name }) => `${kind} ${name}`),
      failed: failed.map(({ name, error }) => `${name}: ${error.code} ${error.message}`),
    });
  }
  return { removed, failed };
}

async function withConsent(dataDir: string, consents: readonly string[]): Promise<LeftThing[]> {
  const store = new RunStore(dataDir);
  const locked = await store.locked();
  await rememberEndedOwners(dataDir, consents);
  await store.recover();
  const done: LeftThing[] = locked
    .filter(({ owner }) => consents.includes(owner))
    .map(({ runId }) => ({ kind: 'run', name: runId }));
  for (const { runId, runtimeId, endpoint } of await engineNotes(dataDir)) {
    if (!consents.includes(`${ENGINE}${runId}`)) continue;
    await forgetEngines(dataDir, runId);
    done.push({ kind: 'engine', name: `${runtimeId} (${endpoint})` });
  }
  return done;
}

async function forgetEmptied(
  runtime: ContainerRuntime,
  dataDir: string,
  left: readonly { labels: Record<string, string> }[],
): Promise<void> {
  const used = new Set(left.map(({ labels }) => labels[RUN_LABEL]));
  const store = new RunStore(dataDir);
  for (const note of await engineNotes(dataDir).catch(() => [])) {
    if (!isNoted(note, runtime) || used.has(note.runId) || (await store.isGoingOn(note.runId))) continue;
    await forgetEngines(dataDir, note.runId, note);
  }
}

async function bindDirectories(dataDir: string, unread: Unread) {
  const roots = await orTold(knownBindRoots(dataDir), join(dataDir, BIND_ROOTS), unread);
  const lists = (roots ?? [defaultBindRoot(dataDir)]).map((root) =>
    orTold(listBindDirectories(root), root, unread),
  );
  return (await Promise.all(lists)).flatMap((list) => list ?? []);
}

type Unread = (path: string, error: BenchmarkError) => void;

async function orTold<T>(reading: Promise<T>, path: string, unread: Unread): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof BenchmarkError && error.code === 'DATA_FOLDER_UNREADABLE')) throw error;
    unread(path, error);
    return undefined;
  }
}

/** Engines that runs have not cleaned up. */
const FOLDER = 'engines';
const noteSchema = z.object({ runtimeId: z.string(), endpoint: z.string() });
type Note = z.infer<typeof noteSchema>;
type EngineNote = Note & { runId: string };

/** Call before a run creates anything. */
export async function noteEngines(
  dataDir: string,
  runId: string,
  engines: readonly Pick<ContainerRuntime, 'id' | 'endpoint'>[],
): Promise<void> {
  await mkdir(join(dataDir, FOLDER), PRIVATE_FOLDER);
  const notes = engines.map(({ id, endpoint }): Note => ({ runtimeId: id, endpoint }));
  await replaceFile(pathOf(dataDir, runId), `${JSON.stringify(notes)}\n`);
}

export async function forgetEngines(dataDir: string, runId: string, only?: Note): Promise<void> {
  if (!isStoredId(runId)) return;
  const others = only === undefined ? [] : await notesOf(dataDir, runId);
  const left = others.filter(({ endpoint }) => endpoint !== only?.endpoint);
  if (left.length === 0) return rm(pathOf(dataDir, runId), { force: true });
  const engines = left.map(({ runtimeId: id, endpoint }) => ({ id, endpoint }));
  return noteEngines(dataDir, runId, engines);
}

async function engineNotes(dataDir: string): Promise<EngineNote[]> {
  const found: EngineNote[] = [];
  for (const name of await namesIn(join(dataDir, FOLDER))) {
    const runId = name.replace(/\.json$/, '');
    if (runId === name || !isStoredId(runId)) continue;
    found.push(...(await notesOf(dataDir, runId)).map((note) => ({ runId, ...note })));
  }
  return found;
}

async function notesOf(dataDir: string, runId: string): Promise<Note[]> {
  const text = await readFile(pathOf(dataDir, runId), 'utf8').catch(() => '');
  return z.array(noteSchema).safeParse(jsonOf(text)).data ?? [];
}

function isNoted(note: EngineNote, { id, endpoint }: ContainerRuntime): boolean {
  return note.runtimeId === id || note.endpoint === endpoint;
}

function pathOf(dataDir: string, runId: string): string {
  return join(dataDir, FOLDER, `${runId}.json`);
}
