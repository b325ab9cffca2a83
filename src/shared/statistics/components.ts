export interface Component {
  variance: number;
  degrees: number;
}

/** Until a record says more, equal servers differ by 0.7%, and by as much again per start. */
export const SERVERS_APART: Component = { variance: 0.007 ** 2, degrees: 4 };

/** A difference that would be 0 if equal servers were alike. */
export interface NullContrast {
  mean: number;
  /** Estimated variance of the mean. */
  variance: number;
  degrees: number;
  /** Sum of the servers' squared weights. */
  share: number;
}

/**
 * The variance that explains the contrasts' scatter (Paule & Mandel, J. Res. Natl. Bur. Stand. 87(5), 1982,
 * doi:10.6028/jres.087.022), moderated by the expected one (Smyth, Stat. Appl. Genet. Mol. Biol. 3(1), 2004,
 * doi:10.2202/1544-6115.1027).
 */
export function serversApart(contrasts: readonly NullContrast[], expected: Component): Component {
  const own = withoutEffects(contrasts);
  const count = own.length;
  if (count === 0) return expected;
  const excess = (between: number): number =>
    own.reduce((sum, { mean, variance, degrees, share }) => {
      const all = variance + share * between;
      // An estimate in the denominator makes the ratio's expectation greater than 1.
      const ratio = all === 0 ? 0 : mean ** 2 / all - (2 * (variance / all) ** 2) / Math.max(degrees, 1);
      return sum + ratio;
    }, -count);
  let [low, high] = [0, 0];
  if (excess(0) > 0) {
    high = MOST_APART;
    if (excess(high) > 0) low = high;
    for (let step = 0; step < 40; step++) {
      const middle = (low + high) / 2;
      if (excess(middle) > 0) low = middle;
      else high = middle;
    }
  }
  const degrees = expected.degrees + count;
  const variance = (expected.degrees * expected.variance + (count * (low + high)) / 2) / degrees;
  return { variance, degrees };
}

/** A larger variance is another factor's effect. */
export const MOST_APART = 0.03 ** 2;
const MOST_DEVIATIONS = 3;

/** Leaves out what servers apart by `MOST_APART` can't explain: effects that depend on another factor. */
export function withoutEffects(contrasts: readonly NullContrast[]): NullContrast[] {
  return contrasts.filter(
    ({ mean, variance, share }) => mean ** 2 <= MOST_DEVIATIONS ** 2 * (variance + share * MOST_APART),
  );
}

/** Source: Satterthwaite, Biometrics Bulletin 2(6), 1946, doi:10.2307/3002019. */
export function sumOfComponents(parts: readonly Component[]): Component {
  const variance = parts.reduce((sum, one) => sum + one.variance, 0);
  const squares = parts.reduce((sum, one) => sum + (one.variance ** 2 || 0) / Math.max(one.degrees, 1), 0);
  const most = Math.max(...parts.map(({ degrees }) => degrees));
  return { variance, degrees: squares === 0 ? most : variance ** 2 / squares };
}

/** An orthonormal basis of the rows' null space. */
export function nullBasis(rows: readonly (readonly number[])[], width: number): number[][] {
  const taken: number[][] = [];
  for (const row of rows) addDirection(taken, row);
  const rank = taken.length;
  for (let at = 0; at < width && taken.length < width; at++) {
    addDirection(
      taken,
      Array.from({ length: width }, (_, index) => (index === at ? 1 : 0)),
    );
  }
  return taken.slice(rank);
}

/** Gram–Schmidt runs twice, so that rounding leaves nothing. */
function addDirection(basis: number[][], row: readonly number[]): void {
  const left = [...row];
  const length = norm(left);
  for (let pass = 0; pass < 2; pass++) {
    for (const one of basis) {
      const part = dot(one, left);
      for (let at = 0; at < left.length; at++) left[at] = (left[at] ?? 0) - part * (one[at] ?? 0);
    }
  }
  const rest = norm(left);
  if (rest > 1e-9 * Math.max(1, length)) basis.push(left.map((value) => value / rest));
}

function dot(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

function norm(vector: readonly number[]): number {
  return Math.sqrt(dot(vector, vector));
}
