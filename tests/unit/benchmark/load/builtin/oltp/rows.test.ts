import { describe, expect, it } from 'vitest';
import { idDraws } from '../../../../../../src/benchmark/load/builtin/oltp/distribution.ts';
import {
  contentColumn,
  LINE_FORM,
  padColumn,
  ROW_BYTES,
  TableRows,
  TUPLE_FORM,
} from '../../../../../../src/benchmark/load/builtin/oltp/rows.ts';
import { createRandom } from '../../../../../../src/benchmark/random.ts';

describe('columns', () => {
  it('use every digit equally often', () => {
    const random = createRandom(5, 0);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 1000; i++) {
      for (const digit of contentColumn(random).replaceAll('-', '')) {
        counts[Number(digit)] = (counts[Number(digit)] ?? NaN) + 1;
      }
    }
    const chiSquare = counts.reduce((sum, n) => sum + (n - 11_000) ** 2 / 11_000, 0);
    // 9 degrees of freedom: 27.9 is the 99.9th percentile.
    expect(chiSquare).toBeLessThan(27.9);
  });
});

const shape = { tableSize: 1050, distribution: 'special' } as const;
const rows = (): TableRows => new TableRows(shape, createRandom(7, 3));
/** The columns, drawn one value after the other from the same stream. */
const expected = (): string[][] => {
  const random = createRandom(7, 3);
  return Array.from({ length: shape.tableSize }, (_, index) => [
    String(index + 1),
    String(idDraws.special(shape.tableSize, random)),
    contentColumn(random),
    padColumn(random),
  ]);
};

describe('the rows of a table', () => {
  it('are lines for LOAD DATA, in whatever parts they are taken', () => {
    const made = rows();
    let text = '';
    for (let count = 1; made.left > 0; count += 100) text += made.next(count, LINE_FORM).toString('latin1');
    expect(text.endsWith('\n')).toBe(true);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')),
    ).toEqual(expected());
    expect(made.next(10, LINE_FORM)).toHaveLength(0);
  });

  it('are tuples for INSERT, the same ones', () => {
    const text = rows().next(5000, TUPLE_FORM).toString('latin1');
    const tuples = expected().map(
      ([id, k, c, pad]) => `(${id ?? ''},${k ?? ''},'${c ?? ''}','${pad ?? ''}'),`,
    );
    expect(text).toBe(tuples.join(''));
  });

  it('fit into the room that is kept for them, the longest ids included', () => {
    const all = new TableRows({ tableSize: 2 ** 31 - 1, distribution: 'uniform' }, () => 1 - 2 ** -53);
    expect(all.next(1, TUPLE_FORM).length).toBeLessThan(ROW_BYTES);
    const longest = `(2147483647,2147483647,'${'9'.repeat(119)}','${'9'.repeat(59)}'),`;
    expect(longest.length).toBeLessThanOrEqual(ROW_BYTES);
  });
});
