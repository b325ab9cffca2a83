import { describe, expect, it } from 'vitest';
import { AnswerReader } from '../../../../../../src/benchmark/load/builtin/wire/answer-reader.ts';
import { NOTHING, readIn, toldBy, type Told } from './arrival.ts';
import { eof, failure, integer, packets, resultSet, textRow } from './server-bytes.ts';

/** A packet of this length continues in the next one. */
const LONGEST = 0xffffff;

/** A row of so many bytes that ends with `tail`. */
function longRow(payload: number, tail: Buffer = Buffer.alloc(0)): Buffer {
  const head = integer(payload);
  return packets(Buffer.concat([head, Buffer.alloc(payload - head.length - tail.length, 'x'), tail]));
}

describe('AnswerReader, packets of 16 MiB', () => {
  const end = Buffer.from('fe00000200', 'hex');
  const wrong = failure(1064, 'wrong').subarray(4);
  const LONG: [name: string, row: Buffer, parts: number][] = [
    ['as long as a packet, with an empty one behind it', longRow(LONGEST), 2],
    ['one byte longer than a packet', longRow(LONGEST + 1), 2],
    ['whose rest looks like an end', longRow(LONGEST + end.length, end), 2],
    ['whose rest looks like an error', longRow(LONGEST + wrong.length, wrong), 2],
  ];

  it.each(LONG)('steps over a row %s', (_, row, parts) => {
    const bytes = resultSet(1, [textRow('1'), row, textRow(null)], eof());
    const expected = [{ ...NOTHING, hasRows: true, rows: 3 }];
    // The reader gets 64 KiB at a time, out of step with the packets.
    expect(readIn([bytes.subarray(0, 3), bytes.subarray(3)])).toEqual(expected);
    // The bytes are cut wherever a packet begins, and a few bytes around.
    const start = bytes.indexOf(row.subarray(0, 12));
    for (let part = 0; part <= parts; part++) {
      const edge = start + Math.min(row.length, part * (LONGEST + 4));
      for (let cut = edge - 6; cut <= edge + 12; cut++) {
        const told: Told[] = [];
        const reader: AnswerReader = new AnswerReader(() => told.push(toldBy(reader)));
        reader.begin();
        reader.feed(bytes, cut);
        expect(told).toEqual([]);
        reader.feed(bytes.subarray(cut), bytes.length - cut);
        expect(told).toEqual(expected);
      }
    }
  });

  it('sees an error behind such a row', () => {
    const bytes = resultSet(1, [longRow(LONGEST)], failure(1317, 'interrupted', '70100'));
    const [told] = readIn([bytes]);
    expect(told).toMatchObject({ rows: 1, error: { errno: 1317 } });
  });
});
