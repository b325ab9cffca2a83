import { describe, expect, it } from 'vitest';
import { logTime } from '../../../../../src/benchmark/runtime/engine/container-streams.ts';
import {
  Demultiplexer,
  LineSplitter,
  type Channel,
} from '../../../../../src/benchmark/runtime/engine/multiplex.ts';

const NUMBERS: Record<Channel, number> = { stdout: 1, stderr: 2, system: 3 };

function frame(channel: Channel, payload: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header[0] = NUMBERS[channel];
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

/** Reads a stream that arrives in pieces of `size` bytes. */
function lines(stream: Buffer, size: number): string[] {
  const seen: string[] = [];
  const splitter = new LineSplitter((line, channel) => seen.push(`${channel}: ${line}`));
  const demultiplexer = new Demultiplexer((...part) => splitter.push(...part));
  for (let at = 0; at < stream.length; at += size) demultiplexer.push(stream.subarray(at, at + size));
  splitter.end();
  return seen;
}

describe('the engine’s stream', () => {
  const greeting = Buffer.from('grüße 鲸鱼 🐳\r\n');
  const stream = Buffer.concat([
    // A line cut in the middle of a character, with the other channel's line in between.
    frame('stdout', greeting.subarray(0, 3)),
    frame('stderr', Buffer.from('warning\nhalf')),
    frame('stdout', greeting.subarray(3)),
    frame('stdout', Buffer.alloc(0)),
    frame('stderr', Buffer.from(' line\n\nlast')),
  ]);
  const expected = [
    'stderr: warning',
    'stdout: grüße 鲸鱼 🐳',
    'stderr: half line',
    'stderr: ',
    'stderr: last',
  ];

  it.each([1, 2, 3, 5, 7, 8, 9, 13, 1000])('is split right when it comes in pieces of %i bytes', (size) => {
    expect(lines(stream, size)).toEqual(expected);
  });

  it('tells what the engine itself has to say', () => {
    expect(lines(frame('system', Buffer.from('gone\n')), 100)).toEqual(['system: gone']);
  });

  it('hands payload on before its frame is complete', () => {
    const seen: string[] = [];
    const demultiplexer = new Demultiplexer((_, bytes) => seen.push(bytes.toString()));
    demultiplexer.push(frame('stdout', Buffer.from('abcdef')).subarray(0, 11));
    expect(seen).toEqual(['abc']);
  });
});

describe('lines', () => {
  it('without an end are handed on in pieces: no log fills the memory', () => {
    const seen: number[] = [];
    const splitter = new LineSplitter((line) => seen.push(line.length));
    const chunk = Buffer.alloc(2 ** 16, 'x');
    for (let count = 0; count < 40; count++) splitter.push('stdout', chunk);
    expect(seen).toEqual([2 ** 20, 2 ** 20]);
    splitter.push('stdout', Buffer.from('end\nnext'));
    splitter.end();
    expect(seen.slice(2)).toEqual([2 ** 19 + 3, 4]);
  });
});

describe('logTime', () => {
  it.each([
    ['2026-11-21T02:47:13.002956427Z', '1795229232.952956427'],
    ['2026-11-21T02:47:13Z', '1795229232.950000000'],
    ['2026-11-21T04:47:13.5+02:00', '1795229233.450000000'],
    ['0001-01-01T00:00:00Z', '0'],
    ['', '0'],
    ['soon', '0'],
  ])('%s is asked for from %s', (printed, expected) => {
    expect(logTime(printed)).toBe(expected);
  });
});
