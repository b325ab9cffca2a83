/**
 * Texts inside a PNG: what the picture says can be read, searched and tested without looking at it.
 * Format: PNG specification (W3C, third edition), §§ 5.3 (chunks), 11.3.3 (tEXt, iTXt), annex D (CRC-32).
 */

const SIGNATURE_BYTES = 8;
const HEADER_CHUNK_BYTES = 25;

/** Inserts one text chunk per entry right after the image header: `tEXt` for Latin-1, `iTXt` (UTF-8) for anything else. */
export function withPngTexts(png: Uint8Array, texts: Readonly<Record<string, string>>): Uint8Array {
  const chunks = Object.entries(texts).map(([keyword, text]) => textChunk(keyword, text));
  const begin = SIGNATURE_BYTES + HEADER_CHUNK_BYTES;
  return Buffer.concat([png.subarray(0, begin), ...chunks, png.subarray(begin)]);
}

/** The texts of a PNG by keyword, from uncompressed `tEXt` and `iTXt` chunks. Throws if it is not a whole PNG. */
export function readPngTexts(png: Uint8Array): Record<string, string> {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (bytes.toString('latin1', 1, 4) !== 'PNG') throw new Error('not a PNG');
  const texts: Record<string, string> = {};
  for (let at = SIGNATURE_BYTES; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const typed = bytes.subarray(at + 4, at + 8 + length);
    if (bytes.readUInt32BE(at + 8 + length) !== crc32(typed)) throw new Error('a PNG chunk is damaged');
    const type = typed.toString('latin1', 0, 4);
    const data = typed.subarray(4);
    const end = data.indexOf(0);
    if (type === 'tEXt') texts[data.toString('latin1', 0, end)] = data.toString('latin1', end + 1);
    // After the keyword: compression flag and method, language tag, translated keyword, both ended by 0.
    if (type === 'iTXt' && data[end + 1] === 0) {
      const text = data.indexOf(0, data.indexOf(0, end + 3) + 1) + 1;
      texts[data.toString('latin1', 0, end)] = data.toString('utf8', text);
    }
    at += 12 + length;
  }
  return texts;
}

function textChunk(keyword: string, text: string): Buffer {
  const plain = text.replace(/\0/g, '');

  const latin = /^[\u0000-\u00ff]*$/.test(plain);
  return latin
    ? chunk('tEXt', Buffer.from(`${keyword}\0${plain}`, 'latin1'))
    : chunk(
        'iTXt',
        Buffer.concat([Buffer.from(`${keyword}\0\0\0\0\0`, 'latin1'), Buffer.from(plain, 'utf8')]),
      );
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}

/** Bit by bit: a few hundred bytes need no table (and Node 16's zlib has no crc32). */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return ~crc >>> 0;
}
