import { describe, expect, it } from 'vitest';
import { tarOf } from '../../../../src/benchmark/runtime/tar.ts';

describe('tarOf', () => {
  it('writes ustar: header, content, padding, two empty blocks', () => {
    const archive = tarOf({ Dockerfile: 'FROM scratch\n', 'größe.bin': new Uint8Array([1, 2, 3]) });
    expect(archive.length).toBe(512 * 6);
    expect(archive.toString('utf8', 0, 10)).toBe('Dockerfile');
    expect(archive.toString('latin1', 124, 135)).toBe('00000000015');
    expect(archive.toString('latin1', 257, 265)).toBe('ustar\u000000');
    expect(archive.toString('utf8', 512, 525)).toBe('FROM scratch\n');
    expect(archive.subarray(1024).toString('utf8', 0, 11)).toBe('größe.bin');
    expect([...archive.subarray(1536, 1539)]).toEqual([1, 2, 3]);
    expect(archive.subarray(2048).every((byte) => byte === 0)).toBe(true);
  });

  it('has the checksum that POSIX asks for', () => {
    const header = tarOf({ a: '' }).subarray(0, 512);
    const stored = Number.parseInt(header.toString('latin1', 148, 154), 8);
    const blanked = Buffer.from(header).fill(' ', 148, 156);
    expect(stored).toBe(blanked.reduce((sum, byte) => sum + byte, 0));
  });

  it('gives the same bytes for the same files', () => {
    expect(tarOf({ a: 'x' }).equals(tarOf({ a: 'x' }))).toBe(true);
  });

  it('refuses a name that does not fit', () => {
    expect(() => tarOf({ ['x'.repeat(101)]: '' })).toThrow(RangeError);
  });
});
