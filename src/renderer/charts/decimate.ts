export interface Point {
  x: number;
  y: number | null;
}

/** NaN: no value. Rows from `length` on are spare. */
export interface Line {
  length: number;
  x: Float32Array;
  y: Float32Array;
}

/**
 * The extremes of every range of width `step`, in order, and both ends of the line, so no peak is lost. Ranges
 * begin at multiples of `step`, so a growing line keeps its points. A range without values breaks the line. Adds
 * `shift` to x first.
 */
export function decimate({ length, x, y }: Line, step: number, shift = 0): Point[] {
  const points: Point[] = [];
  let stretch = NaN;
  let low = -1;
  let high = -1;
  const give = (index: number): void => {
    const at = (x[index] ?? 0) + shift;
    const last = points.at(-1);
    if (last !== undefined && last.x === at && last.y !== null) return;
    points.push({ x: at, y: y[index] ?? null });
  };
  let first = 0;
  const close = (): void => {
    if (Number.isNaN(stretch)) return;
    if (low >= 0) {
      give(Math.min(low, high));
      give(Math.max(low, high));
    } else points.push({ x: (x[first] ?? 0) + shift, y: null });
  };
  for (let index = 0; index < length; index++) {
    const own = Math.floor(((x[index] ?? 0) + shift) / step);
    if (own !== stretch) {
      close();
      stretch = own;
      first = index;
      low = high = -1;
    }
    const value = y[index] ?? NaN;
    if (Number.isNaN(value)) continue;
    if (low < 0 || value < (y[low] ?? 0)) low = index;
    if (high < 0 || value >= (y[high] ?? 0)) high = index;
  }
  close();
  return withEnds(points, { length, x, y }, shift);
}

function withEnds(points: Point[], { length, x, y }: Line, shift: number): Point[] {
  const end = (index: number): Point => ({ x: (x[index] ?? 0) + shift, y: y[index] ?? null });
  const isGone = (index: number, previous: Point | undefined): boolean =>
    length > 0 && !Number.isNaN(y[index] ?? NaN) && previous?.x !== end(index).x;
  if (isGone(0, points[0])) points.unshift(end(0));
  if (isGone(length - 1, points.at(-1))) points.push(end(length - 1));
  return points;
}
