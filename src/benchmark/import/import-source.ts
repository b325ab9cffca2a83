import { open, realpath, stat } from 'node:fs/promises';
import { msg, type Said } from '../../shared/message.ts';
import { messageOf } from '../../shared/errors.ts';
import { errnoOf } from '../files/failures.ts';
import { SPECIAL } from '../files/regular-file.ts';
import type { ImportedRun } from '../../shared/model/imported.ts';
import { readApart } from '../reading/reader.ts';
import { importSysbench, LARGEST_IMPORT, tooLarge } from './sysbench-text.ts';
import { unreadable } from './unreadable.ts';

export async function importFile(path: string): Promise<ImportedRun[]> {
  // What the shell hands over is open in this process only.
  const isOpenHere = SPECIAL.test(path) || (await stat(path).catch(() => undefined))?.isFile() === false;
  if (isOpenHere) return importText(await readImportFile(path));
  return readApart('sysbench-file', importFileHere, path, (reason) => unreadable(reason));
}

export function importText(text: string): Promise<ImportedRun[]> {
  return readApart('sysbench-text', importSysbench, text, (reason) => unreadable(reason));
}

export async function importFileHere(path: string): Promise<ImportedRun[]> {
  return importSysbench(await readImportFile(path));
}

export async function readImportFile(path: string): Promise<string> {
  const file = await open(path).catch((cause: unknown) => {
    throw unreadable(whyNot(cause), [], cause);
  });
  try {
    // Reading a file of the kernel may never end.
    const isKernels = (await file.stat()).isFile() && SPECIAL.test(await realpath(path));
    if (isKernels) throw unreadable(msg('file.noFile'));
    return await readImportStream(file.createReadStream({ autoClose: false }));
  } finally {
    await file.close();
  }
}

export async function readImportStream(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of stream) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      size += bytes.length;
      if (size > LARGEST_IMPORT) break;
      parts.push(bytes);
    }
  } catch (cause) {
    throw unreadable(whyNot(cause), [], cause);
  }
  if (size > LARGEST_IMPORT) throw tooLarge();
  return decoded(Buffer.concat(parts));
}

/** UTF-8, or UTF-16 as Windows PowerShell writes. */
function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

function whyNot(cause: unknown): Said {
  const code = errnoOf(cause);
  if (code === 'ENOENT') return msg('file.missing');
  if (code === 'EISDIR') return msg('file.isFolder');
  if (code === 'EACCES') return msg('file.forbidden');
  return messageOf(cause);
}
