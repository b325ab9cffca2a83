const BLOCK = 512;

/** One ustar header (POSIX.1-1988: name, mode, uid, gid, size, mtime, checksum, type, magic) of a plain file. */
function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new RangeError(`File name too long for a tar header: ${name}`);
  block.write(name, 0);
  block.write('0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write(`${'0'.repeat(11)}\0`, 136);
  // The checksum counts its own field as eight spaces.
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\u000000', 257);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/**
 * A tar archive of plain files (name → content), owned by root, readable by everybody. Times are left at zero so that
 * the same files give the same bytes and the engine's build cache recognises them. Names are at most 100 bytes.
 */
export function tarOf(files: Record<string, string | Uint8Array>): Buffer {
  const parts: Buffer[] = [];
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    parts.push(header(name, bytes.length), bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK));
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}
