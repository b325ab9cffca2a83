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

const HAN = /[\u0530-\u1dff\u2e80-\ud7ff\uf900-\uffff]|[\u{10000}-\u{10ffff}]/u;

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
  const fitting = all.length <= most ? all : [...all.slice(0, most - 1), all.slice(most - 1).join(' ')];
  return { lines: fitting.map((line) => cut(line, size, room)), size };
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
  let start = '';
  let used = characterWidth(ELLIPSIS, hasHan);
  for (const character of text) {
    used += characterWidth(character, hasHan);
    if (used > room) break;
    start += character;
  }
  return start.trimEnd() + ELLIPSIS;
}
