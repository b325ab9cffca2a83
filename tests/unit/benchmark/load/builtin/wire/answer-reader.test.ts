import { describe, expect, it } from 'vitest';
import {
  AnswerReader,
  ProtocolError,
  ServerError,
} from '../../../../../../src/benchmark/load/builtin/wire/answer-reader.ts';
import { ANSWERS } from './answers.ts';
import { Arrival, NOTHING, cutAtRandom, readIn } from './arrival.ts';
import { definitions, eof, failure, integer, ok, packets, resultSet, textRow } from './server-bytes.ts';

describe('AnswerReader', () => {
  describe.each(ANSWERS)('reads $name', ({ bytes, told, command }) => {
    const expected = [{ ...NOTHING, ...told }];

    it('at once, and byte by byte', () => {
      expect(readIn([bytes], command)).toEqual(expected);
      const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
      expect(readIn(single, command)).toEqual(expected);
    });

    it('cut in two anywhere', { tags: ['full'] }, () => {
      for (let cut = 1; cut < bytes.length; cut++) {
        expect(readIn([bytes.subarray(0, cut), bytes.subarray(cut)], command)).toEqual(expected);
      }
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
      // The id of a statement stays until the next one is prepared.
      const isPrepared = command === 'prepare' && told.error === undefined;
      const left = isPrepared ? {} : { statementId: answer?.statementId };
      expect(answer, name).toEqual({ ...NOTHING, ...left, ...told });
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

describe('AnswerReader, packets that have no place', () => {
  const fed = (bytes: Buffer, asked = true): (() => void) => {
    const arrival = new Arrival();
    if (asked) arrival.reader.begin();
    return () => arrival.feed(bytes);
  };

  it.each([
    ['an empty packet', packets(Buffer.alloc(0)), 'an empty packet'],
    ['an empty packet among the rows', resultSet(1, [packets(Buffer.alloc(0))]), 'an empty packet'],
    ['a request for a local file', packets(Buffer.from('\xfb/etc/passwd', 'latin1')), 'a local file'],
    ['a second answer', Buffer.concat([resultSet(1, []), ok()]), '11 bytes after the answer'],
    [
      'no end of the definitions',
      Buffer.concat([packets(integer(1)), definitions(2), eof()]),
      'no end of the definitions',
    ],
  ])('refuses %s', (_, bytes, message) => {
    expect(fed(bytes)).toThrow(ProtocolError);
    expect(fed(bytes)).toThrow(message);
  });

  it.each([
    ['before the first command', false],
    ['after an answer', true],
  ])('refuses a packet that answers nothing, %s', (_, after) => {
    const arrival = new Arrival();
    if (after) {
      arrival.reader.begin();
      arrival.feed(ok());
    }
    expect(() => arrival.feed(ok())).toThrow('answers nothing');
    expect(arrival.answers).toHaveLength(after ? 1 : 0);
  });

  it('throws the error that a server says goodbye with, as its own', () => {
    const bytes = failure(4031, 'disconnected because of inactivity');
    expect(fed(bytes, false)).toThrow(ServerError);
    expect(fed(bytes, false)).toThrow('disconnected because of inactivity');
    const arrival = new Arrival();
    for (const byte of bytes.subarray(0, -1)) arrival.feed(Buffer.of(byte));
    expect(() => arrival.feed(bytes.subarray(-1))).toThrow('inactivity');
    expect(arrival.answers).toEqual([]);
  });
});
