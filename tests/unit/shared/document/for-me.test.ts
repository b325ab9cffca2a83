import { expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { Placement } from '../../../../src/shared/model/names.ts';
import { adviceSection } from '../../../../src/shared/document/answer.ts';
import type { DatabaseSource } from '../../../../src/shared/model/database.ts';
import { ENGLISH as t } from '../../../../src/shared/words/i18n.ts';
import { headlineText } from '../../../../src/shared/words/wording.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { makeState, type ScenarioShape } from '../../builders.ts';

const PATHS = ['published-port', 'host-network', 'user-bridge'] as const;
const SHAPES: ScenarioShape[] = [
  ...PATHS.map((path): ScenarioShape => ({ storage: 'named-volume', path })),
  { storage: 'container-layer', path: 'published-port' },
];

/** TPS over the host and the bridge network, where the published port has 800. */
function advised(place: Placement | null, { host = 1400, bridge = 1200 } = {}) {
  const steady = (tps: number): number[] => [tps, 1.004 * tps, 0.996 * tps, tps];
  const state = makeState({
    scenarios: SHAPES,
    rounds: 4,
    outcomes: {
      'named-volume.published-port': steady(800),
      'named-volume.published-port~again': steady(800),
      'named-volume.host-network': steady(host),
      'named-volume.user-bridge': steady(bridge),
      'container-layer.published-port': steady(800),
    },
  });
  const analysis = analyze(state, { appPlace: place });
  const [block] = adviceSection(state, analysis, t).blocks;
  if (block?.kind !== 'advice') throw new Error('no advice');
  return [
    `${JSON.stringify(block.app)} ${headlineText(analysis, t)}`,
    ...block.items.map(({ action }) => `advice: ${action.code}`),
    ...block.others.map(({ line }) => line),
    ...(block.keep === undefined ? [] : [block.keep]),
  ];
}

it('advice is a line for each place of an app until its user says where it runs, and no small gain', async () => {
  await expectShown('for-me', {
    'nobody says where it runs': advised(null),
    'on the host': advised('host'),
    'in a container': advised('container'),
    'in a container, for a gain below 1.1×': advised('container', { bridge: 860 }),
  });
});

it('a project says itself where its app runs', () => {
  const state = makeState({ scenarios: [...SHAPES].reverse(), rounds: 2 });
  const source: DatabaseSource = { kind: 'compose', files: ['/srv/shop/compose.yaml'], project: 'shop' };
  const plan = { ...state.plan, database: { source, service: 'db' } };
  const placeAt = (baselineId: string) => analyze({ ...state, plan }, { baselineId, appPlace: 'host' }).app;
  expect(placeAt('named-volume.user-bridge')).toEqual({ place: 'container', isAsked: false });
  expect(placeAt('named-volume.published-port')).toEqual({ place: 'host', isAsked: false });
});
