import type { Weight } from './text-metrics.ts';

/** Small pieces of SVG. Everything that comes from outside goes through `escapeXml`; the HTML report uses it as well. */

/** Colours of the picture: verdicts differ in lightness too, so that they hold without colour. */
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
  unsettled: '#aab6c3',
  published: '#8a5a1f',
} as const;

/** Text as XML and HTML take it, in elements and in attributes; characters that XML 1.0 forbids are left out, or nothing of the picture could be drawn. */
export function escapeXml(text: string): string {
  return text

    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

/** A coordinate with at most two decimals, so that the same picture is the same text. */
export function at(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export interface TextStyle {
  size: number;
  fill: string;
  weight?: Weight;
  anchor?: 'start' | 'middle' | 'end';
}

/** Letters that Inter has not: everything but the scripts of Europe, punctuation and signs. */
export const HAN = /[\u0530-\u1dff\u2e80-\ud7ff\uf900-\uffff]|[\u{10000}-\u{10ffff}]/u;

/** The font of texts that Inter has no letters for; it has one weight, so strokes make it bold. */
const HAN_FAMILY = 'Noto Sans SC';
const BOLDER = { 400: 0, 600: 0.018, 700: 0.026 } as const;

/** One line of text with its baseline at y. */
export function svgText(x: number, y: number, text: string, style: TextStyle): string {
  const weight = style.weight ?? 400;
  const anchor = style.anchor === undefined ? '' : ` text-anchor="${style.anchor}"`;
  // An opening mark of Chinese is as wide as a letter, with its ink on the right: lines begin where the ink does.
  const left = /^[“‘（「《]/.test(text) && HAN.test(text) && anchor === '' ? x - style.size / 2 : x;
  return `<text x="${at(left)}" y="${at(y)}" font-size="${at(style.size)}" font-weight="${weight}" fill="${style.fill}"${anchor}${hanStyle(text, style, weight)}>${escapeXml(text)}</text>`;
}

function hanStyle(text: string, { size, fill }: TextStyle, weight: Weight): string {
  if (!HAN.test(text)) return '';
  const stroke = BOLDER[weight] * size;
  const bolder = stroke === 0 ? '' : ` stroke="${fill}" stroke-width="${at(stroke)}"`;
  return ` font-family="${HAN_FAMILY}, Inter, sans-serif"${bolder}`;
}

/** A filled rectangle. */
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

/** A hollow rectangle; published numbers look like this. */
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

/** A line between two points. */
export function svgLine(x1: number, y1: number, x2: number, y2: number, stroke: string, width = 1): string {
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${stroke}" stroke-width="${width}"/>`;
}
