import { describe, expect, it } from 'vitest';
import {
  literal,
  preparedStatements,
  stepMaker,
} from '../../../../../../src/benchmark/load/node/oltp/statements.ts';
import type { OltpKind } from '../../../../../../src/shared/model/names.ts';
import { oltpWorkloadSchema } from '../../../../../../src/shared/model/workload.ts';

const build = (kind: OltpKind, fields = {}) => oltpWorkloadSchema.parse({ kind, tables: 3, ...fields });

describe('preparedStatements', () => {
  it.each([
    ['oltp_read_write', 9],
    ['oltp_read_only', 5],
    ['oltp_write_only', 4],
    ['oltp_point_select', 1],
    ['oltp_update_index', 1],
    ['oltp_update_non_index', 1],
    ['oltp_delete', 1],
    // Its script has nothing to prepare.
    ['oltp_insert', 0],
    ['oltp_complex', 9],
  ] as const)('%s prepares %i statements a table', (kind, count) => {
    const statements = preparedStatements(build(kind));
    expect(statements).toHaveLength(3 * count);
    expect(new Set(statements).size).toBe(3 * count);
    expect(preparedStatements(build(kind, { preparedStatements: false }))).toEqual([]);
  });
});

describe('stepMaker', () => {
  it('names the place of a prepared statement', () => {
    const workload = build('oltp_write_only');
    const step = stepMaker(workload)(2, 'nonIndexUpdate', ['x', 7]);
    if (!('prepared' in step)) throw new Error('not prepared');
    expect(preparedStatements(workload)[step.prepared]).toBe('UPDATE sbtest3 SET c=? WHERE id=?');
    expect(step.parameters).toEqual(['x', 7]);
  });

  it('writes values into the text where nothing is prepared', () => {
    const step = stepMaker(build('oltp_read_write', { preparedStatements: false }));
    expect(step(0, 'insert', [1, 2, 'a?b', 'd'])).toEqual({
      kind: 'insert',
      text: "INSERT INTO sbtest1 (id, k, c, pad) VALUES (1, 2, 'a?b', 'd')",
    });
    expect(step(2, 'orderRange', [5, 104])).toEqual({
      kind: 'range',
      text: 'SELECT c FROM sbtest3 WHERE id BETWEEN 5 AND 104 ORDER BY c',
    });
  });

  it('sends oltp_insert as text in any case', () => {
    expect(stepMaker(build('oltp_insert'))(1, 'insert', [0, 5, 'c', 'p'])).toEqual({
      kind: 'insert',
      text: "INSERT INTO sbtest2 (id, k, c, pad) VALUES (0, 5, 'c', 'p')",
    });
  });
});

describe('literal', () => {
  it('lets no string end itself', () => {
    expect(literal(42)).toBe('42');
    expect(literal('12-34')).toBe("'12-34'");
    expect(literal("'; DROP TABLE x; --")).toBe("'''; DROP TABLE x; --'");
    expect(literal("\\' OR 1")).toBe("'\\\\'' OR 1'");
  });
});
