import type { ChartDataset } from 'chart.js';
import type { LineStyle } from './palette.ts';
import { pointsOf, type Placed, type Point, type Series } from './series.ts';

export type LineDataset = ChartDataset<'line', Point[]>;

/** How the series of a chart look now. */
export interface Look {
  styles: ReadonlyMap<string, LineStyle>;
  hidden: ReadonlySet<string>;
  /** The scenario that is pointed at; the others step back. */
  highlighted: string | undefined;
  /** The scenario that is measured now, drawn bolder. */
  current: string | undefined;
  /** Of a series without a style. */
  color: string;
}

const POINTS = { circle: 'circle', diamond: 'rectRot', triangle: 'triangle', square: 'rect' } as const;
/** A series with more points than this is drawn with a thin, plain pen and without marks: dashes and marks would touch. */
const MOST_MARKED = 200;
const PLAIN: LineStyle = { color: '', dash: [], mark: 'circle' };

interface Kept {
  dataset: LineDataset;
  parts: Point[][];
  look: string;
}

/**
 * The datasets of a chart, two for each series: the trials that have ended, and the one that goes on. What has not changed
 * stays the same object and keeps its version, so that nobody has to lay it out or draw it anew.
 */
export class LineDatasets {
  #kept = new Map<string, Kept>();
  readonly #versions = new WeakMap<object, number>();
  readonly #growing = new WeakSet<object>();
  #lastVersion = 0;
  #isChanged = true;

  /** Whether the last update changed anything that can be seen. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** `step`: how much of the x axis is about as wide as a pen. */
  update(series: readonly Series[], step: number, look: Look): LineDataset[] {
    const before = this.#kept;
    this.#kept = new Map();
    this.#isChanged = false;
    for (const one of series) {
      const count = one.lines.reduce((sum, line) => sum + pointsOf(line, step).length, 0);
      for (const isGrowing of [false, true]) {
        const lines = one.lines.filter((line) => line.isGrowing === isGrowing);
        if (isGrowing && lines.length === 0) continue;
        const key = `${one.scenarioId} ${isGrowing}`;
        this.#kept.set(key, this.#dataset(before.get(key), one, lines, count, step, look));
      }
    }
    if (this.#kept.size !== before.size) this.#isChanged = true;
    return [...this.#kept.values()].map(({ dataset }) => dataset);
  }

  /** A number of its own whenever the dataset has changed; undefined for a trial that goes on. */
  versionOf(dataset: object): number | undefined {
    return this.#growing.has(dataset) ? undefined : this.#versions.get(dataset);
  }

  #dataset(
    kept: Kept | undefined,
    { scenarioId, name }: Series,
    lines: readonly Placed[],
    count: number,
    step: number,
    look: Look,
  ): Kept {
    const parts = lines.map((line) => pointsOf(line, step));
    const isGrowing = lines.some((line) => line.isGrowing);
    const drawn = { label: name, ...looks(scenarioId, count, isGrowing, look) };
    const text = JSON.stringify(drawn);
    const isSame =
      kept?.parts.length === parts.length && parts.every((part, index) => part === kept.parts[index]);
    if (kept !== undefined && isSame && kept.look === text) return kept;
    const dataset = kept?.dataset ?? { data: [] };
    const [points = []] = parts;
    const isAlike = isGrowing && kept?.look === text && looksAlike(kept.parts[0] ?? [], points);
    if (!isAlike) this.#isChanged = true;
    Object.assign(dataset, drawn, isSame ? {} : { data: parts.flat() });
    this.#versions.set(dataset, ++this.#lastVersion);
    if (isGrowing) this.#growing.add(dataset);
    return { dataset, parts, look: text };
  }
}

/**
 * Whether a line that has grown looks as before: its end lies between the lowest and the highest value of its stretch,
 * which are there already and no wider than a pen. In a run of hours this holds for nine windows of ten.
 */
function looksAlike(before: readonly Point[], after: readonly Point[]): boolean {
  if (before.length !== after.length) return false;
  // The end, and the gap after it.
  const last = after.length - 2;
  const [one, other, end] = [after[last - 2]?.y, after[last - 1]?.y, after[last]?.y];
  if (typeof one !== 'number' || typeof other !== 'number' || typeof end !== 'number') return false;
  if (end < Math.min(one, other) || end > Math.max(one, other)) return false;
  return after.every(
    ({ x, y }, index) => index >= last || (before[index]?.x === x && before[index]?.y === y),
  );
}

function looks(scenarioId: string, points: number, isGrowing: boolean, look: Look): Partial<LineDataset> {
  const style = look.styles.get(scenarioId) ?? { ...PLAIN, color: look.color };
  const stepsBack = look.highlighted !== undefined && look.highlighted !== scenarioId;
  const color = stepsBack ? `${style.color}40` : style.color;
  const standsOut = (look.highlighted ?? look.current) === scenarioId;
  const isMarked = points <= MOST_MARKED;
  const pen = isMarked ? { thin: 2, bold: 3.5 } : { thin: 1, bold: 1.75 };
  const radius = style.mark === 'circle' ? 1.5 : 3.5;
  return {
    hidden: look.hidden.has(scenarioId),
    borderColor: color,
    backgroundColor: color,
    borderDash: isMarked ? style.dash : [],
    borderJoinStyle: isMarked ? 'miter' : 'bevel',
    borderWidth: standsOut ? pen.bold : pen.thin,
    pointStyle: POINTS[style.mark],
    pointRadius: isMarked ? radius : 0,
    pointHoverRadius: 5,
    pointHitRadius: 8,
    spanGaps: false,
    // The lowest is drawn last. What grows has to be on top: all else is one picture.
    order: isGrowing ? -2 : standsOut ? -1 : 0,
  };
}
