import type { Analysis } from '../model/analysis.ts';
import { TPCC_TYPES } from '../model/workload.ts';
import { percentText } from './effect-wording.ts';
import { figureTitle } from './figures.ts';
import type { Translate } from './i18n.ts';
import { rowName } from './labels.ts';
import { formatLatency } from './units.ts';

const COLUMNS = ['scenario', 'type', 'share'] as const;
const FIGURES = ['mean', 'p50', 'p95', 'p99', 'max'] as const;

/** The first row is the header; empty without types. */
export function transactionRows(analysis: Analysis, t: Translate): string[][] {
  const rows = analysis.scenarios.flatMap((scenario) =>
    TPCC_TYPES.flatMap((type) => {
      const one = scenario.figures.transactionTypes[type];
      if (one === undefined) return [];
      return [
        [
          rowName(scenario, analysis, t),
          t(`report:transactions.types.${type}`),
          `${percentText(one.each, t)}%`,
          ...FIGURES.map((figure) => formatLatency(one[`${figure}Us`], t.language)),
        ],
      ];
    }),
  );
  if (rows.length === 0) return [];
  const header = COLUMNS.map((column) => t(`report:transactions.columns.${column}`));
  return [[...header, ...FIGURES.map((figure) => figureTitle(figure, t))], ...rows];
}
