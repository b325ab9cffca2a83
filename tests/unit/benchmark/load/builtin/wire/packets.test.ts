import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ExecutePacket,
  preparePacket,
  queryPacket,
} from '../../../../../../src/benchmark/load/builtin/wire/packets.ts';

const TYPES: Readonly<Record<number, 'INT' | 'VAR_STRING'>> = { 0x03: 'INT', 0xfd: 'VAR_STRING' };

/** A packet's payload, after its header was checked. */
function payload(packet: Buffer): Buffer {
  expect(packet.readUIntLE(0, 3)).toBe(packet.length - 4);
  expect(packet[3]).toBe(0);
  return packet.subarray(4);
}

/**
 * COM_STMT_EXECUTE as a server reads it, which knows the number of parameters and remembers their types.
 * Source: MySQL 8.4 internals, COM_STMT_EXECUTE, without query attributes.
 */
function decode(packet: Buffer, parameters: number, known?: string[]) {
  const bytes = payload(packet);
  expect(bytes[0]).toBe(0x17);
  const id = bytes.readUInt32LE(1);
  expect(bytes[5], 'no cursor').toBe(0);
  expect(bytes.readUInt32LE(6), 'iterations').toBe(1);
  let at = 10;
  if (parameters === 0) {
    expect(bytes).toHaveLength(at);
    return { id, types: undefined, values: [] };
  }
  const nulls = bytes.subarray(at, (at += Math.floor((parameters + 7) / 8)));
  expect([...nulls].every((byte) => byte === 0)).toBe(true);
  let types: string[] | undefined;
  if (bytes[at++] === 1) {
    types = Array.from({ length: parameters }, () => {
      expect(bytes[at + 1], 'signed').toBe(0);
      const type = TYPES[bytes[at] ?? 0] ?? 'unknown';
      at += 2;
      return type;
    });
  }
  const values = (types ?? known ?? []).map((type) => {
    if (type === 'INT') {
      at += 4;
      return bytes.readInt32LE(at - 4);
    }
    const length = bytes.readUInt8(at);
    expect(length).toBeLessThan(0xfb);
    at += 1 + length;
    return bytes.toString('ascii', at - length, at);
  });
  expect(bytes).toHaveLength(at);
  return { id, types, values };
}

describe('ExecutePacket', () => {
  it('sends types with the first values of a statement only', () => {
    const execute = new ExecutePacket();
    const values = [7, 'c'.repeat(119), 'p'.repeat(59)];
    const types = ['INT', 'VAR_STRING', 'VAR_STRING'];
    expect(decode(execute.fill(1, values, true), 3)).toEqual({ id: 1, types, values });
    expect(decode(execute.fill(1, values, false), 3, types)).toEqual({ id: 1, types: undefined, values });
  });

  it('sends any ids, numbers, and texts, whatever it sent before', () => {
    const execute = new ExecutePacket();
    const text = fc.string({ unit: fc.constantFrom('a', '0', '-'), maxLength: 250, size: 'max' });
    const values = fc.array(fc.oneof(fc.integer(), fc.integer({ min: -300, max: 300 }), text), {
      maxLength: 40,
    });
    const bytes = (all: readonly (string | number)[]): number =>
      all.reduce<number>((sum, one) => sum + (typeof one === 'number' ? 6 : one.length + 3), 24);
    fc.assert(
      fc.property(fc.nat({ max: 0xffffffff }), values, (id, all) => {
        fc.pre(bytes(all) < 1024);
        const { values: sent, ...head } = decode(execute.fill(id, all, true), all.length);
        expect([head.id, sent]).toEqual([id, all]);
      }),
    );
  });

  it.each([2 ** 31, -(2 ** 31) - 1, 1.5, NaN, Infinity])('refuses %f, which is no INT', (number) => {
    expect(() => new ExecutePacket().fill(1, [number], true)).toThrow(RangeError);
  });

  it('refuses a longer text, and values that are too many together', () => {
    const execute = new ExecutePacket();
    expect(() => execute.fill(1, ['x'.repeat(251)], true)).toThrow(RangeError);
    const four = Array.from({ length: 5 }, () => 'x'.repeat(250));
    expect(() => execute.fill(1, four, true)).toThrow(RangeError);
    expect(() => execute.fill(1, [...four.slice(0, 4), 1, 2, 3, 4], true)).toThrow(RangeError);
    // A refused packet leaves nothing behind.
    expect(decode(execute.fill(2, ['a'], true), 1)).toEqual({ id: 2, types: ['VAR_STRING'], values: ['a'] });
  });
});

describe('packets of text', () => {
  it.each([
    ['query', queryPacket, 0x03],
    ['prepare', preparePacket, 0x16],
  ])('%s', (_, packet, command) => {
    for (const sql of ['SELECT 1', "SELECT 'nö', '鯨'", 'x'.repeat(300), 'x'.repeat(70_000)]) {
      const bytes = payload(packet(sql));
      expect(bytes[0]).toBe(command);
      expect(bytes.toString('utf8', 1)).toBe(sql);
    }
  });
});
