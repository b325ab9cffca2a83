import { describe, expect, it } from 'vitest';
import {
  ProtocolError,
  ServerError,
} from '../../../../../../src/benchmark/load/builtin/wire/answer-reader.ts';
import { Arrival } from './arrival.ts';
import { definitions, eof, failure, integer, ok, packets, resultSet } from './server-bytes.ts';

describe('AnswerReader, what has no place', () => {
  const fed = (bytes: Buffer, asked = true): (() => void) => {
    const arrival = new Arrival();
    if (asked) arrival.reader.begin();
    return () => arrival.feed(bytes);
  };

  it.each([
    ['an empty packet', packets(Buffer.alloc(0)), 'an empty packet'],
    ['an empty packet among the rows', resultSet(1, [packets(Buffer.alloc(0))]), 'an empty packet'],
    ['a request for a local file', packets(Buffer.from('\xfb/etc/passwd', 'latin1')), 'a local file'],
    ['bytes after the answer', Buffer.concat([ok(), Buffer.of(1)]), '1 bytes after the answer'],
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
