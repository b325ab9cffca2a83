import type { Distribution } from '../../../../shared/model/names.ts';
import type { Random } from '../../../random.ts';

/** Draws of row ids in 1…size. Source: sysbench 1.0.20, for zipfian later versions. */

type Draw = (tableSize: number, random: Random) => number;

/** `--rand-spec-iter`. */
const MEAN_OF = 12;
/** `--rand-spec-pct`, mid-table. */
const SPECIAL_IDS = 0.01;
/** `--rand-spec-res`. */
const SPECIAL_PICKS = 0.75;
/** `--rand-pareto-h`. */
const PARETO_H = 0.2;
/** P(u^power ≤ h) = 1 − h for uniform u. */
const PARETO_POWER = Math.log(PARETO_H) / Math.log(1 - PARETO_H);
/** `--rand-zipfian-exp`. */
const ZIPF_EXPONENT = 0.8;

function meanOfUniforms(random: Random): number {
  let sum = 0;
  for (let i = 0; i < MEAN_OF; i++) sum += random();
  return sum / MEAN_OF;
}

function uniform(tableSize: number, random: Random): number {
  return 1 + Math.floor(random() * tableSize);
}

function gaussian(tableSize: number, random: Random): number {
  return 1 + Math.floor(meanOfUniforms(random) * tableSize);
}

/**
 * sysbench, too, chooses and places a pick by one number, so the first quarter of the preferred ids stays
 * empty.
 */
function special(tableSize: number, random: Random): number {
  const last = tableSize - 1;
  const choice = random();
  if (choice < 1 - SPECIAL_PICKS && last > 0) return 1 + Math.floor(meanOfUniforms(random) * last);
  const width = last * SPECIAL_IDS;
  return 1 + Math.floor(choice * (width + 1) + last / 2 - width / 2);
}

function pareto(tableSize: number, random: Random): number {
  return 1 + Math.floor(tableSize * random() ** PARETO_POWER);
}

function zipfIntegral(x: number): number {
  return x ** (1 - ZIPF_EXPONENT) / (1 - ZIPF_EXPONENT);
}

function zipfIntegralInverse(area: number): number {
  return ((1 - ZIPF_EXPONENT) * area) ** (1 / (1 - ZIPF_EXPONENT));
}

const ZIPF_START = zipfIntegral(1.5) - 1;
const ZIPF_SQUEEZE = 2 - zipfIntegralInverse(zipfIntegral(2.5) - 2 ** -ZIPF_EXPONENT);

/** Rejection-inversion (Hörmann and Derflinger 1996, ACM TOMACS 6(3)); id 1 is the most frequent. */
function zipfian(tableSize: number, random: Random): number {
  const end = zipfIntegral(tableSize + 0.5);
  for (;;) {
    const area = end + random() * (ZIPF_START - end);
    const x = zipfIntegralInverse(area);
    const rank = Math.min(tableSize, Math.max(1, Math.floor(x + 0.5)));
    if (rank - x <= ZIPF_SQUEEZE || area >= zipfIntegral(rank + 0.5) - rank ** -ZIPF_EXPONENT) return rank;
  }
}

export const idDraws: Readonly<Record<Distribution, Draw>> = {
  uniform,
  special,
  gaussian,
  pareto,
  zipfian,
};
