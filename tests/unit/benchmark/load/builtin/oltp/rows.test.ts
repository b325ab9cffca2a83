import { expect, it } from 'vitest';
import { ROW_BYTES, TableRows, TUPLE_FORM } from '../../../../../../src/benchmark/load/builtin/oltp/rows.ts';

it('rows fit into the room that is kept for them, the longest ids included', () => {
  const all = new TableRows({ tableSize: 2 ** 31 - 1, distribution: 'uniform' }, () => 1 - 2 ** -53);
  expect(all.next(1, TUPLE_FORM).length).toBeLessThan(ROW_BYTES);
  const longest = `(2147483647,2147483647,'${'9'.repeat(119)}','${'9'.repeat(59)}'),`;
  expect(longest.length).toBeLessThanOrEqual(ROW_BYTES);
});
