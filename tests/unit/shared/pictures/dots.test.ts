import { describe, expect, it } from 'vitest';
import { ratioBar } from '../../../../src/shared/pictures/bars.ts';
import { dotCell, ratioAxis, ratioMarks } from '../../../../src/shared/pictures/dots.ts';
import { ratio } from '../../builders.ts';

const dot = (value: number, low = value, high = value) =>
  ratioBar({ ratio: ratio(value, low, high), margin: 0.05 }, 'same');

describe('the axis of ratios', () => {
  it('has half as fast as far from 1 as twice as fast', () => {
    const { percent } = ratioAxis([dot(0.5), dot(2)]);
    expect(percent(1) - percent(0.5)).toBeCloseTo(percent(2) - percent(1));
    expect(percent(0.5)).toBeGreaterThan(0);
    expect(percent(2)).toBeLessThan(100);
  });

  it.each([
    [0.95, 1.04],
    [0.5, 1.2],
    [0.02, 1],
    [1, 12],
    [0.0005, 900],
  ])('has the 1 and few other marks from %s to %s', (least, most) => {
    const axis = ratioAxis([dot(least), dot(most)]);
    const marks = ratioMarks(axis);
    expect(marks).toContain(1);
    expect(marks.length).toBeLessThan(8);
    for (const mark of marks) expect(axis.percent(mark)).toBeGreaterThan(0);
  });

  it('is not stretched by a whisker gone wild, which ends in arrows', () => {
    const wild = dot(1.3, 0.001, 50_000);
    const axis = ratioAxis([wild]);
    expect([axis.least, axis.most].map((one) => one > 0.5 && one < 2)).toEqual([true, true]);
    expect(dotCell(wild, axis).match(/<path d="M-?7 /g)).toHaveLength(2);
    expect(dotCell(dot(1.3, 1.2, 1.4), ratioAxis([dot(1.3, 1.2, 1.4)]))).not.toMatch(/<path d="M-?7 /);
  });
});

it('a dot is hollow until there is a verdict, and stalled rounds are at the edge', () => {
  const axis = ratioAxis([dot(1)]);
  const open = ratioBar({ ratio: ratio(0, null, null), margin: 0.05 }, 'inconclusive');
  expect(dotCell(open, axis)).toMatch(/<svg x="0%".*<circle[^>]* fill="var\(--surface\)"/);
  expect(dotCell(dot(1), axis)).toMatch(/<circle[^>]* fill="var\(--same\)"/);
});
