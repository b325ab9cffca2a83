/**
 * Student's t distribution by the regularized incomplete beta function (DLMF 8.17.22,
 * https://dlmf.nist.gov/8.17, Lentz's method), quantiles by bisection.
 */

const TINY = 1e-300;
const PRECISE = 1e-15;

/** ln Γ(x) for x > 0 (Lanczos, g = 7, 9 terms; error below 1e-13). */
function logGamma(x: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
    -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];
  const shifted = x - 1;
  const base = shifted + 7.5;
  const sum = terms.reduce((all, term, index) => all + term / (shifted + index + 1), 0.99999999999980993);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}

/** Converges quickly for x < (a + 1) / (a + b + 2). */
function betaFraction(a: number, b: number, x: number): number {
  const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < PRECISE) break;
  }
  return result;
}

/** Regularized Iₓ(a, b) for a, b > 0. */
function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(a, b, x)) / a
    : 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

/** P(T > t) for t ≥ 0. */
function upperTail(t: number, degrees: number): number {
  return 0.5 * incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t));
}

/** P(T ≤ t) for `degrees` > 0. */
export function studentTCdf(t: number, degrees: number): number {
  return t < 0 ? upperTail(-t, degrees) : 1 - upperTail(t, degrees);
}

/** The t with P(T ≤ t) = `probability`. Throws a RangeError outside of its domain. */
export function studentTQuantile(probability: number, degrees: number): number {
  if (!(probability > 0 && probability < 1) || !(degrees > 0)) {
    throw new RangeError(`no t quantile for probability ${probability}, ${degrees} degrees of freedom`);
  }
  if (probability < 0.5) return -studentTQuantile(1 - probability, degrees);
  const key = `${probability} ${degrees}`;
  const found = known.get(key) ?? bisected(1 - probability, degrees);
  if (known.size >= 1000) known.clear();
  known.set(key, found);
  return found;
}

const known = new Map<string, number>();

function bisected(tail: number, degrees: number): number {
  let low = 0;
  let high = 1;
  while (upperTail(high, degrees) > tail && high < 1e12) high *= 2;
  for (let step = 0; step < 200 && high - low > 1e-14 * high; step++) {
    const middle = (low + high) / 2;
    if (upperTail(middle, degrees) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
