import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { Placement } from '../../../../src/shared/model/names.ts';
import { adviceSection } from '../../../../src/shared/document/answer.ts';
import type { DatabaseSource } from '../../../../src/shared/model/database.ts';
import { ENGLISH as t } from '../../../../src/shared/words/i18n.ts';
import { headlineText } from '../../../../src/shared/words/wording.ts';
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
  return {
    ...block,
    codes: block.items.map(({ action }) => action.code),
    lines: block.others.map(({ line }) => line),
    headline: headlineText(analysis, t),
  };
}

describe('advice for an app', () => {
  it('is a line for each place until its user says where it runs', () => {
    const { app, codes, lines, headline } = advised(null);
    expect(app).toEqual({ place: null, isAsked: true });
    expect(codes).toEqual([]);
    expect(lines[0]).toMatch(/^On this computer: Use the host network\. Gain: 1\.8× .* Cost: /);
    expect(lines[1]).toMatch(/^In a container: Connect over the Compose network\. Gain: 1\.5× /);
    expect(headline).toContain('host network is 1.8×');
  });

  it.each([
    ['host', 'use-host-network', /^In a container: /, 'host network is 1.8×'],
    ['container', 'connect-over-bridge', /^On this computer: /, 'is 1.5×'],
  ] as const)('of a %s is what is faster there, and so is the headline', (place, code, other, said) => {
    const { codes, lines, headline } = advised(place);
    expect(codes).toEqual([code]);
    expect(lines[0]).toMatch(other);
    expect(headline).toContain(said);
  });

  it('is no change of how one works for a gain below 1.1×', () => {
    const { codes, lines, keep } = advised('container', { bridge: 860 });
    expect(codes).toEqual([]);
    expect(lines.some((line) => /^Small gain \(1\.0\d×\): Connect over/.test(line))).toBe(true);
    expect(keep).toBe(t('report:advice.nothing'));
  });

  it('says at once what keeps data safe', () => {
    const { lines } = advised('host');
    expect(lines.at(-1)).toMatch(
      /^Don’t keep data you need in the container layer\. Every docker compose down /,
    );
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
