import { timeByKey, totalUs, WAITS, type TimePart, type Wait } from '../analysis/waterfall.ts';
import { formatLatency, formatNumber } from '../units.ts';
import type { Translate } from '../words/i18n.ts';
import { partName, waitName } from '../words/waterfall-wording.ts';
import { scaleTo, type Scale } from './bars.ts';
import { box, type CardNode, picture, text } from './card-node.ts';
import { at, type Color, escapeXml, ink, svgLine, svgRect } from './svg.ts';

export interface Stack {
  parts: readonly TimePart[];
  mostUs: number;
}

/** The sign replaces the color in texts. */
interface Look {
  color: Color;
  sign: string;
}

const WAIT_LOOKS: Record<Wait, Look> = {
  network: { color: 'curve-1', sign: '░' },
  flush: { color: 'curve-2', sign: '▒' },
};
const SERVER = 'same';
/** The server's parts share a color, because the bar names them. */
const PART_LOOKS: Record<TimePart['part'], Look> = {
  begin: { color: SERVER, sign: 'B' },
  read: { color: SERVER, sign: 'R' },
  lock: { color: SERVER, sign: 'L' },
  write: { color: SERVER, sign: 'W' },
  commit: { color: SERVER, sign: 'C' },
  container: { color: 'curve-1', sign: 'C' },
  initialization: { color: 'curve-2', sign: 'I' },
  temporaryServer: { color: 'line', sign: 'T' },
  timeZones: { color: 'curve-3', sign: 'Z' },
  shellScripts: { color: 'accent', sign: 'H' },
  sqlFiles: { color: 'curve-5', sign: 'Q' },
  recovery: { color: 'curve-4', sign: 'R' },
  server: { color: SERVER, sign: 'S' },
  login: { color: 'curve-6', sign: 'L' },
  cpu: { color: SERVER, sign: 'C' },
  rest: { color: 'line', sign: '·' },
};

export function stackMostUs(all: readonly (readonly TimePart[])[]): number {
  return 1.02 * Math.max(0, ...all.map(totalUs));
}

function lookOf({ part, wait }: Pick<TimePart, 'part' | 'wait'>): Look {
  return wait === null ? PART_LOOKS[part] : WAIT_LOOKS[wait];
}

/** Items without a color are for texts only, without a sign for pictures only. */
export interface LegendItem {
  color: Color | '';
  sign: string;
  text: string;
}

export function legendOf(stacks: readonly Stack[], t: Translate): LegendItem[] {
  const all = timeByKey(stacks.flatMap(({ parts }) => parts));
  const statements = ['begin', 'read', 'lock', 'write', 'commit'] as const;
  const isLoad = statements.some((part) => all.has(part));
  return [
    ...WAITS.flatMap((wait) => (all.has(wait) ? [{ ...WAIT_LOOKS[wait], text: waitName(wait, t) }] : [])),
    ...(isLoad ? [{ color: SERVER, sign: '', text: t('report:waterfall.atServer') } as const] : []),
    ...(Object.keys(PART_LOOKS) as TimePart['part'][]).flatMap((part): LegendItem[] => {
      if (!all.has(part)) return [];
      const isNamed = statements.some((one) => one === part);
      return [{ ...PART_LOOKS[part], ...(isNamed ? { color: '' } : {}), text: partName(part, t) }];
    }),
  ];
}

const TEXT_WIDTH = 30;

/** "░░RRRRRRRR░WWWW▒▒CCC" */
export function stackText({ parts, mostUs }: Stack): string {
  let [us, drawn] = [0, ''];
  for (const one of parts) {
    us += one.us;
    const end = Math.round((TEXT_WIDTH * us) / mostUs);
    drawn += lookOf(one).sign.repeat(Math.max(0, end - drawn.length));
  }
  return drawn;
}

const HEIGHT = 22;
/** Pixels of a table's bar, and of a character. */
const LEAST_WIDTH = 400;
const CHARACTER = { narrow: 7, wide: 14, margins: 8 };

/** Centered at y = 0. */
function stackSvg({ parts }: Stack, scale: Scale, t: Translate): string {
  const drawn: string[] = [];
  let us = 0;
  for (const [index, one] of parts.entries()) {
    const name = [partName(one.part, t), ...(one.wait === null ? [] : [waitName(one.wait, t)])];
    const about = { name: name.join(t('report:list.parts')), value: formatLatency(one.us, t.language) };
    const rect = svgRect(scale.x(us), -HEIGHT / 2, scale.x(one.us), HEIGHT, ink(lookOf(one).color));
    drawn.push(`<g><title>${escapeXml(t('report:list.named', about))}</title>${rect}</g>`);
    us += one.us;
    if (parts[index + 1]?.part === one.part) continue;
    drawn.push(svgLine(scale.x(us), -HEIGHT / 2, scale.x(us), HEIGHT / 2, ink('surface'), 2));
  }
  return drawn.join('');
}

function labelsOf({ parts, mostUs }: Stack, t: Translate): { name: string; atUs: number; us: number }[] {
  let atUs = 0;
  return [...partsTogether(parts)].flatMap(([part, us]) => {
    const label = { name: partName(part, t), atUs, us };
    atUs += us;
    return widthOf(label.name) <= (LEAST_WIDTH * us) / mostUs ? [label] : [];
  });
}

function partsTogether(parts: readonly TimePart[]): Map<TimePart['part'], number> {
  const together = new Map<TimePart['part'], number>();
  for (const { part, us } of parts) together.set(part, (together.get(part) ?? 0) + us);
  return together;
}

function widthOf(text: string): number {
  const { narrow, wide, margins } = CHARACTER;
  return [...text].reduce((sum, one) => sum + (one > '\u2e80' ? wide : narrow), margins);
}

export function stackCell(stack: Stack, scale: Scale, t: Translate): string {
  const labels = labelsOf(stack, t).map(
    ({ name, atUs, us }) =>
      `<svg x="${at(scale.x(atUs))}" y="${-HEIGHT / 2}" width="${at(scale.x(us))}" height="${HEIGHT}"><text class="part" x="5" y="15.5">${escapeXml(name)}</text></svg>`,
  );
  return `<svg y="50%" overflow="visible">${stackSvg(stack, scale, t)}${labels.join('')}</svg>`;
}

/** The card's drawings have no texts. */
export function stackNode(stack: Stack, width: number, t: Translate): CardNode {
  const scale = scaleTo(stack.mostUs, width);
  const drawn = `<g transform="translate(0 ${HEIGHT / 2})">${stackSvg(stack, scale, t)}</g>`;
  return box('stack', [
    picture(drawn, width, HEIGHT),
    ...labelsOf(stack, t).map(({ name, atUs }) => ({
      ...text('part', name),
      style: { left: Number(scale.x(atUs)) + 5 },
    })),
  ]);
}

/** "7.5 ms", in the unit of the axis's end. */
export function axisTimeText(us: number, mostUs: number, t: Translate): string {
  const [size, unit] = mostUs >= 1e6 ? [1e6, 's'] : mostUs >= 1000 ? [1000, 'ms'] : [1, 'µs'];
  const value = Math.round((100 * us) / size) / 100;
  return `${formatNumber(value, Number.isInteger(value) ? 0 : Number.isInteger(10 * value) ? 1 : 2, t.language)} ${unit}`;
}

export function swatchSvg(color: Color): string {
  return svgRect(0, 0, 12, 12, ink(color), 2);
}
