import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtIn } from '../../built-in-presets.ts';
import { withField, withOverrides } from '../../../../src/benchmark/presets/plan-overrides.ts';
import { presetScenarios } from '../../../../src/shared/model/preset.ts';
import { saying } from '../../../helpers/saying.ts';

describe('overrides on top of a preset', () => {
  it('change what they name, and --set has the last word', async () => {
    const preset = await builtIn('docker-options');
    const changed = withOverrides(preset, {
      connections: [3],
      ...{ image: 'mysql:9', config: 'my.cnf' },
      serverOption: ['--innodb-io-capacity=100', '--skip-name-resolve'],
      set: ['connections=4', 'server.settings.bufferPool=10%', 'schedule.rounds=7'],
    });
    expect(changed.schedule).toEqual({ ...preset.schedule, rounds: 7 });
    expect(changed.connections).toBe(4);
    expect(changed.server).toMatchObject({
      image: 'mysql:9',
      configFile: resolve('my.cnf'),
      options: ['--innodb-io-capacity=100', '--skip-name-resolve'],
      settings: { bufferPool: '10%' },
    });
    expect(withOverrides(preset, {})).toEqual(preset);
  });

  it('stand above the small form, which not every preset has', async () => {
    const preset = await builtIn('oracle-2016-storage');
    const changed = withOverrides(preset, {
      small: true,
      connections: [5],
      set: ['workload.tableSize=1000', 'schedule.rounds=2'],
    });
    expect(changed.schedule).toEqual({
      ...{ rounds: 2, warmupSeconds: 2, durationSeconds: 10 },
      sliceSeconds: 1,
      untilConclusive: { budgetMinutes: 8 },
    });
    expect(changed).toMatchObject({ connections: 5, workload: { tableSize: 1000 } });
    const other = await builtIn('docker-options');
    expect(() => withOverrides(other, { small: true })).toThrow(/--small: .* has no small form/);
  });

  it('make a run that lasts until it is conclusive, and are refused by their field', async () => {
    const preset = await builtIn('oracle-2016-storage');
    const stopRule = { rounds: 32, untilConclusive: { budgetMinutes: 20 } };
    const changed = withOverrides(preset, { untilConclusive: 20 });
    expect(changed.schedule).toEqual({ ...preset.schedule, ...stopRule });
    expect(() => withOverrides(preset, { untilConclusive: 0.2 })).toThrow(
      expect.objectContaining({
        evidence: [saying(/^schedule\.untilConclusive\.budgetMinutes: .*0\.5/)],
      }) as Error,
    );
  });

  it('make a sweep of any preset', async () => {
    const preset = await builtIn('percona-2016-network-paths');
    const changed = withOverrides(preset, { connections: [1, 2] });
    expect(presetScenarios(changed).map(({ connections }) => connections)).toEqual([
      ...Array<number>(10).fill(1),
      ...Array<number>(10).fill(2),
    ]);
    expect(withOverrides(await builtIn('connection-sweep'), { connections: [3, 9] }).sweep).toEqual([3, 9]);
    const one = withOverrides(await builtIn('connection-sweep'), { connections: [4] });
    expect([one.connections, one.sweep]).toEqual([4, undefined]);
  });
});

describe('--set', () => {
  it('names what is wrong', () => {
    for (const assignment of ['novalue', '__proto__.x=1', `${'a.'.repeat(60_000)}b=1`])
      expect(() => withField({}, assignment)).toThrow(/^.{0,200}--set /);
    expect(() => withField({ a: 1 }, 'a.b=2')).toThrow(/not inside a group/);
  });

  it('sets fields by their path without touching the original', () => {
    const preset = { workload: { tables: 4, kind: 'oltp_read_write' }, list: [1] };
    expect(withField(preset, 'workload.tables=8')).toEqual({
      ...preset,
      workload: { tables: 8, kind: 'oltp_read_write' },
    });
    expect(withField(preset, 'workload.kind=oltp_read_only')).toMatchObject({
      workload: { kind: 'oltp_read_only' },
    });
    expect(withField(preset, 'list=[2,3]')).toMatchObject({ list: [2, 3] });
    expect(preset.workload.tables).toBe(4);
  });
});
