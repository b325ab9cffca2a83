import { describe, expect, it } from 'vitest';
import { numberOption, parse, withField } from '../../../src/cli/args.ts';

describe('arguments', () => {
  it('name what is wrong', () => {
    expect(() => parse(['--nonsense'], { json: { type: 'boolean' } }, 0)).toThrow(/--nonsense/);
    expect(() => parse(['a', 'b'], {}, 1)).toThrow(/“b” is one argument too many/);
    expect(() => numberOption('rounds', 'three')).toThrow(/--rounds takes a number/);
    expect(() => withField({}, 'novalue')).toThrow(/key=value/);
    expect(() => withField({ a: 1 }, 'a.b=2')).toThrow(/not inside a group/);
    expect(() => withField({}, '__proto__.x=1')).toThrow(/no such field/);
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
