/**
 * Widths of the characters 32 … 126 in Inter Regular 4 (font table `hmtx`), thousandths of the font size, for layout
 * without a browser.
 */
const WIDTHS = [
  281, 288, 466, 633, 642, 982, 644, 300, 365, 365, 501, 662, 288, 460, 288, 360, 631, 407, 610, 618, 646,
  593, 620, 566, 619, 620, 288, 302, 662, 662, 662, 511, 966, 690, 654, 730, 722, 601, 590, 746, 743, 269,
  571, 672, 565, 903, 753, 765, 639, 765, 644, 642, 646, 744, 690, 985, 682, 679, 629, 365, 360, 365, 471,
  456, 323, 562, 612, 571, 612, 583, 370, 613, 591, 242, 242, 549, 242, 876, 591, 600, 612, 612, 376, 528,
  327, 591, 562, 818, 546, 562, 552, 426, 333, 426, 662,
];
const OTHERS: Record<string, number> = { '×': 662, '–': 500, '±': 662, '·': 288, '…': 864, µ: 586 };
const LATIN_WIDTH = 620;
const WIDE_WIDTH = 1000;

export type Weight = 400 | 600 | 700;
const WEIGHT_FACTOR: Record<Weight, number> = { 400: 1, 600: 1.03, 700: 1.045 };

const ELLIPSIS = '…';

/** Lines may break around these without a space. */
const WIDE = /[\u2e80-\ud7ff\uf900-\uffef]/;
/** Not before closing or after opening marks. */
const NEVER_FIRST = /^[、。，．：；！？）】」』〉》”’％…—]/;
const NEVER_LAST = /[（【「『〈《“‘]$/;

/** In the unit of `size`, to about one percent for Latin letters. */
export function textWidth(text: string, size: number, weight: Weight = 400): number {
  const hasHan = HAN.test(text);
  let width = 0;
  for (const character of text) width += characterWidth(character, hasHan);
  return (width * size * WEIGHT_FACTOR[weight]) / 1000;
}

function characterWidth(character: string, hasHan: boolean): number {
  const code = character.codePointAt(0) ?? 0;
  const others = hasHan ? WIDE_WIDTH : OTHERS[character];
  return WIDTHS[code - 32] ?? others ?? (code < 0x2e80 ? LATIN_WIDTH : WIDE_WIDTH);
}

interface Room {
  width: number;
  size: number;
  minSize: number;
  weight?: Weight;
  lines?: number;
  /** Shrinks down to this size before a second line; default: `size`. */
  oneLineFrom?: number;
}

/** Wraps, then shrinks, and finally cuts with "…". */
export function fitText(text: string, room: Room): { lines: string[]; size: number } {
  const most = room.lines ?? 1;
  for (let size = room.size; size >= (room.oneLineFrom ?? room.size); size -= 0.5) {
    if (textWidth(text, size, room.weight) <= room.width) return { lines: [text], size };
  }
  for (let size = room.size; size >= room.minSize; size -= 0.5) {
    const lines = wrap(text, size, room);
    if (lines.length <= most && lines.every((line) => textWidth(line, size, room.weight) <= room.width)) {
      return { lines: balanced(text, lines, size, room), size };
    }
  }
  const size = room.minSize;
  const all = wrap(text, size, room);
  const kept = all.length <= most ? all : [...all.slice(0, most - 1), all.slice(most - 1).join(' ')];
  return { lines: kept.map((line) => cut(line, size, room)), size };
}

