import { MOST_ROUNDS } from '../statistics/looks.ts';
import { presetSchema, type Preset } from './preset.ts';
import { laidOver } from './preset-checks.ts';

/** What can be made of a preset. */

/** The preset with its short form laid over it, which `presetSchema` has checked; itself when it has none. */
export function shortForm(preset: Preset): Preset {
  const { short, ...full } = preset;
  return short === undefined ? preset : presetSchema.parse(laidOver(full, short));
}

/**
 * The preset as a run that goes on until every comparison is settled, measuring for `budgetMinutes` at the most; in its
 * short form, too.
 */
export function untilSettled(preset: Preset, budgetMinutes: number): Preset {
  const change = { rounds: MOST_ROUNDS, untilSettled: { budgetMinutes } };
  const { short } = preset;
  return {
    ...preset,
    schedule: { ...preset.schedule, ...change },
    ...(short === undefined ? {} : { short: { ...short, schedule: { ...short.schedule, ...change } } }),
  };
}

/**
 * The preset as a ramp over these numbers of connections; in its short form, too. Published numbers are of one number
 * of connections, so they stay behind. The levels are checked where the preset is.
 */
export function ramped(preset: Preset, levels: number[]): Preset {
  const change = { connections: undefined, ramp: levels };
  const { short } = preset;
  return {
    ...preset,
    ...change,
    reference: undefined,
    ...(short === undefined ? {} : { short: { ...short, ...change } }),
  };
}

/** The preset with so many transactions per second begun at planned moments; in its short form, too. */
export function rated(preset: Preset, rate: number): Preset {
  const { short } = preset;
  return { ...preset, rate, ...(short === undefined ? {} : { short: { ...short, rate } }) };
}
