import { readdir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { type Message, type MessageCode, msg } from '../../shared/message.ts';
import type { Found } from '../../shared/compose/surroundings.ts';
import { openRegularFile, SPECIAL } from '../files/regular-file.ts';
import { isNetworkShare } from '../servers/storage/mount-info.ts';

const MOST_BYTES = 1024 * 1024;

/**
 * A stranger's path: only text files of this machine up to 1 MiB, and names in folders, also through links;
 * refusals have no content.
 */
export async function foundAt(path: string, platform: NodeJS.Platform = process.platform): Promise<Found> {
  return isNetworkShare(path, platform) ? unread('compose.file.share') : ownAt(path);
}

/** Empty if it can't be read. */
export async function textAt(path: string): Promise<string> {
  const found = await foundAt(path);
  return found.kind === 'text' ? found.text : '';
}

/** Like `foundAt` for a user's own path, also on another computer. */
export async function ownAt(path: string): Promise<Found> {
  try {
    const real = await realpath(path);
    if (SPECIAL.test(real)) return unread('compose.file.special');
    const found = await stat(real);
    if (found.isDirectory()) return { kind: 'folder', names: (await readdir(real)).sort() };
    const file = await openRegularFile(real);
    if (file === undefined) return unread('compose.file.special');
    try {
      return await textOf(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    return failed(error);
  }
}

async function textOf(file: FileHandle): Promise<Found> {
  if ((await file.stat()).size > MOST_BYTES) return TOO_LARGE;
  const bytes = Buffer.alloc(MOST_BYTES + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === bytes.length) break;
  }
  if (length > MOST_BYTES) return TOO_LARGE;
  const own = bytes.subarray(0, length);
  return own.includes(0) ? unread('compose.file.binary') : { kind: 'text', text: own.toString('utf8') };
}

function failed(error: unknown): Found {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { ...unread('compose.file.missing'), isMissing: true };
  if (code === 'EACCES' || code === 'EPERM') return unread('compose.file.denied');
  return unread('compose.file.other', { code });
}

const TOO_LARGE = unread('compose.file.large', { count: MOST_BYTES / 1024 / 1024 });

function unread(code: MessageCode & `compose.file.${string}`, params: Message['params'] = {}) {
  return { kind: 'unread', reason: msg(code, params), isMissing: false } as const;
}
