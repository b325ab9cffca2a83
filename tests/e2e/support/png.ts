import { inflateSync } from 'node:zlib';

export interface PngFacts {
  width: number;
  height: number;
  /** Different colors among the decoded pixels; a blank picture has one. */
  colors: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Decodes an 8-bit RGB or RGBA picture (https://www.w3.org/TR/png/); throws on anything else. */
export function decodePng(file: Buffer): PngFacts {
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new Error('no PNG signature');
  const data: Buffer[] = [];
  let width = 0;
  let height = 0;
  let channels = 0;
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      channels = { 2: 3, 6: 4 }[body.readUInt8(9)] ?? 0;
      if (body.readUInt8(8) !== 8 || channels === 0) throw new Error('not 8-bit RGB or RGBA');
    }
    if (type === 'IDAT') data.push(body);
    at += 12 + length;
  }
  const pixels = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const colors = new Set<number>();
  for (let at = 0; at < pixels.length; at += channels) colors.add(pixels.readUIntBE(at, 3));
  return { width, height, colors: colors.size };
}

function unfilter(raw: Buffer, stride: number, height: number, channels: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw.readUInt8(y * (stride + 1));
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? (out[y * stride + x - channels] ?? 0) : 0;
      const up = y > 0 ? (out[(y - 1) * stride + x] ?? 0) : 0;
      const corner = y > 0 && x >= channels ? (out[(y - 1) * stride + x - channels] ?? 0) : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[y * stride + x] = ((raw[y * (stride + 1) + 1 + x] ?? 0) + predicted) & 0xff;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