function wrap(text: string, size: number, { width, weight, lines = 1 }: Room): string[] {
  if (lines === 1) return [text];
  const wrapped: string[] = [];
  let line = '';
  for (const { gap, word } of pieces(text)) {
    const longer = line === '' ? word : line + gap + word;
    if (line !== '' && textWidth(longer, size, weight) > width) {
      wrapped.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...wrapped, line];
}

function pieces(text: string): { gap: string; word: string }[] {
  return text.split(/\s+/).flatMap((part) => {
    const found: { gap: string; word: string }[] = [];
    for (const character of part) {
      const last = found.at(-1);
      const isBreak =
        last !== undefined &&
        (WIDE.test(character) || WIDE.test(last.word.slice(-1))) &&
        !NEVER_FIRST.test(character) &&
        !NEVER_LAST.test(last.word);
      if (last === undefined) found.push({ gap: ' ', word: character });
      else if (isBreak) found.push({ gap: '', word: character });
      else last.word += character;
    }
    return found;
  });
}

function balanced(text: string, lines: string[], size: number, room: Room): string[] {
  let best = lines;
  for (let width = room.width - 10; width > 0; width -= 10) {
    const narrower = wrap(text, size, { ...room, width });
    const fits = narrower.every((line) => textWidth(line, size, room.weight) <= room.width);
    if (narrower.length > lines.length || !fits) break;
    best = narrower;
  }
  return best;
}

function cut(text: string, size: number, { width, weight = 400 }: Room): string {
  if (textWidth(text, size, weight) <= width) return text;
  // Forwards, and only as far as there is room: names may be of any length.
  const hasHan = HAN.test(text);
  const room = (width * 1000) / (size * WEIGHT_FACTOR[weight]);
  let kept = '';
  let used = characterWidth(ELLIPSIS, hasHan);
  for (const character of text) {
    used += characterWidth(character, hasHan);
    if (used > room) break;
    kept += character;
  }
  return kept.trimEnd() + ELLIPSIS;
}

/** Parts of SVG. External text goes through `escapeXml`, also in the HTML report. */

export const INK = {
  deep: '#0a2540',
  deeper: '#071a2e',
  sea: '#12507b',
  text: '#16263a',
  muted: '#5b6c80',
  faint: '#dfe6ee',
  paper: '#ffffff',
  foot: '#f1f5f9',
  pale: '#a9c8e2',
  care: '#ffcf5c',
  slower: '#d4493f',
  faster: '#1583a8',
  same: '#7a8a9c',
  inconclusive: '#aab6c3',
  published: '#8a5a1f',
} as const;

/** For elements and attributes; removes characters that XML 1.0 forbids. */
export function escapeXml(text: string): string {
  return text

    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

/** At most two decimals, so that equal pictures are equal texts. */
export function at(value: number): string {
  return String(Math.round(value * 100) / 100);
}

interface TextStyle {
  size: number;
  fill: string;
  weight?: Weight;
  anchor?: 'start' | 'middle' | 'end';
}

export const HAN = /[\u0530-\u1dff\u2e80-\ud7ff\uf900-\uffff]|[\u{10000}-\u{10ffff}]/u;

const HAN_FAMILY = 'Noto Sans SC';
const BOLDER = { 400: 0, 600: 0.018, 700: 0.026 } as const;

export function svgText(x: number, y: number, text: string, style: TextStyle): string {
  const weight = style.weight ?? 400;
  const anchor = style.anchor === undefined ? '' : ` text-anchor="${style.anchor}"`;
  // Opening marks of Chinese have their ink on the right: align the ink.
  const left = /^[“‘（「《]/.test(text) && HAN.test(text) && anchor === '' ? x - style.size / 2 : x;
  return `<text x="${at(left)}" y="${at(y)}" font-size="${at(style.size)}" font-weight="${weight}" fill="${style.fill}"${anchor}${hanStyle(text, style, weight)}>${escapeXml(text)}</text>`;
}

function hanStyle(text: string, { size, fill }: TextStyle, weight: Weight): string {
  if (!HAN.test(text)) return '';
  const stroke = BOLDER[weight] * size;
  const bolder = stroke === 0 ? '' : ` stroke="${fill}" stroke-width="${at(stroke)}"`;
  return ` font-family="${HAN_FAMILY}, Inter, sans-serif"${bolder}`;
}

export function svgRect(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  radius = 0,
): string {
  const round = radius === 0 ? '' : ` rx="${at(radius)}"`;
  return `<rect x="${at(x)}" y="${at(y)}" width="${at(Math.max(0, width))}" height="${at(height)}" fill="${fill}"${round}/>`;
}

export function svgFrame(
  x: number,
  y: number,
  width: number,
  height: number,
  stroke: string,
  strokeWidth: number,
): string {
  return `<rect x="${at(x)}" y="${at(y)}" width="${at(Math.max(0, width))}" height="${at(height)}" fill="none" stroke="${stroke}" stroke-width="${strokeWidth}"/>`;
}

export function svgLine(x1: number, y1: number, x2: number, y2: number, stroke: string, width = 1): string {
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${stroke}" stroke-width="${width}"/>`;
}
