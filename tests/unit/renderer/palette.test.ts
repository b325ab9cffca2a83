import { describe, expect, it } from 'vitest';
import { lineStyles, type Theme } from '../../../src/renderer/charts/palette.ts';
import { PATH_KINDS, STORAGE_KINDS } from '../../../src/shared/model/names.ts';
import { BUFFER_POOLS, GRID, makePlan } from '../builders.ts';

/** Contrast as WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Backgrounds of the cards. */
const SURFACES: Record<Theme, string> = { light: '#ffffff', dark: '#162024' };

describe.each(['light', 'dark'] as const)('line styles, %s', (theme) => {
  it('differ for every storage with every path, and can be seen', () => {
    const { scenarios } = makePlan({
      scenarios: STORAGE_KINDS.flatMap((storage) => PATH_KINDS.map((path) => ({ storage, path }))),
    });
    const styles = [...lineStyles(scenarios, theme).values()];
    expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(scenarios.length);
    for (const { color } of styles) expect(contrast(color, SURFACES[theme]), color).toBeGreaterThan(3);
  });

  it('differ for every buffer-pool size and load generator of a plan', () => {
    const { scenarios } = makePlan({
      bufferPools: BUFFER_POOLS,
      scenarios: [
        { storage: 'named-volume', path: 'published-port' },
        { storage: 'bind-mount', path: 'published-port' },
      ],
      loadGenerator: ['builtin', 'sysbench'],
    });
    const styles = lineStyles(scenarios, theme);
    expect(scenarios).toHaveLength(10);
    expect(new Set([...styles.values()].map((style) => JSON.stringify(style))).size).toBe(10);
    const markOf = (id: string): string | undefined => styles.get(id)?.mark;
    expect(markOf('bind-mount.published-port.builtin.io-bound')).not.toBe(
      markOf('bind-mount.published-port.sysbench.io-bound'),
    );
  });

  it('say the server by their hue where a plan compares servers', () => {
    const [one] = makePlan({ aaCheck: false, scenarios: GRID.slice(0, 1) }).scenarios;
    if (one === undefined) throw new Error('no scenario');
    const scenarios = Array.from({ length: 6 }, (_, index) => ({
      ...one,
      id: `${index}.${one.id}`,
      server: `pool-${index}`,
    }));
    const colors = [...lineStyles(scenarios, theme).values()].map(({ color }) => color);
    expect(new Set(colors).size).toBe(6);
  });
});
