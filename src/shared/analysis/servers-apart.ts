import { type Component, type NullContrast, nullBasis, serversApart } from '../statistics/components.ts';
import { ENOUGH_SAMPLES } from '../statistics/estimate.ts';
import { commonSamples, contrastParts, measuredOf, type Servers, type Term } from './contrast.ts';
import type { CrossedScenario } from './effects.ts';
import { levelOf } from '../model/factors.ts';
import { passOf, roundOf, type Samples, type Speeds } from './samples.ts';

/**
 * Contrasts that are 0 if all servers of a storage type are alike: a baseline's two measurements, storage by
 * network path (clones), and the change from one start to the next.
 */
export function nullContrastsOf(
  scenarios: readonly CrossedScenario[],
  rates: Speeds,
  expected: Component,
): Record<keyof Servers, NullContrast[]> {
  const grids = gridsOf(scenarios, rates);
  const start = grids.flatMap(startContrasts);
  const apart = serversApart(start, expected);
  return { start, clone: grids.flatMap((one) => cloneContrasts(one, apart)) };
}

interface Grid {
  cells: readonly { scenario: CrossedScenario; speeds: Samples }[];
  samples: readonly number[];
}

function gridsOf(scenarios: readonly CrossedScenario[], rates: Speeds): Grid[] {
  const grids = new Map<string, Grid['cells'][number][]>();
  for (const scenario of scenarios) {
    const speeds = rates.get(scenario.id);
    if (speeds === undefined || speeds.size < ENOUGH_SAMPLES) continue;
    const { engine, server, loadGenerator, connections } = scenario;
    const key = JSON.stringify([engine, server, loadGenerator, connections]);
    grids.set(key, [...(grids.get(key) ?? []), { scenario, speeds }]);
  }
  return [...grids.values()].flatMap((cells) => {
    const samples = commonSamples(cells.map(({ speeds }) => speeds));
    return samples.length < ENOUGH_SAMPLES ? [] : [{ cells, samples }];
  });
}

function cloneContrasts({ cells, samples }: Grid, start: Component): NullContrast[] {
  const rowsBy = (keyOf: (scenario: CrossedScenario) => string): number[][] => {
    const keys = cells.map(({ scenario }) => keyOf(scenario));
    return [...new Set(keys)].map((key) => keys.map((one) => (one === key ? 1 : 0)));
  };
  const effects = [
    ...rowsBy(() => ''),
    ...rowsBy(({ storageId }) => storageId),
    ...rowsBy((one) => levelOf(one, 'path')),
  ];
  // Contrasts within servers reveal nothing about them.
  const within = nullBasis([...effects, ...rowsBy(({ serverId }) => serverId)], cells.length);
  const all = measuredOf(cells, samples);
  return nullBasis([...effects, ...within], cells.length).flatMap((weights) => {
    const parts = contrastParts(termsOf(cells, weights), samples, start, true, all);
    if (parts === null || parts.measured === null) return [];
    const { mean, measured, serverShare, startShare } = parts;
    const variance = measured.variance + serverShare * startShare * start.variance;
    return [{ mean, variance, degrees: measured.degrees, share: serverShare }];
  });
}

/** Each start against the mean of the starts before. */
function startContrasts({ cells, samples }: Grid): NullContrast[] {
  const rounds = [...new Set(samples.map(roundOf))]
    .map((round) => samples.filter((sample) => roundOf(sample) === round && passOf(sample) > 0))
    .filter((own) => own.length >= ENOUGH_SAMPLES)
    .map((own) => ({ own, all: measuredOf(cells, own) }));
  const servers = [...new Set(cells.map(({ scenario }) => scenario.serverId))];
  if (rounds.length < 2 || servers.length < 2) return [];
  const paths = cells.map(({ scenario }) => servers.indexOf(scenario.serverId));
  const counts = servers.map((_, server) => paths.filter((one) => one === server).length);
  return nullBasis([servers.map(() => 1)], servers.length).flatMap((byServer) => {
    const weights = paths.map((server) => (byServer[server] ?? 0) / (counts[server] ?? 1));
    const terms = termsOf(cells, weights);
    const means = rounds.flatMap(({ own, all }) => {
      const parts = contrastParts(terms, own, { variance: 0, degrees: 0 }, false, all);
      return parts === null || parts.measured === null ? [] : [{ mean: parts.mean, ...parts.measured }];
    });
    return means.slice(1).map(({ mean, variance, degrees }, index): NullContrast => {
      const before = means.slice(0, index + 1);
      const count = before.length;
      const sum = (of: (one: { mean: number; variance: number }) => number): number =>
        before.reduce((all, one) => all + of(one), 0);
      return {
        mean: mean - sum((one) => one.mean) / count,
        variance: variance + sum((one) => one.variance) / count ** 2,
        degrees,
        share: 1 + 1 / count,
      };
    });
  });
}

function termsOf(cells: Grid['cells'], weights: readonly number[]): Term[] {
  return cells.flatMap(({ scenario, speeds }, at): Term[] => {
    const weight = weights[at] ?? 0;
    return [{ speeds, weight, servers: new Map([[scenario.serverId, 1]]) }];
  });
}
