import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import { SETTING_NAMES } from '../../../src/shared/model/server-settings.ts';
import { IS_FULL } from '../../helpers/tier.ts';
import { realBench, runPlan, smallPlan } from '../helpers/bench.ts';

const ALL_DEFAULTS = Object.fromEntries(SETTING_NAMES.map((name) => [name, 'default']));

/** Names and bytes of the binary logs in the bind mounts below a folder. */
function binaryLogs(folder: string): [string, number][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|\/)binlog\.\d+$/.test(path))
    .map((path) => [path, statSync(join(folder, path)).size]);
}

describe('settings left to the server', () => {
  const bench = realBench();
  afterAll(() => vi.unstubAllEnvs());

  // MySQL's image has a binary log by default, MariaDB's has none.
  const cases = [
    { flavor: 'mysql', image: process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'mysql:8.4', binlog: 'default' },
    { flavor: 'mariadb', image: process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8', binlog: true },
  ];
  it.each(IS_FULL ? cases : cases.slice(0, 1))(
    'are those of the manual on $flavor, and binary logs don’t accumulate',
    async ({ image, binlog }) => {
      const plan = await smallPlan(bench.runtime, {
        server: { image, settings: { ...ALL_DEFAULTS, binlog } },
        workload: { kind: 'oltp_write_only', tables: 2, tableSize: 1000 },
        grid: { storages: ['bind-mount'], paths: ['published-port'] },
        baseline: 'bind-mount.published-port',
        schedule: { rounds: 3, warmupSeconds: 0, durationSeconds: 1 },
      });
      const found: [string, number][][] = [];
      const { state } = await runPlan(plan, bench.runtime, bench.dataDir, {
        onEvent: (event) => {
          if (event.type === 'trial-finished') found.push(binaryLogs(join(bench.dataDir, 'bind')));
        },
      });
      expect(state.trials.map(({ error }) => error)).toEqual(state.trials.map(() => null));
      // The server reported the settings that the plan expected.
      expect(state.plan.configs[0]?.settings).toEqual(plan.configs[0]?.settings);
      expect(state.plan.configs[0]?.settings.binlog).toBe(true);
      expect(found).toHaveLength(3);
      // A start writes one binary log, and keeps an earlier one only if that ended less than a second ago.
      expect(Math.max(...found.map((files) => files.length))).toBeLessThanOrEqual(2);
      expect(Math.min(...found.map((files) => files[0]?.[1] ?? 0))).toBeGreaterThan(10_000);
    },
  );

  it('are the same in a container and natively', { tags: ['full'] }, async () => {
    vi.stubEnv('WHALEMARK_MYSQLD', process.env['WHALEMARK_TEST_MARIADBD'] ?? '');
    const plan = await smallPlan(bench.runtime, {
      server: {
        image: process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8',
        settings: ALL_DEFAULTS,
      },
      scenarios: [
        { storage: 'named-volume', path: 'host-network' },
        { storage: 'native', path: 'loopback' },
      ],
      baseline: ['native.loopback', 'named-volume.host-network'],
      schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
    });
    expect(plan.baselineId).toBe('native.loopback');
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir);
    const measured = Object.values(state.servers).flatMap(({ facts }) => facts?.variables['log_bin'] ?? []);
    expect(measured).toEqual(['OFF', 'OFF']);
    const codes = analyze(state).notices.map(({ code }) => code);
    expect(codes).not.toContain('SETTINGS_DIFFER');
    expect(codes).not.toContain('NATIVE_MISSING');
  });
});
