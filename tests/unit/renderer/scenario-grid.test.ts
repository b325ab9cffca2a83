import { expect, it } from 'vitest';
import { createTranslator } from '../../../src/shared/words/i18n.ts';
import { scenarioGrid, type ScenarioGrid } from '../../../src/renderer/scenario-grid.ts';
import { scenarioGroups } from '../../../src/renderer/scenario-groups.ts';
import { GRID, makePlan, type PlanShape } from '../plan-builder.ts';

function gridsOf(shape: PlanShape) {
  return scenarioGroups(makePlan(shape), createTranslator('en')).map(scenarioGrid);
}
const kinds = (grid: ScenarioGrid | undefined) =>
  grid?.rows.map(({ cells }) => cells.map((cell) => cell.kind));
const excluded = (storage: 'named-volume' | 'bind-mount' | 'container-layer', reason: string) => ({
  storage,
  path: 'host-network' as const,
  reason,
});
const withoutHost = GRID.filter(({ path }) => path !== 'host-network');
const STORAGES = ['named-volume', 'bind-mount', 'container-layer'] as const;

it('a grid has a row per storage type and a column per path, without the A/A repeat', () => {
  const [grid] = gridsOf({});
  expect(kinds(grid)).toEqual(Array.from({ length: 3 }, () => ['runs', 'runs', 'runs']));
  expect(grid?.columns.map(({ label }) => label.path)).toEqual(GRID.slice(0, 3).map(({ path }) => path));
});

it('excluded cells keep their place; one reason for a column is one cell', () => {
  const [same] = gridsOf({ scenarios: withoutHost, excluded: STORAGES.map((one) => excluded(one, 'off')) });
  expect(kinds(same)).toEqual([
    ['runs', 'runs', 'excluded'],
    ['runs', 'runs'],
    ['runs', 'runs'],
  ]);
  expect(same?.rows[0]?.cells[2]).toMatchObject({ rows: 3, columns: 1 });

  const [different] = gridsOf({
    scenarios: withoutHost,
    excluded: STORAGES.map((one) => excluded(one, `off for ${one}`)),
  });
  expect(kinds(different)).toEqual(Array.from({ length: 3 }, () => ['runs', 'runs', 'excluded']));
});

it('a storage type that is excluded for one reason is one cell, too', () => {
  const [grid] = gridsOf({
    scenarios: GRID.filter(({ storage }) => storage !== 'bind-mount'),
    excluded: (['published-port', 'user-bridge', 'host-network'] as const).map((path) => ({
      storage: 'bind-mount' as const,
      path,
      reason: 'no folders',
    })),
  });
  const row = grid?.rows.find(({ label }) => label.storage === 'bind-mount');
  expect(row?.cells).toMatchObject([{ kind: 'excluded', rows: 1, columns: 3 }]);
});

it('a scenario with a storage and a path of its own is beside the grid', () => {
  const [grid] = gridsOf({
    excluded: [{ storage: 'native', path: 'loopback', reason: 'no mysqld' }],
  });
  expect(kinds(grid)).toHaveLength(3);
  expect(grid?.others).toMatchObject([{ runs: false, excluded: { path: 'loopback' } }]);
});

it.each<[string, PlanShape]>([
  ['has a gap', { scenarios: GRID.slice(0, 8) }],
  ['has one path', { scenarios: GRID.filter(({ path }) => path === 'published-port') }],
  ['has named scenarios', { scenarios: GRID.map((one, index) => ({ ...one, name: `Scenario ${index}` })) }],
])('a plan that %s is no grid', (_, shape) => {
  expect(gridsOf(shape)).toEqual([undefined]);
});
