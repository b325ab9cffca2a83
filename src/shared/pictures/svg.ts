/** External text goes through `escapeXml`, also in the HTML report. */

/** Light and dark, by their names in the window's tokens.css. */
const COLORS = {
  text: ['#12232a', '#e6eef0'],
  'text-2': ['#4b5f67', '#a3b5bc'],
  line: ['#dbe4e7', '#2a393f'],
  surface: ['#ffffff', '#162024'],
  'surface-2': ['#f1f5f6', '#1c282d'],
  accent: ['#0b6e82', '#4fc3d9'],
  'accent-soft': ['#e0f1f4', '#12363e'],
  baseline: ['#0a2540', '#dfe8eb'],
  slower: ['#b8541a', '#ee9655'],
  faster: ['#0b6e82', '#4fc3d9'],
  same: ['#6a7c84', '#93a5ad'],
  inconclusive: ['#8b9aa0', '#71858d'],
  // Curves: hues after Okabe and Ito, darkened.
  'curve-1': ['#0072b2', '#56b4e9'],
  'curve-2': ['#c65300', '#f08a3c'],
  'curve-3': ['#00855f', '#2fc593'],
  'curve-4': ['#8e4585', '#d68fcf'],
  'curve-5': ['#26343b', '#dfe8eb'],
  'curve-6': ['#b03060', '#f48fb1'],
} as const;
export type Color = keyof typeof COLORS;

/** Named colors follow the theme. */
export function ink(color: Color): string {
  return `var(--${color})`;
}

export function colorVariables(theme: 'light' | 'dark'): string {
  const values = Object.entries(COLORS).map(([name, [light, dark]]) => [
    name,
    theme === 'dark' ? dark : light,
  ]);
  return values.map(([name, value]) => `--${name}:${value}`).join(';');
}

/** Programs without style sheets need fixed colors. Quotes in texts are escaped, so no text matches. */
export function withColors(svg: string): string {
  const byName: Record<string, readonly string[]> = COLORS;
  return svg.replace(/="var\(--([\w-]+)\)"/g, (_, name: string) => `="${byName[name]?.[0] ?? ''}"`);
}

/** XML 1.0 forbids some characters. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

/** Pixels, or a share of a box of unknown width (`50%`). */
export type Length = number | string;

/** At most two decimals make equal pictures equal texts. */
export function at(value: Length): string {
  return typeof value === 'string' ? value : String(Math.round(value * 100) / 100);
}

interface TextStyle {
  size: number;
  fill: string;
  weight?: 400 | 600 | 700;
  anchor?: 'start' | 'middle' | 'end';
}

export function svgText(x: number, y: number, text: string, style: TextStyle): string {
  const anchor = style.anchor === undefined ? '' : ` text-anchor="${style.anchor}"`;
  return `<text x="${at(x)}" y="${at(y)}" font-size="${at(style.size)}" font-weight="${style.weight ?? 400}" fill="${style.fill}"${anchor}>${escapeXml(text)}</text>`;
}

export function svgRect(
  x: Length,
  y: number,
  width: Length,
  height: Length,
  fill: string,
  radius = 0,
): string {
  const round = radius === 0 ? '' : ` rx="${at(radius)}"`;
  return `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" fill="${fill}"${round}/>`;
}

export function svgFrame(x: number, y: number, width: Length, height: number, stroke: string): string {
  return `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" fill="none" stroke="${stroke}" stroke-width="1.5"/>`;
}

export function svgLine(x1: Length, y1: Length, x2: Length, y2: Length, stroke: string, width = 1): string {
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${stroke}" stroke-width="${width}"/>`;
}
