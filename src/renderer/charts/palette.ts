import { PATH_KINDS, type DriverKind, type PathKind, type StorageKind } from '../../shared/model/names.ts';
import type { Scenario } from '../../shared/model/plan.ts';

export type Theme = 'light' | 'dark';
export type PointShape = 'circle' | 'diamond' | 'triangle' | 'square';

export interface LineStyle {
  color: string;
  dash: number[];
  mark: PointShape;
}

type Shades = readonly [string, string, string];

/**
 * By storage. After Okabe and Ito, distinguishable with color blindness (https://jfly.uni-koeln.de/color/), adjusted
 * to 3:1 on the cards; hues beyond their eight resemble rarely compared storages.
 */
const HUES: Record<Theme, Record<StorageKind, Shades>> = {
  light: {
    'named-volume': ['#0072b2', '#00395a', '#3a93cc'],
    'anonymous-volume': ['#0b8597', '#064650', '#1d97aa'],
    'bind-mount': ['#c65300', '#6f2f00', '#dd7a2b'],
    'image-layer': ['#00855f', '#00452f', '#269c76'],
    'data-container': ['#a06a00', '#573a00', '#b98316'],
    'volume-options': ['#736f00', '#3e3c00', '#8d8a22'],
    tmpfs: ['#8e4585', '#4b1f46', '#b76fad'],
    native: ['#26343b', '#000000', '#56707c'],
    external: ['#b03060', '#631530', '#d2608c'],
  },
  dark: {
    'named-volume': ['#56b4e9', '#b5def7', '#3489c4'],
    'anonymous-volume': ['#3fc6d4', '#a8ebf1', '#2498a5'],
    'bind-mount': ['#f08a3c', '#ffcaa0', '#c96a20'],
    'image-layer': ['#2fc593', '#9be8cd', '#1c9870'],
    'data-container': ['#e69f00', '#ffd98a', '#b67e05'],
    'volume-options': ['#e6da3c', '#f6f1a5', '#a79e1d'],
    tmpfs: ['#d68fcf', '#f1c9ed', '#a9609f'],
    native: ['#dfe8eb', '#ffffff', '#a9b7bd'],
    external: ['#f48fb1', '#fcd0de', '#cc5f86'],
  },
};
const NOISE_FLOOR: Record<Theme, string> = { light: '#5d6f77', dark: '#9fb1b8' };

/** By path; the commonly compared ones are plainest. */
const DASHES: Record<PathKind, readonly number[]> = {
  'published-port': [],
  'user-bridge': [8, 4],
  'host-network': [2, 3],
  overlay: [10, 3, 2, 3],
  ingress: [10, 3, 2, 3, 2, 3],
  'container-ip': [5, 2],
  'shared-netns': [14, 4],
  'unix-socket': [4, 6],
  loopback: [16, 3, 4, 3],
  external: [6, 3, 2, 2, 2, 3],
};

/** By path, too; regimes rotate it. */
const SHADES: Record<PathKind, 0 | 1 | 2> = {
  'published-port': 0,
  'user-bridge': 1,
  'host-network': 2,
  overlay: 1,
  ingress: 2,
  'container-ip': 0,
  'shared-netns': 2,
  'unix-socket': 1,
  loopback: 0,
  external: 0,
};

/** By driver; further shapes resolve ties. */
const DRIVER_MARKS: Record<DriverKind, PointShape> = { node: 'circle', sysbench: 'diamond' };
export const POINT_SHAPES: PointShape[] = ['circle', 'diamond', 'triangle', 'square'];

/** By server, in plans that compare servers. */
const SERVER_HUES: StorageKind[] = [
  'named-volume',
  'bind-mount',
  'image-layer',
  'tmpfs',
  'data-container',
  'native',
  'external',
  'anonymous-volume',
  'volume-options',
];

type Drawn = Pick<Scenario, 'id' | 'server' | 'storage' | 'path' | 'isNoiseFloor' | 'driver' | 'regime'>;

/** By scenario id; unique while shapes and shades last. */
export function lineStyles(scenarios: readonly Drawn[], theme: Theme): Map<string, LineStyle> {
  const regimes = distinct(scenarios.map(({ regime }) => regime));
  const servers = distinct(scenarios.map(({ server }) => server));
  const byServer = servers.length > 1 && distinct(scenarios.map(({ storage }) => storage.kind)).length === 1;
  const used = new Set<string>();
  const styleOf = (scenario: Drawn): LineStyle => {
    const server = servers.indexOf(scenario.server);
    const regime = regimes.indexOf(scenario.regime);
    const mark = DRIVER_MARKS[scenario.driver];
    if (scenario.isNoiseFloor) return { color: NOISE_FLOOR[theme], dash: [1, 4 + 2 * regime], mark };
    const kind = byServer ? SERVER_HUES[server % SERVER_HUES.length] : undefined;
    const shades = HUES[theme][kind ?? scenario.storage.kind];
    const turn = SHADES[scenario.path] + regime + (byServer ? 0 : server);
    const candidates = [mark, ...POINT_SHAPES.filter((one) => one !== mark)].flatMap((one) =>
      [0, 1, 2].map((step) => ({
        color: shades[(turn + step) % 3] ?? shades[0],
        dash: [...DASHES[scenario.path]],
        mark: one,
      })),
    );
    const [first] = candidates;
    const free = candidates.find((one) => !used.has(JSON.stringify(one))) ?? first;
    return free ?? { color: shades[0], dash: [], mark };
  };
  return new Map(
    scenarios.map((scenario) => {
      const style = styleOf(scenario);
      used.add(JSON.stringify(style));
      return [scenario.id, style];
    }),
  );
}

/** For numbered things: a hue each, then other dashes. */
export function numberedStyle(index: number, theme: Theme): LineStyle {
  const kind = SERVER_HUES[index % SERVER_HUES.length] ?? 'named-volume';
  const lap = Math.floor(index / SERVER_HUES.length);
  return {
    color: HUES[theme][kind][0],
    dash: [...(Object.values(DASHES)[lap % PATH_KINDS.length] ?? [])],
    mark: 'circle',
  };
}

function distinct<T>(values: T[]): T[] {
  return [...new Set(values)];
}
