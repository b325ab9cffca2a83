import type { Weight } from './text-metrics.ts';

/** Small pieces of SVG. Everything that comes from outside goes through `escapeXml`. */

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

/** Text as XML takes it; characters that XML 1.0 forbids are left out, or nothing of the picture could be drawn. */
export function escapeXml(text: string): string {
  return text

    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
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

/** One line of text with its baseline at y. */
export function svgText(x: number, y: number, text: string, style: TextStyle): string {
  const anchor = style.anchor === undefined ? '' : ` text-anchor="${style.anchor}"`;
  return `<text x="${at(x)}" y="${at(y)}" font-size="${at(style.size)}" font-weight="${style.weight ?? 400}" fill="${style.fill}"${anchor}>${escapeXml(text)}</text>`;
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

export function svgLine(x1: number, y1: number, x2: number, y2: number, stroke: string, width = 1): string {
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${stroke}" stroke-width="${width}"/>`;
}
