import type { SaidParts } from '../model/scenario-label.ts';
import { spoken } from './spoken.ts';
import type { Translate } from './i18n.ts';

/**
 * "in the regime “In memory” with the driver sysbench, with 8 connections"; undefined where all is compared with one
 * baseline.
 */
export function whereText({ regime, driver, connections }: SaidParts, t: Translate): string | undefined {
  const where = partsText({ regime: regime === null ? null : spoken(regime, t.language), driver }, t);
  if (connections === null) return where;
  const level = t('report:where.connections', { count: connections });
  return where === undefined ? level : t('report:where.withConnections', { where, level });
}

function partsText({ regime, driver }: Omit<SaidParts, 'connections'>, t: Translate): string | undefined {
  if (regime !== null && driver !== null) return t('report:where.both', { regime, driver });
  if (regime !== null) return t('report:where.regime', { regime });
  return driver === null ? undefined : t('report:where.driver', { driver });
}
