import { Renderer } from '@takumi-rs/wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPng, type PngAssets } from '../../../../src/benchmark/report/png.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import type { Language } from '../../../../src/shared/model/settings.ts';
import { CARD_STYLES, type CardNode } from '../../../../src/shared/pictures/card-node.ts';
import { shareCard } from '../../../../src/shared/pictures/card.ts';
import { createTranslator, ENGLISH as t } from '../../../../src/shared/words/i18n.ts';
import {
  loadGeneratorsState,
  markedState,
  pngAssets,
  sweepState,
  STATES,
} from '../../benchmark/report/states.ts';
import { sampled } from '../../../helpers/tier.ts';
import { makeState, sampleState, withHost, type ScenarioShape } from '../../builders.ts';
import { cardPictures, cardTexts } from './card-parts.ts';

const card = (state: RunState, language: Language = 'en'): CardNode =>
  shareCard(state, analyze(state), createTranslator(language));
const named = (name: string): CardNode =>
  card(makeState({ rounds: 1, scenarios: [{ storage: 'tmpfs', path: 'published-port', name }] }));
const drawings = (node: CardNode): string => cardPictures(node).join('\n');
const bars = (node: CardNode, fill: string): number[] =>
  [...drawings(node).matchAll(/<rect [^>]*width="([\d.]+)" height="[\d.]+" fill="([^"]+)" rx="2"/g)]
    .filter(([, , own]) => own === fill)
    .map(([, width]) => Number(width));

let assets: PngAssets;
let renderer: Renderer;
beforeAll(async () => {
  assets = await pngAssets();
  await renderPng(named('first'), assets);
  renderer = new Renderer();
  for (const data of assets.fonts) await renderer.registerFont({ name: 'Inter', data });
  await renderer.registerFont({ name: 'Noto Sans SC', data: await assets.hanFont() });
});

describe('what a card says', () => {
  it('has the times of a task, in seconds and to scale', () => {
    const scenarios: ScenarioShape[] = [
      { storage: 'named-volume', path: 'published-port' },
      { storage: 'tmpfs', path: 'published-port' },
    ];
    const outcomes = {
      'named-volume.published-port': [0.05, 0.05, 0.05],
      'tmpfs.published-port': [0.2, 0.2, 0.2],
    };
    const run = makeState({
      scenarios,
      aaCheck: false,
      rounds: 3,
      durationSeconds: 40,
      connections: 1,
      outcomes,
    });
    const texts = cardTexts(card({ ...run, plan: { ...run.plan, task: { kind: 'ready' } } }));
    expect(texts.join('|')).toMatch(
      /tmpfs starts in [\d.]+ s instead of [\d.]+ s \(named volume\), but can lose data/,
    );
    expect(texts).toContain('10 s');
    expect(texts.filter((one) => one.endsWith('×'))).toEqual([]);
  });

  it('names what disturbed the machine, and nothing else', () => {
    const state = makeState({ rounds: 3 });
    const battery = { kind: 'on-battery', windows: null, value: null, name: null } as const;
    const disturbed = withHost(state, { [state.trials[0]?.id ?? '']: [battery] });
    const said = (one: RunState): string => cardTexts(card(one)).join(' ');
    expect(said(disturbed)).toContain(t('report:card.attentionHost.power'));
    expect(said(disturbed)).not.toContain(t('report:card.attentionHost.thermal'));
    expect(said(state)).not.toContain(t('report:card.attentionHost.power'));
  });

  it('counts what has no room', () => {
    const scenarios = Array.from({ length: 30 }, (_, index): ScenarioShape => ({
      storage: 'tmpfs',
      path: 'published-port',
      name: `scenario ${index + 1}`,
    }));
    const all = cardTexts(card(makeState({ scenarios, rounds: 1, aaCheck: false })));
    expect(all.filter((text) => /^Scenario \d+$/.test(text))).toHaveLength(23);
    expect(all).toContain('and 7 more scenarios');
  });

  it('takes names as text, whatever is in them', async () => {
    const hostile = named('a <b>"bold"</b> & \u0000\u001b[31mred\ud800 name');
    expect(cardTexts(hostile)).toContain('A <b>"bold"</b> & [31mred name');
    await expect(renderPng(hostile, assets)).resolves.toBeInstanceOf(Uint8Array);
  });
});

