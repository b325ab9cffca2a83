import { describe, expect, it } from 'vitest';
import {
  axisEnd,
  barSvg,
  ratioBar,
  scaleTo,
  ticks,
  zoneSvg,
  type Scale,
} from '../../../../src/shared/pictures/bars.ts';
import { claimsOf } from '../../../../src/shared/statistics/claims.ts';
import { studentEstimate } from '../../../../src/shared/statistics/estimate.ts';
import { ratio } from '../../builders.ts';

const tags = (svg: string, name: string): string[] => svg.match(new RegExp(`<${name} [^>]*>`, 'g')) ?? [];
const attribute = (tag: string | undefined, name: string): string | undefined =>
  new RegExp(` ${name}="([^"]*)"`).exec(tag ?? '')?.[1];
const drawn = (bar: ReturnType<typeof ratioBar>, scale: Scale): string => barSvg(bar, scale, 36);

describe('the axis', () => {
  it('fits every bar and whisker, published numbers too', () => {
    expect(axisEnd([], 1)).toBeGreaterThan(1);
    expect(axisEnd([ratioBar({ ratio: ratio(1.8, 1.7, 1.9), margin: 0.05 }, 'faster')], 1)).toBeGreaterThan(
      1.9,
    );
    expect(axisEnd([ratioBar({ ratio: ratio(1), margin: 0.05 }, 'same', [], 3)], 1)).toBeGreaterThan(3);
    expect(axisEnd([], 0)).toBeGreaterThan(0);
  });

  it('is not stretched by a whisker gone wild', () => {
    expect(
      axisEnd([ratioBar({ ratio: ratio(1.3, 0.001, 50_000), margin: 0.05 }, 'inconclusive')], 1),
    ).toBeLessThan(2);
  });

  it.each([0.07, 1.04, 1.3, 2.1, 12, 999, 43_210])('has few round ticks from 0 to %s', (most) => {
    const all = ticks(most);
    expect(all[0]).toBe(0);
    expect(all.length).toBeGreaterThan(2);
    expect(all.length).toBeLessThan(8);
    expect(all.at(-1)).toBeLessThanOrEqual(most);
  });
});

describe('a bar', () => {
  it('is as long as its ratio, with a whisker, in percent and in pixels', () => {
    const bar = ratioBar({ ratio: ratio(0.5, 0.25, 1), margin: 0.05 }, 'slower');
    for (const [scale, [value, low, high]] of [
      [scaleTo(2), ['25%', '12.5%', '50%']],
      [scaleTo(2, 400), ['100', '50', '200']],
    ] as const) {
      const svg = drawn(bar, scale);
      expect(attribute(tags(svg, 'rect')[0], 'width')).toBe(value);
      const [line] = tags(svg, 'line');
      expect([attribute(line, 'x1'), attribute(line, 'x2')]).toEqual([low, high]);
    }
  });

  it('has no whisker without an interval or as the baseline', () => {
    expect(tags(drawn(ratioBar({ ratio: ratio(1), margin: 0.05 }, 'same'), scaleTo(2)), 'line')).toEqual([]);
    expect(
      tags(drawn(ratioBar({ ratio: ratio(1, 1, 1), margin: 0.05 }, 'baseline'), scaleTo(2)), 'line'),
    ).toEqual([]);
  });

  it('is hatched while inconclusive, and ends a whisker that leaves the axis in an arrow', () => {
    const svg = drawn(ratioBar({ ratio: ratio(1, 0.5, 9), margin: 0.05 }, 'inconclusive'), scaleTo(2));
    expect(attribute(tags(svg, 'svg')[0], 'x')).toBe('100%');
    expect(attribute(tags(svg, 'line')[0], 'x2')).toBe('100%');
    expect(attribute(tags(svg, 'rect')[0], 'fill')).toBe('url(#inconclusive)');
    expect(tags(svg, 'path').length).toBeGreaterThan(0);
    expect(
      tags(drawn(ratioBar({ ratio: ratio(1, 0.5, 1.5), margin: 0.05 }, 'inconclusive'), scaleTo(2)), 'path'),
    ).toEqual([]);
  });

  it('has the patterns of its flags over its color, and the published number below', () => {
    const bar = ratioBar({ ratio: ratio(2), margin: 0.05 }, 'faster', ['not-durable', 'client-limited'], 1);
    const rects = tags(drawn(bar, scaleTo(2)), 'rect');
    expect(rects.map((rect) => attribute(rect, 'fill'))).toEqual([
      'var(--faster)',
      'url(#not-durable)',
      'url(#client-limited)',
      'none',
    ]);
    expect(rects.map((rect) => attribute(rect, 'width'))).toEqual(['100%', '100%', '100%', '50%']);
    expect(Number(attribute(rects[3], 'y'))).toBeGreaterThan(0);
  });

  it('is a published number alone where nothing was measured', () => {
    const rects = tags(
      drawn(ratioBar({ ratio: null, margin: 0.05 }, 'inconclusive', [], 1), scaleTo(2)),
      'rect',
    );
    expect(rects.map((rect) => attribute(rect, 'fill'))).toEqual(['none']);
  });
});

it('the zone of no meaningful difference is exactly what the verdict calls the same', () => {
  const svg = zoneSvg(scaleTo(2, 2_000_000), 0.05, 10);
  const low = Number(attribute(svg, 'x')) / 1e6;
  const high = low + Number(attribute(svg, 'width')) / 1e6;
  const inside = 1e-6;
  const verdictAt = (value: number): string | undefined => {
    const counts = { degrees: 9, samples: 10, pairedRounds: 10 };
    const estimate = studentEstimate({ value, standardError: 0, ...counts });
    return claimsOf([{ estimate, margin: 0.05 }], { alpha: 0.05 })[0]?.verdict;
  };
  expect([low + inside, 1, high - inside].map(verdictAt)).toEqual(['same', 'same', 'same']);
  expect([low - inside, high + inside].map(verdictAt)).toEqual(['slower', 'faster']);
});
