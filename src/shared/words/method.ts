import { FIGURE_KEYS, type FigureKey, figureOf } from './figures.ts';

const OTHER_ANCHORS = {
  headline: 'headline',
  effect: 'effects',
  advice: 'what-to-do',
  aaCheck: 'aa-check',
  ratio: 'ratio',
  interval: 'interval',
  verdict: 'verdict',
  published: 'published-results',
  steadiness: 'steadiness',
  tpcc: 'tpc-c-like',
  charts: 'charts',
  hostWatch: 'background-activity',
  sweep: 'connection-sweep',
  waterfall: 'where-the-time-goes',
  estimate: 'estimate',
  rounds: 'rounds-and-pairs',
  untilConclusive: 'run-until-conclusive',
  dataset: 'dataset',
  clientLimited: 'client-limited',
  betweenRuns: 'between-runs',
} as const;

export type Figure = FigureKey | keyof typeof OTHER_ANCHORS;

/** Headings of docs/explanation/method.md, linked from the app. */
export const METHOD_ANCHORS = {
  ...OTHER_ANCHORS,
  ...Object.fromEntries(FIGURE_KEYS.map((key) => [key, figureOf(key).anchor])),
} as Record<Figure, string>;
