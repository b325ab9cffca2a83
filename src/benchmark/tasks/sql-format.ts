import { type Message, msg } from '../../shared/message.ts';

/** A tar header is the longest. */
export const HEAD_BYTES = 512;

/** Sources: the formats' specifications, as in file(1). */
const PACKED: readonly [format: string, at: number, magic: readonly number[]][] = [
  ['tar', 257, [...'ustar'].map((one) => one.charCodeAt(0))],
  ['zip', 0, [0x50, 0x4b, 0x03, 0x04]],
  ['zip', 0, [0x50, 0x4b, 0x05, 0x06]],
  ['xz', 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['bzip2', 0, [0x42, 0x5a, 0x68]],
  ['7z', 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['rar', 0, [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ['lz4', 0, [0x04, 0x22, 0x4d, 0x18]],
];

/** Undefined if the file may be SQL. */
export function notSql(head: Buffer): Message | undefined {
  if (isUtf16(head)) return msg('task.utf16');
  const [format] =
    PACKED.find(([, at, magic]) => magic.every((byte, index) => head[at + index] === byte)) ?? [];
  if (format === undefined) return undefined;
  const name = firstName(format, head);
  return name === undefined ? msg('task.packed', { format }) : msg('task.packedWith', { format, name });
}

/** Without a mark, a zero byte in SQL's first characters shows UTF-16. */
function isUtf16([first, second]: Buffer): boolean {
  if (first === undefined || second === undefined) return false;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || (first === 0) !== (second === 0);
}

/** Undefined for an unknown or unfit name. */
function firstName(format: string, head: Buffer): string | undefined {
  const bytes =
    format === 'tar'
      ? head.subarray(0, 100)
      : format === 'zip' && head.length > 30
        ? head.subarray(30, 30 + head.readUInt16LE(26))
        : Buffer.alloc(0);
  const name = bytes.toString('utf8').replace(/\0.*$/s, '');
  return /^[\p{L}\p{N}][\p{L}\p{N}._/ -]*[\p{L}\p{N}]$/u.test(name) ? name : undefined;
}
