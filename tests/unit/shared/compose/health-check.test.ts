import { expect, it } from 'vitest';
import {
  checkOfChange,
  healthChange,
  healthCheckOf,
  neededCheck,
  patienceSeconds,
} from '../../../../src/shared/compose/health-check.ts';

it('reads when a health check gives up, with Docker’s defaults', () => {
  const test = ['CMD', 'mysqladmin', 'ping', '-h', '127.0.0.1'];
  const usual = healthCheckOf({ healthcheck: { test } });
  expect(usual).toEqual({ intervalSeconds: 30, retries: 3, startPeriodSeconds: 0, isFooled: false });
  expect(usual && patienceSeconds(usual)).toBe(90);
  const own = healthCheckOf({ healthcheck: { test, interval: '5s', retries: 10, start_period: '1m30s' } });
  expect(own && patienceSeconds(own)).toBe(140);
  expect(healthCheckOf({})).toBeNull();
  expect(healthCheckOf({ healthcheck: { test: ['NONE'] } })).toBeNull();
  expect(healthCheckOf({ healthcheck: { test, disable: true } })).toBeNull();
});

it.each([
  ['mysqladmin ping', true],
  ['mysqladmin ping -h localhost -u root', true],
  ['mysqladmin ping -h 127.0.0.1', false],
  ['mysqladmin ping --host=db', false],
  ['mysqladmin ping --protocol=TCP', false],
  ['mariadb -e "SELECT 1"', true],
  ['healthcheck.sh --innodb_initialized', true],
  ['healthcheck.sh --connect --innodb_initialized', false],
  ['nc -z localhost 3306', false],
])('knows whether the server that runs the scripts passes %s: %s', (words, isFooled) => {
  const lists = [
    ['CMD-SHELL', words],
    ['CMD', ...words.split(' ')],
  ];
  for (const test of lists) expect(healthCheckOf({ healthcheck: { test } })?.isFooled).toBe(isFooled);
});

it('needs the slowest start and half of it, in steps of 10 s, unless it waits that long already', () => {
  const own = { intervalSeconds: 5, retries: 10, startPeriodSeconds: 0, isFooled: false };
  expect(neededCheck(92_000, own)).toEqual({ startPeriodSeconds: 140, retries: 10 });
  expect(neededCheck(92_000, { ...own, retries: 1 })).toEqual({ startPeriodSeconds: 140, retries: 3 });
  expect(neededCheck(92_000, null)).toEqual({ startPeriodSeconds: 140, retries: 3 });
  expect(neededCheck(33_000, own)).toBeUndefined();
  expect(neededCheck(34_000, own)).toEqual({ startPeriodSeconds: 60, retries: 10 });
  expect(checkOfChange(healthChange({ startPeriodSeconds: 140, retries: 10 }).level)).toEqual({
    ...{ startPeriodSeconds: 140, retries: 10 },
  });
});