describe('what a card draws', () => {
  it('has bars as long as their ratios, with patterns for flags', () => {
    const marked = card(markedState());
    const [base] = bars(marked, '#0a2540');
    const [faster] = bars(marked, '#0b6e82');
    expect((faster ?? 0) / (base ?? 1)).toBeCloseTo(2, 2);
    expect(bars(marked, 'url(#not-durable)')).toEqual([faster]);
    expect(bars(marked, 'url(#client-limited)').sort((a, b) => a - b)).toEqual([base, faster]);
    for (const flag of ['not-durable', 'client-limited']) {
      expect(drawings(marked)).toContain(`<pattern id="${flag}" `);
    }
    expect(drawings(card(sampleState()))).not.toContain('fill="url(#not-durable)"');
  });

  it('has published numbers hollow, as ratios beside the measured ones', () => {
    const node = card(loadGeneratorsState());
    const frames = [...drawings(node).matchAll(/<rect [^>]*width="([\d.]+)" height="[\d.]+" fill="none"/g)];
    // Ten scenarios have a frame each, and the key has one.
    expect(frames).toHaveLength(11);
    // Each load generator has its own baseline.
    const [base, ...others] = bars(node, '#0a2540');
    expect(others).toEqual([base]);
    const widths = frames.map(([, width]) => Number(width));
    // 2200 of 7100 TPS, though the measured run is far slower than both.
    expect(Math.min(...widths.slice(0, -1)) / (base ?? 1)).toBeCloseTo(2200 / 7100, 2);
  });

  it('has no published number where nothing can be compared: it would be an absolute rate', () => {
    const outcomes = { 'native.loopback.builtin': [], 'native.loopback.sysbench': [] };
    const node = card(loadGeneratorsState({ outcomes, aaCheck: false }));
    expect(drawings(node)).not.toMatch(/<rect [^>]*fill="none"/);
    expect(cardTexts(node).join()).not.toContain('published:');
  });

  it('has the curves of a sweep with their numbers, and a ring at each knee', () => {
    const node = card(sweepState());
    const curves = [...drawings(node).matchAll(/<polyline points="([^"]+)"/g)].map(([, points = '']) =>
      points.split(' ').map((point) => Number(point.split(',')[1])),
    );
    expect(curves.map((points) => points.length)).toEqual([7, 7]);
    expect([...drawings(node).matchAll(/<circle [^>]*r="10" fill="none"/g)]).toHaveLength(2);
    // Points with more transactions are higher.
    const heights = curves[0]?.slice(0, 4) ?? [];
    expect(heights).toEqual([...heights].sort((a, b) => b - a));
    const [sweep] = analyze(sweepState()).sweeps;
    expect(cardTexts(node)).toContain(Math.round(sweep?.levels[0]?.tps ?? 0).toString());
  });
});

describe('how a card looks', () => {
  it('only asks for the large font where a text needs it, and draws any script without failing', async () => {
    const asked = { ...assets, hanFont: () => Promise.reject(new Error('asked for')) };
    await expect(renderPng(card(sampleState()), asked)).resolves.toBeInstanceOf(Uint8Array);
    await expect(renderPng(named('卷'), asked)).rejects.toThrow('asked for');
    const latin = assets.fonts[0] ?? new Uint8Array();
    const without = await renderPng(named('卷'), { ...assets, hanFont: () => Promise.resolve(latin) });
    expect(Buffer.from(await renderPng(named('卷'), assets)).equals(Buffer.from(without))).toBe(false);
    await expect(
      renderPng(named('العربية 한국어 ไทย 😀 𠀀 Ελληνικά Кириллица'), assets),
    ).resolves.toBeInstanceOf(Uint8Array);
  });

  it.each(sampled(Object.entries(STATES), 3))('keeps every text inside the picture: %s', async (_, make) => {
    const state = make();
    const long = (text: string): string => `${text} ${'and so on '.repeat(12)}${'unbroken'.repeat(30)}`;
    const { configs, scenarios, preset } = state.plan;
    const longer: RunState = {
      ...state,
      plan: {
        ...state.plan,
        preset: { ...preset, question: long(preset.question) },
        configs: configs.map((config) => ({
          ...config,
          image: { ...config.image, used: long('registry.example.com'), substituted: true },
        })),
        scenarios: scenarios.map((one) => ({
          ...one,
          label: { ...one.label, ownName: long(one.id) },
        })),
      },
    };
    for (const node of [card(state), card(longer), card(longer, 'zh-CN')]) {
      expect(cardTexts(node).join('\n')).not.toMatch(/undefined|NaN|null|Infinity|\{\{|report:/);
      expect(drawings(node)).not.toMatch(/="[^"]*(NaN|Infinity|undefined)/);
      const measured = await renderer.measure(node, { width: 1200, css: [CARD_STYLES] });
      const runs = placed(measured);
      expect(runs.length).toBeGreaterThan(4);
      for (const { text, left, right, bottom } of runs) {
        expect(left, text).toBeGreaterThanOrEqual(40);
        expect(right, text).toBeLessThanOrEqual(1165);
        expect(bottom, text).toBeLessThan(measured.height);
      }
    }
  });
});

interface Measured {
  transform: number[];
  children: Measured[];
  runs: { text: string; x: number; y: number; width: number; height: number }[];
}

function placed({
  transform,
  children,
  runs,
}: Measured): { text: string; left: number; right: number; bottom: number }[] {
  const [, , , , x = 0, y = 0] = transform;
  return [
    ...runs.map((run) => ({
      text: run.text,
      left: x + run.x,
      right: x + run.x + run.width,
      bottom: y + run.y + run.height,
    })),
    ...children.flatMap(placed),
  ];
}
