import type { ChartDataset } from 'chart.js';
import type { LineStyle } from './palette.ts';
import { pointsOf, type Point, type Series } from './series.ts';

export type LineDataset = ChartDataset<'line', Point[]>;

export interface Look {
  styles: ReadonlyMap<string, LineStyle>;
  hidden: ReadonlySet<string>;
  highlighted: string | undefined;
  isDotted: boolean;
  color: string;
}

const POINTS = { circle: 'circle', diamond: 'rectRot', triangle: 'triangle', square: 'rect' } as const;
/** Longer or thinned series have thin, plain lines: dashes and marks would touch. */
const MOST_MARKED = 200;
const PLAIN: LineStyle = { color: '', dash: [], mark: 'circle' };

/** Points that move from the growing to the finished part at a time. */
const SETTLED_POINTS = 40;
/** The last range, end, and gap can still change. */
const FLOWING_POINTS = 4;

interface Kept {
  dataset: LineDataset;
  parts: Point[][];
  look: string;
}

/** The finished part of each series, and the growing end. Unchanged ones stay the same object and version. */
export class LineDatasets {
  #drawn = new Map<string, Kept>();
  #settled = new Map<string, { key: string; points: Point[] }>();
  readonly #versions = new WeakMap<object, number>();
  readonly #growing = new WeakSet<object>();
  #lastVersion = 0;
  #isChanged = true;

  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** `step`: width of a pen on the x axis. */
  update(series: readonly Series[], step: number, look: Look): LineDataset[] {
    const before = this.#drawn;
    this.#drawn = new Map();
    this.#isChanged = false;
    for (const { scenarioId, name, lines } of series) {
      const parts = lines.filter(({ isGrowing }) => !isGrowing).map((line) => pointsOf(line, step));
      const growing = lines.find(({ isGrowing }) => isGrowing);
      const points = growing === undefined ? [] : pointsOf(growing, step);
      const count = parts.reduce((sum, part) => sum + part.length, points.length);
      const isThinned = count < lines.reduce((sum, { length }) => sum + length, 0);
      const isMarked = count <= MOST_MARKED && !isThinned;
      const settled = growing === undefined || isMarked ? 0 : settledIn(points);
      if (settled > 0) parts.push(this.#settledPart(scenarioId, points.slice(0, settled), step));
      const ends = growing === undefined ? [] : [points.slice(Math.max(0, settled - 1))];
      for (const [key, own] of [
        [`${scenarioId} still`, parts] as const,
        [`${scenarioId} end`, ends] as const,
      ]) {
        const isEnd = own === ends;
        if (isEnd && ends.length === 0) continue;
        const drawn = { label: name, ...looks(scenarioId, isMarked, isEnd, look) };
        this.#drawn.set(key, this.#dataset(before.get(key), own, isEnd, drawn));
      }
    }
    if (this.#drawn.size !== before.size) this.#isChanged = true;
    return [...this.#drawn.values()].map(({ dataset }) => dataset);
  }

  versionOf(dataset: object): number | undefined {
    return this.#growing.has(dataset) ? undefined : this.#versions.get(dataset);
  }

  /** The same array until more points settle. */
  #settledPart(scenarioId: string, points: Point[], step: number): Point[] {
    const [first] = points;
    const last = points.at(-1);
    const key = JSON.stringify([step, first, last, points.length]);
    const known = this.#settled.get(scenarioId);
    if (known?.key === key) return known.points;
    const part = [...points, { x: last?.x ?? 0, y: null }];
    this.#settled.set(scenarioId, { key, points: part });
    return part;
  }

  #dataset(
    previous: Kept | undefined,
    parts: Point[][],
    isGrowing: boolean,
    drawn: Partial<LineDataset>,
  ): Kept {
    const look = JSON.stringify(drawn);
    const isSame =
      previous?.parts.length === parts.length && parts.every((part, index) => part === previous.parts[index]);
    if (previous !== undefined && isSame && previous.look === look) return previous;
    const dataset = previous?.dataset ?? { data: [] };
    const isAlike =
      isGrowing && previous?.look === look && looksAlike(previous.parts[0] ?? [], parts[0] ?? []);
    if (!isAlike) this.#isChanged = true;
    Object.assign(dataset, drawn, isSame ? {} : { data: parts.flat() });
    this.#versions.set(dataset, ++this.#lastVersion);
    if (isGrowing) this.#growing.add(dataset);
    return { dataset, parts, look };
  }
}

/** Points of a growing line that will not change. */
function settledIn(points: readonly Point[]): number {
  return Math.max(0, Math.floor((points.length - FLOWING_POINTS) / SETTLED_POINTS) * SETTLED_POINTS);
}

/** Whether a grown line looks the same, because its end lies between its range's drawn extremes. */
function looksAlike(before: readonly Point[], after: readonly Point[]): boolean {
  if (before.length !== after.length) return false;
  const last = after.length - 2;
  const [one, other, end] = [after[last - 2]?.y, after[last - 1]?.y, after[last]?.y];
  if (typeof one !== 'number' || typeof other !== 'number' || typeof end !== 'number') return false;
  if (end < Math.min(one, other) || end > Math.max(one, other)) return false;
  return after.every(
    ({ x, y }, index) => index >= last || (before[index]?.x === x && before[index]?.y === y),
  );
}

function looks(scenarioId: string, isMarked: boolean, isGrowing: boolean, look: Look): Partial<LineDataset> {
  const style = look.styles.get(scenarioId) ?? { ...PLAIN, color: look.color };
  const stepsBack = look.highlighted !== undefined && look.highlighted !== scenarioId;
  const color = stepsBack ? `${style.color}40` : style.color;
  const standsOut = look.highlighted === scenarioId;
  const pen = isMarked ? { thin: 2, bold: 3.5 } : { thin: 1, bold: 1.75 };
  const radius = style.mark === 'circle' ? 1.5 : 3.5;
  const dot = style.isHollow ? { pointRadius: 4.5, pointBorderWidth: 2 } : { pointRadius: radius + 1 };
  return {
    hidden: look.hidden.has(scenarioId),
    borderColor: color,
    backgroundColor: style.isHollow ? 'transparent' : color,
    borderDash: isMarked ? style.dash : [],
    borderJoinStyle: isMarked ? 'miter' : 'bevel',
    borderWidth: standsOut ? pen.bold : pen.thin,
    pointStyle: POINTS[style.mark],
    ...(look.isDotted ? { showLine: false, ...dot } : { pointRadius: isMarked ? radius : 0 }),
    pointHoverRadius: 5,
    pointHitRadius: 8,
    spanGaps: false,
    // Lowest is drawn last; growing parts must be on top of the cached picture.
    order: isGrowing ? -2 : standsOut ? -1 : 0,
  };
}
