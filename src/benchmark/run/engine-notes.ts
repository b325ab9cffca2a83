import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import { namesIn } from '../files/failures.ts';
import { replaceFile } from '../files/replace-file.ts';
import { isStoredId } from '../runs/run-store.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';

/**
 * In the data folder: for each run that has not cleaned up yet, the engine that it uses. What a crash leaves there is only
 * seen when that engine is in use.
 */
const FOLDER = 'engines';
const noteSchema = z.object({ runtimeId: z.string(), endpoint: z.string() });
export type EngineNote = z.infer<typeof noteSchema> & { runId: string };

/** Before a run makes anything. Rejects when the data folder can't be written. */
export async function noteEngine(
  dataDir: string,
  runId: string,
  { id, endpoint }: Pick<ContainerRuntime, 'id' | 'endpoint'>,
): Promise<void> {
  await mkdir(join(dataDir, FOLDER), PRIVATE_FOLDER);
  const note: z.infer<typeof noteSchema> = { runtimeId: id, endpoint };
  await replaceFile(pathOf(dataDir, runId), (draft) => writeFile(draft, `${JSON.stringify(note)}\n`));
}

/** Nothing of the run is left there, or nobody wants to know. */
export async function forgetEngine(dataDir: string, runId: string): Promise<void> {
  if (isStoredId(runId)) await rm(pathOf(dataDir, runId), { force: true });
}

/** By run. What is broken counts as none. */
export async function engineNotes(dataDir: string): Promise<EngineNote[]> {
  const found: EngineNote[] = [];
  for (const name of await namesIn(join(dataDir, FOLDER))) {
    const runId = name.replace(/\.json$/, '');
    if (runId === name || !isStoredId(runId)) continue;
    const text = await readFile(pathOf(dataDir, runId), 'utf8').catch(() => '');
    const note = noteSchema.safeParse(parsed(text)).data;
    if (note !== undefined) found.push({ runId, ...note });
  }
  return found;
}

/** Whether a runtime is the engine of a note, under whatever name it was found. */
export function isNoted(note: EngineNote, { id, endpoint }: ContainerRuntime): boolean {
  return note.runtimeId === id || note.endpoint === endpoint;
}

function pathOf(dataDir: string, runId: string): string {
  return join(dataDir, FOLDER, `${runId}.json`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
