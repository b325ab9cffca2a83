import { lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { BenchmarkError } from '../../shared/errors.ts';

const MARK = '.whalemark-bind.json';
const markSchema = z.object({ owner: z.string(), runId: z.string() });

/** A folder of our own on the host, to be mounted into a server. */
export interface BindDirectory {
  /** Holds our mark and `data`. */
  directory: string;
  /** What is mounted. */
  data: string;
}

/**
 * Makes a fresh folder under `root` and marks it as ours. Rejects with BIND_UNWRITABLE, or BIND_NOT_OURS when
 * something else stands there already.
 */
export async function createBindDirectory(
  root: string,
  name: string,
  mark: z.infer<typeof markSchema>,
): Promise<BindDirectory> {
  const directory = join(root, name);
  try {
    await makeFolder(root);
    await mkdir(directory);
    await writeFile(join(directory, MARK), JSON.stringify(mark), { flag: 'wx' });
    const data = join(directory, 'data');
    await mkdir(data);
    return { directory, data };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') throw new BenchmarkError('BIND_NOT_OURS', { path: directory }, { cause: error });
    throw new BenchmarkError('BIND_UNWRITABLE', { path: root, reason: code }, { cause: error });
  }
}

/**
 * Makes a folder and its parents. Not `recursive: true`: below `/proc` Node 20 then tries for ever, because the
 * parent exists and its child still "does not".
 */
async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  const there = await stat(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (there !== undefined) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
}

/** The mark of a folder, or undefined when it isn't one of ours. A symbolic link never is. */
export async function readBindMark(directory: string): Promise<z.infer<typeof markSchema> | undefined> {
  try {
    if (!(await lstat(directory)).isDirectory()) return undefined;
    return markSchema.parse(JSON.parse(await readFile(join(directory, MARK), 'utf8')));
  } catch {
    return undefined;
  }
}

/** All folders under `root` that carry our mark. */
export async function listBindDirectories(
  root: string,
): Promise<{ directory: string; owner: string; runId: string }[]> {
  let names: string[];
  try {
    names = await readdir(root);
  } catch {
    return [];
  }
  const marked = await Promise.all(
    names.map(async (name) => ({ directory: join(root, name), mark: await readBindMark(join(root, name)) })),
  );
  return marked.flatMap(({ directory, mark }) => (mark === undefined ? [] : [{ directory, ...mark }]));
}

/**
 * Deletes a folder that carries our mark, and nothing else. The server's user owns the files inside: where this
 * process may not delete them, `emptyAsRoot` is asked to (a helper container that has the folder mounted).
 */
export async function removeBindDirectory(
  directory: string,
  emptyAsRoot: (data: string) => Promise<void>,
): Promise<void> {
  if ((await readBindMark(directory)) === undefined) return;
  const data = join(directory, 'data');
  try {
    await rm(data, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(errorCode(error))) throw error;
    await emptyAsRoot(data);
    await rm(data, { recursive: true, force: true });
  }
  await rm(directory, { recursive: true, force: true });
}

function errorCode(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code);
  return String(error);
}
