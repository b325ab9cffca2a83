import { describe, expect, it } from 'vitest';
import {
  AnswerReader,
  ProtocolError,
} from '../../../../../../src/benchmark/load/builtin/wire/answer-reader.ts';
import { ANSWERS } from './answers.ts';
import { Arrival, NOTHING, cutAtRandom, readIn } from './arrival.ts';
import { failure, ok, packets, resultSet, textRow } from './server-bytes.ts';

describe('AnswerReader', () => {
  describe.each(ANSWERS)('reads $name', ({ bytes, told, command }) => {
    const expected = [{ ...NOTHING, ...told }];

    it('at once', () => {
      expect(readIn([bytes], command)).toEqual(expected);
    });

    it('cut in two anywhere', { tags: ['full'] }, () => {
      for (let cut = 1; cut < bytes.length; cut++) {
        expect(readIn([bytes.subarray(0, cut), bytes.subarray(cut)], command)).toEqual(expected);
      }
    });

    it('byte by byte', () => {
      const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
      expect(readIn(single, command)).toEqual(expected);
    });
  });

  it('reads one answer after the other, whatever the last one was', () => {
    const arrival = new Arrival();
    const order = [...ANSWERS, ...[...ANSWERS].reverse()];
    for (const { bytes, command } of order) {
      arrival.reader.begin(command);
      for (const chunk of cutAtRandom(bytes, bytes.length)) arrival.feed(chunk);
    }
    expect(arrival.answers).toHaveLength(order.length);
    for (const [index, { name, told, command }] of order.entries()) {
      const answer = arrival.answers[index];
      // Of another command they have no meaning, and are as they were.
      const left = { statementId: answer?.statementId, parameters: answer?.parameters };
      const isPrepared = command === 'prepare' && told.error === undefined;
      expect(answer, name).toEqual({ ...NOTHING, ...(isPrepared ? {} : left), ...told });
    }
  });

  it('lets the next command be sent while an answer is told', () => {
    const rows: number[] = [];
    const reader: AnswerReader = new AnswerReader(() => {
      rows.push(reader.rows);
      reader.begin();
    });
    reader.begin();
    for (const count of [2, 0, 1]) {
      const bytes = resultSet(
        1,
        Array.from({ length: count }, () => textRow('1')),
      );
      reader.feed(bytes, bytes.length);
    }
    expect(rows).toEqual([2, 0, 1]);
  });

  it('reads no further than it is told to', () => {
    const arrival = new Arrival();
    arrival.reader.begin();
    const bytes = Buffer.concat([ok({ affected: 3 }), failure(1064, 'left over from another socket')]);
    arrival.reader.feed(bytes, ok({ affected: 3 }).length);
    expect(arrival.answers).toEqual([{ ...NOTHING, affectedRows: 3 }]);
  });

  it.each([
    ['an error without its number', [0xff], 'statement'],
    ['an error with half of it', [0xff, 0x01], 'statement'],
    ['an OK without its status', [0x00, 0x00, 0x00], 'statement'],
    ['an OK whose count is cut off', [0x00, 0xfe, 0x01], 'statement'],
    ['a number of columns that is cut off', [0xfc, 0x01], 'statement'],
    ['a statement without its parameters', [0x00, 1, 0, 0, 0], 'prepare'],
  ] as const)('says that a packet is too short: %s', (_, payload, command) => {
    const reader = new AnswerReader(() => expect.unreachable());
    const bytes = packets(Buffer.from(payload));
    reader.begin(command);
    expect(() => reader.feed(bytes, bytes.length)).toThrow(ProtocolError);
  });
});
