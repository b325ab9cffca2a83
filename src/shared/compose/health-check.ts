import type { DatabaseChange } from '../model/database.ts';
import type { HealthCheck } from '../model/task.ts';
import type { ComposeService } from './model.ts';

/** Docker's defaults. Dockerfile reference, "HEALTHCHECK". */
const USUAL = { intervalSeconds: 30, retries: 3, startPeriodSeconds: 0 };
const CLIENT = /\b(?:mysqladmin|mariadb-admin|mysql|mariadb)\b|\bhealthcheck\.sh\b/;
const OVER_TCP = /(?:-h|--host)[=\s,"']*(?!localhost\b)[\w.$%-]|--protocol[=\s,"']*tcp|--connect\b/i;

/** Null: there is none, or it is off. */
export function healthCheckOf({ healthcheck }: Pick<ComposeService, 'healthcheck'>): HealthCheck | null {
  const test = healthcheck?.test ?? [];
  if (test.length === 0 || test[0] === 'NONE' || healthcheck?.disable === true) return null;
  const words = test.join(' ');
  return {
    intervalSeconds: secondsOf(healthcheck?.interval) || USUAL.intervalSeconds,
    retries: healthcheck?.retries ?? USUAL.retries,
    startPeriodSeconds: secondsOf(healthcheck?.start_period),
    isFooled: CLIENT.test(words) && !OVER_TCP.test(words),
  };
}

const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 };

/** Seconds of a duration such as "1m30s"; 0 for none. */
function secondsOf(duration: string | null | undefined): number {
  const parts = [...(duration ?? '').matchAll(/(\d+(?:\.\d+)?)(ms|us|ns|h|m|s)/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

/** Seconds until a container counts as unhealthy. */
export function patienceSeconds({ intervalSeconds, retries, startPeriodSeconds }: HealthCheck): number {
  return startPeriodSeconds + intervalSeconds * retries;
}

export type NeededCheck = Pick<HealthCheck, 'startPeriodSeconds' | 'retries'>;

/** A share of the slowest start, added for busier machines. */
const MARGIN = 0.5;
const STEP_SECONDS = 10;

/** Undefined: `own` waits long enough. Failures count only after `start_period`. */
export function neededCheck(slowestMs: number, own: HealthCheck | null): NeededCheck | undefined {
  const seconds = ((1 + MARGIN) * slowestMs) / 1000;
  if (own !== null && patienceSeconds(own) >= seconds) return undefined;
  return {
    startPeriodSeconds: STEP_SECONDS * Math.ceil(seconds / STEP_SECONDS),
    retries: Math.max(own?.retries ?? 0, USUAL.retries),
  };
}

/** The level has the start period and the retries: "140s,3". */
export function healthChange({ startPeriodSeconds, retries }: NeededCheck): DatabaseChange {
  return { factor: 'healthcheck', level: `${startPeriodSeconds}s,${retries}` };
}

export function checkOfChange(level: string): NeededCheck {
  const [period = '', retries = ''] = level.split(',');
  return { startPeriodSeconds: secondsOf(period), retries: Number(retries) };
}
