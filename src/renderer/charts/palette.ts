import { PATHS } from '../../shared/kinds/paths.ts';
import { STORAGES, type StorageKind } from '../../shared/kinds/storages.ts';
import type { LoadGenerator } from '../../shared/model/names.ts';
import type { Scenario } from '../../shared/model/plan.ts';

export type Theme = 'light' | 'dark';
export type PointShape = 'circle' | 'diamond' | 'triangle' | 'square';

/** Hues show storage, dashes and shades show paths. */
export interface LineStyle {
  color: string;
  dash: number[];
  mark: PointShape;
  isHollow?: boolean;
  /** Dots behind a mean line. */
  isDot?: boolean;
  isMean?: boolean;
}

export const AA_CHECK: Record<Theme, string> = { light: '#5d6f77', dark: '#9fb1b8' };

const LOAD_GENERATOR_MARKS: Record<LoadGenerator, PointShape> = { builtin: 'circle', sysbench: 'diamond' };
export const POINT_SHAPES: PointShape[] = ['circle', 'diamond', 'triangle', 'square'];

/** Hues by index, for anything but storage types. */
export const HUES: [StorageKind, ...StorageKind[]] = [
  'named-volume',
  'bind-mount',
  'container-layer',
  'tmpfs',
  'data-container',
  'native',
  'anonymous-volume',
  'volume-options',
];

type Drawn = Pick<Scenario, 'id' | 'server' | 'storage' | 'path' | 'isAaRepeat' | 'loadGenerator'>;

export function lineStyles(scenarios: readonly Drawn[], theme: Theme): Map<string, LineStyle> {
  const servers = distinct(scenarios.map(({ server }) => server));
  const byServer = servers.length > 1 && distinct(scenarios.map(({ storage }) => storage.kind)).length === 1;
  const used = new Set<string>();
  const styleOf = (scenario: Drawn): LineStyle => {
    const server = servers.indexOf(scenario.server);
    const mark = LOAD_GENERATOR_MARKS[scenario.loadGenerator];
    if (scenario.isAaRepeat) return { color: AA_CHECK[theme], dash: [1, 4 + 2 * server], mark };
    const kind = byServer ? HUES[server % HUES.length] : undefined;
    const shades = STORAGES[kind ?? scenario.storage.kind].shades[theme];
    const { dash, shade } = PATHS[scenario.path];
    const turn = shade + (byServer ? 0 : server);
    const candidates = [mark, ...POINT_SHAPES.filter((one) => one !== mark)].flatMap((one) =>
      [0, 1, 2].map((step) => ({
        color: shades[(turn + step) % 3] ?? shades[0],
        dash: [...dash],
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

function distinct<T>(values: T[]): T[] {
  return [...new Set(values)];
}
