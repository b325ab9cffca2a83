import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import { SETTING_NAMES } from '../../../../src/shared/model/server-settings.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { reduceAll } from '../../../helpers/journals.ts';
import { makeEvents } from '../../builders.ts';
import { TWO } from './analysis-helpers.ts';

const POOL = { innodb_buffer_pool_size: String(128 * 2 ** 20) };

/** A run that leaves its settings to the server, whose servers report these variables in turn. */
function reported(...variables: Record<string, string>[]): RunState {
  let server = 0;
  const events = makeEvents({ scenarios: TWO, rounds: 3 }).map((event): RunEvent => {
    if (event.type === 'run-started') {
      const configs = event.plan.configs.map((config) => ({
        ...config,
        settings: { ...config.settings, defaults: [...SETTING_NAMES] },
      }));
      return { ...event, plan: { ...event.plan, configs } };
    }
    if (event.type !== 'server-facts') return event;
    const own = variables[server++ % variables.length] ?? {};
    return { ...event, facts: { ...event.facts, variables: own } };
  });
  return reduceAll(events);
}

describe('settings that are left to the server', () => {
  it('are in the plan as the server reports them', () => {
    const { plan } = reported({
      innodb_buffer_pool_size: String(512 * 2 ** 20),
      innodb_log_file_size: String(48 * 2 ** 20),
      innodb_log_files_in_group: '2',
      innodb_flush_log_at_trx_commit: '2',
      log_bin: 'ON',
      sync_binlog: '0',
      performance_schema: 'OFF',
    });
    expect(plan.configs[0]?.settings).toMatchObject({
      bufferPoolMiB: 512,
      redoLogMiB: 96,
      flushLogAtTrxCommit: 2,
      binlog: true,
      syncBinlog: 0,
      performanceSchema: false,
    });
  });

  it('keep the value of the manual where a server reports nothing, or nonsense', () => {
    const { plan } = reported({ innodb_buffer_pool_size: 'many', innodb_flush_log_at_trx_commit: '7' });
    expect(plan.configs[0]?.settings).toMatchObject({ bufferPoolMiB: 256, flushLogAtTrxCommit: 1 });
  });

  const warnings = (state: RunState): string[] =>
    analyze(state)
      .notices.filter(({ code }) => code === 'SETTINGS_DIFFER')
      .map(({ message }) => message.text);

  it('are a warning with their names where servers to be compared report different ones', () => {
    const [text, ...others] = warnings(
      reported({ ...POOL, log_bin: 'ON' }, { innodb_buffer_pool_size: '268435456', log_bin: 'ON' }),
    );
    expect(text).toMatch(/innodb_buffer_pool_size|bufferPool/);
    expect(others).toEqual([]);
    expect(text).not.toMatch(/log_bin|binlog/i);
  });

  it('are no warning where all servers report the same', () => {
    expect(warnings(reported(POOL))).toEqual([]);
  });
});

it('names each value of the user’s server that the measured one doesn’t have', () => {
  const source = { kind: 'compose' as const, files: ['/srv/compose.yaml'], project: 'shop' };
  const inEffect = {
    ...{ version: '8.4.6', innodb_buffer_pool_size: '128m', innodb_doublewrite: 'OFF', sync_binlog: '0' },
    ...{ sort_buffer_size: '1M', unknown_one: '1', innodb_log_file_size: '1' },
  };
  const state = reported({
    ...{ version: '8.4.8', innodb_buffer_pool_size: '134217728', innodb_doublewrite: 'ON', log_bin: 'OFF' },
    ...{
      sync_binlog: '1',
      sort_buffer_size: '262144',
      innodb_redo_log_capacity: '9',
      innodb_log_file_size: '2',
    },
  });
  const plan = { ...state.plan, database: { source, service: 'db', inEffect } };
  const found = analyze({ ...state, plan }).notices.find(({ code }) => code === 'VALUES_DIFFER');
  expect(found?.message.text.match(/\w+ \S+ \(yours: \S+\)/g)).toEqual([
    'version 8.4.8 (yours: 8.4.6)',
    'innodb_doublewrite ON (yours: OFF)',
    'sort_buffer_size 262144 (yours: 1M)',
  ]);
});
