import { describe, expect, it } from 'vitest';
import { joined, numberOption, parse, withField } from '../../../../src/cli/options/args.ts';

describe('arguments', () => {
  it('name what is wrong', () => {
    expect(() => parse(['--nonsense'], { json: { type: 'boolean' } }, 0)).toThrow(/--nonsense/);
    expect(() => parse(['a', 'b'], {}, 1)).toThrow(/“b” is one argument too many/);
    expect(() => numberOption('rounds', 'three')).toThrow(/--rounds takes a number/);
    expect(() => withField({}, 'novalue')).toThrow(/key=value/);
    expect(() => withField({ a: 1 }, 'a.b=2')).toThrow(/not inside a group/);
    expect(() => withField({}, '__proto__.x=1')).toThrow(/no such field/);
  });

  it('take values that begin with a hyphen', () => {
    const options = { option: { type: 'string', multiple: true }, json: { type: 'boolean' } } as const;
    const argv = ['--option', '--innodb-io-capacity=1', '--json', '--option=--skip-name-resolve', 'x'];
    const { values, positionals } = parse(joined(argv, '--option'), options, 1);
    expect(values.option).toEqual(['--innodb-io-capacity=1', '--skip-name-resolve']);
    expect([values.json, positionals]).toEqual([true, ['x']]);
    expect(() => parse(joined(['--option'], '--option'), options, 0)).toThrow(/--option/);
  });

  it('of thousands of letters behind one hyphen are none', () => {
    for (const count of [200_000, 60_000]) {
      const began = process.cpuUsage();
      expect(() => parse([`-ab${'n'.repeat(count)}`], {}, 1)).toThrow(/“-abn.{0,100}…” is no option/);
      // It took more than a second.
      expect(process.cpuUsage(began).user / 1000).toBeLessThan(500);
    }
  });

  it('set no field deeper than a preset has any, however many dots there are', () => {
    // It took gigabytes.
    expect(() => withField({}, `${'a.'.repeat(60_000)}b=1`)).toThrow(/^.{0,200}no such field/);
  });

  it('set fields by their path without touching the original', () => {
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
