import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { msg, type Message } from '../../../shared/message.ts';
import { PRIVATE_FILE } from '../../files/data-dir.ts';
import { errnoOf, namesIn } from '../../files/failures.ts';
import * as z from 'zod';
import { BenchmarkError } from '../../../shared/errors.ts';
import {
  bindRootProblem,
  keepsInodes,
  removalProblem,
  DATABASE_ROOT,
  type FolderFacts,
} from './bind-roots.ts';
import { gatherFolderFacts, gatherRemovalFacts, inodeOf } from './folder-facts.ts';

/** Only marked folders are deleted. */
export const MARK = '.whalemark-bind.json';
const DATA = 'data';
export const BESIDE_DATA = { account: 'account.sql', pid: 'mysqld.pid' } as const;
const LITTER = ['.DS_Store', 'desktop.ini', 'Thumbs.db'];
const OWN_NAME = /^whalemark-[\w.-]+$/;
const FOLDER_NAME = /^[A-Za-z0-9][\w.-]*$/;

const markSchema = z.object({
  owner: z.string(),
  runId: z.string(),
  path: z.string(),
  inode: z.string().optional(),
});
type Mark = z.infer<typeof markSchema>;

interface BindDirectory {
  directory: string;
  data: string;
}

export async function bindRootRefusal(root: string): Promise<Message | undefined> {
  const facts = await gatherFolderFacts(root, isOwnDirectory).catch(() => undefined);
  return facts === undefined ? undefined : bindRootProblem(facts);
}

export function bindRootError(path: string, reason: Message): BenchmarkError {
  return new BenchmarkError('BIND_REFUSED', { path, reason });
}

/** Rejects with BIND_REFUSED, BIND_UNWRITABLE, or BIND_NOT_OURS, and then leaves nothing. */
export async function createBindDirectory(
  root: string,
  name: string,
  mark: Pick<Mark, 'owner' | 'runId'>,
): Promise<BindDirectory> {
  if (!FOLDER_NAME.test(name)) throw new Error(`“${name}” is no name for a folder of ours`);
  try {
    const { real, mounts } = await madeRoot(root);
    const directory = join(real, name);
    const data = join(directory, DATA);
    await mkdir(directory);
    try {
      const inode = await inodeOf(directory);
      const written: Mark = { ...mark, path: directory, ...(keepsInodes(mounts, real) ? { inode } : {}) };
      await writeMark(directory, written);
      await mkdir(data);
      const problem = await whyKept(directory, { path: directory, inode });
      if (problem !== undefined) throw bindRootError(directory, problem);
    } catch (error) {
      await undo(directory);
      throw error;
    }
    return { directory, data };
  } catch (error) {
    if (error instanceof BenchmarkError) throw error;
    const code = errnoOf(error) ?? String(error);
    if (code === 'EEXIST')
      throw new BenchmarkError('BIND_NOT_OURS', { path: join(root, name) }, { cause: error });
    throw new BenchmarkError('BIND_UNWRITABLE', { path: root, reason: code }, { cause: error });
  }
}

async function madeRoot(root: string): Promise<FolderFacts> {
  await checkedRoot(root);
  await mkdir(root, { recursive: true });
  // Another process may have put something there.
  return checkedRoot(root);
}

async function checkedRoot(root: string): Promise<FolderFacts> {
  const facts = await gatherFolderFacts(root, isOwnDirectory);
  const problem = bindRootProblem(facts);
  if (problem !== undefined) throw bindRootError(root, problem);
  return facts;
}

async function writeMark(directory: string, mark: Mark): Promise<void> {
  const draft = join(directory, `${MARK}.tmp`);
  await writeFile(draft, JSON.stringify(mark), { flag: 'wx', mode: PRIVATE_FILE });
  await rename(draft, join(directory, MARK));
}

async function undo(directory: string): Promise<void> {
  for (const name of [`${MARK}.tmp`, MARK]) await unlink(join(directory, name)).catch(() => undefined);
  await rmdir(join(directory, DATA)).catch(() => undefined);
  await rmdir(directory).catch(() => undefined);
}

/** Undefined for a symbolic link, and for a linked mark. */
export async function readBindMark(directory: string): Promise<Mark | undefined> {
  try {
    if (!(await lstat(directory)).isDirectory()) return undefined;
    const path = join(directory, MARK);
    if (!(await lstat(path)).isFile()) return undefined;
    // Windows has no such flag; there links need rare rights.
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return markSchema.parse(JSON.parse(await file.readFile('utf8')));
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** True also while another run is making the folder. */
async function isOwnDirectory(path: string): Promise<boolean> {
  const name = basename(path);
  if (LITTER.includes(name)) return true;
  if ((await readBindMark(path)) !== undefined) return true;
  if (!OWN_NAME.test(name)) return false;
  const there = await lstat(path).catch(() => undefined);
  if (there === undefined) return true;
  if (!there.isDirectory()) return false;
  const names = await readdir(path).catch(() => []);
  return names.every((one) => one.startsWith(MARK) || one === DATA);
}

export async function listBindDirectories(root: string): Promise<({ directory: string } & Mark)[]> {
  const names = await namesIn(root);
  const marked = await Promise.all(
    names.map(async (name) => ({ directory: join(root, name), mark: await readBindMark(join(root, name)) })),
  );
  return marked.flatMap(({ directory, mark }) => (mark === undefined ? [] : [{ directory, ...mark }]));
}

/**
 * `emptyAsRoot` deletes files that this process may not. Rejects with BIND_KEPT if the folder was moved, is
 * or holds a mount point, or holds anything else.
 */
export async function removeBindDirectory(
  directory: string,
  emptyAsRoot: (directory: string) => Promise<void>,
): Promise<void> {
  const mark = await readBindMark(directory);
  if (mark === undefined) return;
  await requireRemovable(directory, mark);
  const data = join(directory, DATA);
  try {
    await rm(data, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(errnoOf(error) ?? '')) throw error;
    // The engine would follow a link.
    if (!(await lstat(data)).isDirectory()) throw error;
    await requireRemovable(directory, mark);
    await emptyAsRoot(directory);
    await rm(data, { recursive: true, force: true });
  }
  const ours = [...Object.values(BESIDE_DATA), ...LITTER];
  const others = (await readdir(directory)).filter((name) => name !== MARK);
  const foreign = others.filter((name) => !ours.includes(name));
  if (foreign.length > 0) {
    throw new BenchmarkError('BIND_KEPT', {
      path: directory,
      reason: msg('folder.foreign', { names: foreign.sort().join(', ') }),
    });
  }
  for (const name of others) await unlink(join(directory, name));
  await unlink(join(directory, MARK));
  await rmdir(directory);
  const root = dirname(directory);
  if (basename(root) === DATABASE_ROOT) await rmdir(root).catch(() => undefined);
}

async function requireRemovable(directory: string, mark: Mark): Promise<void> {
  const reason = await whyKept(directory, mark);
  if (reason !== undefined) throw new BenchmarkError('BIND_KEPT', { path: directory, reason });
}

async function whyKept(directory: string, mark: Pick<Mark, 'path' | 'inode'>): Promise<Message | undefined> {
  const facts = await gatherRemovalFacts(directory);
  return facts === undefined ? msg('folder.noLongerFolder') : removalProblem(facts, mark);
}
