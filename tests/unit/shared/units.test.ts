import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatLatency,
  formatRate,
  formatRatio,
  intervalText,
} from '../../../src/shared/units.ts';

describe('units', () => {
  it.each([
    [0, '0'],
    [0.5, '0.50'],
    [9.876, '9.88'],
    [98.76, '98.8'],
    [812.4, '812'],
    [12_345.6, '12,346'],
    [null, '–'],
  ])('rate %s is %s', (rate, text) => expect(formatRate(rate)).toBe(text));

  it.each([
    [1, '1 µs'],
    [850.4, '850 µs'],
    [999.6, '1.00 ms'],
    [9_840, '9.84 ms'],
    [45_600, '45.6 ms'],
    [999_400, '999 ms'],
    [999_600, '1.00 s'],
    [12_000_000, '12.0 s'],
    [null, '–'],
  ])('latency of %s µs is %s', (us, text) => expect(formatLatency(us)).toBe(text));

  it.each([
    [0.41, 1.5, '0.41–1.50'],
    [0.0002, 1.5, '< 0.1 – 1.50'],
    [0.41, 87_310, '0.41 – > 10'],
    [0.0002, 87_310, 'wider than 0.1–10'],
    [0.02, 0.03, '0.020–0.030'],
    [12, 20, '12.00–20.00'],
    [null, null, '–'],
  ])('the interval from %s to %s is %s', (low, high, text) => expect(intervalText({ low, high })).toBe(text));

  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KiB'],
    [23_600_000, '22.5 MiB'],
    [16 * 2 ** 30, '16 GiB'],
    [15.58 * 2 ** 30, '15.6 GiB'],
    [700 * 2 ** 20 + 300_000, '700 MiB'],
  ])('%s bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [0, '0 ms'],
    [350, '350 ms'],
    [1_500, '1.5 s'],
    [5_000, '5 s'],
    [59_400, '59 s'],
    [59_600, '1 min'],
    [80_000, '1 min 20 s'],
    [3_599_000, '59 min 59 s'],
    [3_599_700, '1 h'],
    [7_500_000, '2 h 5 min'],
  ])('%s ms are %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

  it('durations are counted as the language counts them', () => {
    expect(formatDuration(80_000, 'zh-CN')).toBe('1\u00a0分 20\u00a0秒');
    expect(formatDuration(7_500_000, 'zh-CN')).toBe('2\u00a0小时 5\u00a0分');
    expect(formatDuration(1_500, 'zh-CN')).toBe('1.5\u00a0秒');
  });

  it.each([
    [0.4839, '0.48'],
    [0.0523, '0.052'],
    [1, '1.00'],
    [12.345, '12.35'],
    [0, '0.00'],
  ])('ratio %s is %s', (ratio, text) => expect(formatRatio(ratio)).toBe(text));

  it('writes numbers as the language does', () => {
    expect(formatCount(1_234_567)).toBe('1,234,567');
    expect(formatRate(1234.5, 'de')).toBe('1.235');
    expect(formatLatency(9_840, 'de')).toBe('9,84 ms');
  });
});
