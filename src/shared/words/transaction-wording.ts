import type { Analysis } from '../model/analysis.ts';
import { TPCC_TYPES } from '../model/workload.ts';
import { comparisonOf } from '../analysis/comparisons.ts';
import { asSentence, percentText } from './effect-wording.ts';
import type { Translate } from './i18n.ts';
import { labelText } from './labels.ts';
import { formatLatency } from './units.ts';

const COLUMNS = ['scenario', 'type', 'share', 'mean', 'p50', 'p95', 'p99', 'max'] as const;

/** Latency by transaction type, a row for each scenario and type; the first is the header. Empty without types. */
export function transactionRows(analysis: Analysis, t: Translate): string[][] {
  const rows = analysis.scenarios.flatMap(({ id, label, figures }) =>
    TPCC_TYPES.flatMap((type) => {
      const one = figures.transactionTypes[type];
      if (one === undefined) return [];
      return [
        [
          asSentence(labelText(label, t, comparisonOf(analysis, id)), t),
          t(`report:transactions.types.${type}`),
          `${percentText(one.each, t)}%`,
          ...[one.meanUs, one.p50Us, one.p95Us, one.p99Us, one.maxUs].map((us) =>
            formatLatency(us, t.language),
          ),
        ],
      ];
    }),
  );
  if (rows.length === 0) return [];
  return [COLUMNS.map((column) => t(`report:transactions.columns.${column}`)), ...rows];
}
