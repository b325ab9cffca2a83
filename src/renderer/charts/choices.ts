import { PATH_KINDS } from '../../shared/model/names.ts';
import { type DependsOn, levelOf } from '../../shared/model/factors.ts';
import type { Scenario } from '../../shared/model/plan.ts';
import { STORAGES } from '../../shared/kinds/storages.ts';
import type { Translate } from '../../shared/words/i18n.ts';
import { briefly, levelName } from '../../shared/words/labels.ts';
import { AA_CHECK, HUES, type LineStyle, POINT_SHAPES, type PointShape, type Theme } from './palette.ts';

export interface Choice {
  id: string;
  name: string;
  color: string;
  scenarioIds: string[];
}

/** Drawing of a plan without room for a legend. */
export interface Choices {
  /** Factor that the colors show; undefined for one choice. */
  factor: DependsOn | undefined;
  list: Choice[];
  /** Empty for one path, or if colors show it. */
  shapes: { name: string; mark: PointShape }[];
  styles: Map<string, LineStyle>;
}

const COLORED: DependsOn[] = ['engine', 'storage', 'server', 'path', 'loadGenerator', 'connections'];

export function choicesOf(scenarios: readonly Scenario[], theme: Theme, t: Translate): Choices {
  const own = scenarios.filter(({ isAaRepeat }) => !isAaRepeat);
  const factor = COLORED.find((one) => new Set(own.map((scenario) => levelOf(scenario, one))).size > 1);
  const list: Choice[] = [];
  for (const scenario of own) {
    const id = levelOf(scenario, factor ?? 'storage');
    const known = list.find((one) => one.id === id);
    if (known !== undefined) {
      known.scenarioIds.push(scenario.id);
      continue;
    }
    const { shades } = STORAGES[isStorage(factor) ? scenario.storage.kind : hueAt(list.length)];
    const color = shades[theme].find((one) => list.every((other) => other.color !== one)) ?? shades[theme][0];
    list.push({
      id,
      name: levelName(scenario.label, factor ?? 'storage', t),
      color,
      scenarioIds: [scenario.id],
    });
  }
  const paths = PATH_KINDS.filter((path) => own.some((scenario) => scenario.path === path));
  const hasShapes = paths.length > 1 && factor !== 'path';
  const markOf = (path: Scenario['path']): PointShape =>
    (hasShapes ? POINT_SHAPES[paths.indexOf(path) % POINT_SHAPES.length] : undefined) ?? 'circle';
  return {
    factor,
    list,
    shapes: !hasShapes
      ? []
      : paths.flatMap((path) => {
          const label = own.find((scenario) => scenario.path === path)?.label;
          return label === undefined
            ? []
            : [{ name: briefly(levelName(label, 'path', t)), mark: markOf(path) }];
        }),
    styles: new Map(
      scenarios.map(({ id, path }) => {
        const color = list.find(({ scenarioIds }) => scenarioIds.includes(id))?.color ?? AA_CHECK[theme];
        return [id, { color, dash: [], mark: markOf(path), isDot: true }];
      }),
    ),
  };
}

function isStorage(factor: DependsOn | undefined): boolean {
  return factor === undefined || factor === 'storage';
}

function hueAt(index: number): (typeof HUES)[number] {
  return HUES[index % HUES.length] ?? HUES[0];
}
