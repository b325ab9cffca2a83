import { Resvg } from '@resvg/resvg-wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPng, type PngAssets } from '../../../../src/benchmark/report/png.ts';
import { shareCard } from '../../../../src/shared/pictures/card.ts';
import { fitText, textWidth, type Weight } from '../../../../src/shared/pictures/text.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import type { Language } from '../../../../src/shared/model/settings.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { makeState, sampleState, withHost, type ScenarioShape } from '../../builders.ts';
import {
  loadGeneratorsState,
  markedState,
  pngAssets,
  sweepState,
  STATES,
} from '../../benchmark/report/states.ts';

const t = createTranslator('en');
const card = (state: RunState, language: Language = 'en'): string =>
  shareCard(state, analyze(state), createTranslator(language));
const texts = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? '');
const bars = (svg: string, fill: string): number[] =>
  [...svg.matchAll(/<rect [^>]*width="([\d.]+)" height="[\d.]+" fill="([^"]+)" rx="2"/g)]
    .filter(([, , own]) => own === fill)
    .map(([, width]) => Number(width));

/** What each text covers: letters with their descenders. */
function textBoxes(svg: string) {
  return [
    ...svg.matchAll(
      /<text x="([\d.-]+)" y="([\d.-]+)" font-size="([\d.]+)" font-weight="(\d+)"([^>]*)>([^<]*)</g,
    ),
  ].map(([, x, y, size, weight, rest, text = '']) => {
    const width = textWidth(text, Number(size), Number(weight) as Weight);
    const left = Number(x) - (rest?.includes('end') ? width : rest?.includes('middle') ? width / 2 : 0);
    const [top, bottom] = [Number(y) - 0.75 * Number(size), Number(y) + 0.2 * Number(size)];
    return { text, left, right: left + width, top, bottom };
  });
}

let assets: PngAssets;
let hanFont: Uint8Array;
beforeAll(async () => {
  assets = await pngAssets();
  hanFont = await assets.hanFont();
  await renderPng('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>', assets);
});

describe('share card', () => {
  it('names what disturbed the machine, and nothing else', () => {
    const state = makeState({ rounds: 3 });
    const battery = { kind: 'on-battery', windows: null, value: null, name: null } as const;
    const disturbed = withHost(state, { [state.trials[0]?.id ?? '']: [battery] });
    expect(texts(card(disturbed)).join(' ')).toContain(t('report:card.attentionHost.power'));
    expect(texts(card(disturbed)).join(' ')).not.toContain(t('report:card.attentionHost.thermal'));
    expect(texts(card(state)).join(' ')).not.toContain(t('report:card.attentionHost.power'));
  });

  it('draws bars as long as their ratios, with patterns for flags', () => {
    const svg = card(markedState());
    const [base] = bars(svg, '#0a2540');
    const [faster] = bars(svg, '#0b6e82');
    expect((faster ?? 0) / (base ?? 1)).toBeCloseTo(2, 2);
    expect(bars(svg, 'url(#not-durable)')).toEqual([faster]);
    expect(bars(svg, 'url(#client-limited)').sort((a, b) => a - b)).toEqual([base, faster]);
    for (const flag of ['not-durable', 'client-limited']) expect(svg).toContain(`<pattern id="${flag}" `);
    const plain = card(sampleState());
    expect(plain).not.toContain('fill="url(#not-durable)"');
  });

  it('counts what has no room', () => {
    const scenarios = Array.from({ length: 30 }, (_, index): ScenarioShape => ({
      storage: 'tmpfs',
      path: 'published-port',
      name: `scenario ${index + 1}`,
    }));
    const state = makeState({ scenarios, rounds: 1, aaCheck: false });
    const all = texts(card(state));
    expect(all.filter((text) => /^Scenario \d+$/.test(text))).toHaveLength(23);
    expect(all).toContain('and 7 more scenarios');
  });

  it('draws published numbers hollow, as ratios beside the measured ones', () => {
    const svg = card(loadGeneratorsState());
    const frames = [...svg.matchAll(/<rect [^>]*width="([\d.]+)" height="([\d.]+)" fill="none"/g)];
    // One a scenario, and the key.
    expect(frames).toHaveLength(11);
    // Each load generator has its own baseline.
    const [base, ...others] = bars(svg, '#0a2540');
    expect(others).toEqual([base]);
    const widths = frames.map(([, width]) => Number(width));
    // 2200 of 7100 TPS, though the measured run is far slower than both.
    expect(Math.min(...widths.slice(0, -1)) / (base ?? 1)).toBeCloseTo(2200 / 7100, 2);
  });

  it('draws no published number where nothing can be compared: it would be an absolute rate', () => {
    const outcomes = { 'native.loopback.builtin': [], 'native.loopback.sysbench': [] };
    const svg = card(loadGeneratorsState({ outcomes, aaCheck: false }));
    expect(svg).not.toMatch(/<rect [^>]*fill="none"/);
    expect(texts(svg).join()).not.toContain('published:');
  });

  it('draws the curves of a sweep, with a ring at each knee', () => {
    const svg = card(sweepState());
    const curves = [
      ...svg.matchAll(/<path d="(M[^"]+L[^"]+)" fill="none" stroke="(#\w+)" stroke-width="2.5"/g),
    ];
    // Two sweeps in two panels, seven points each, in two colors.
    expect(curves.map(([, d = '']) => d.split('L').length)).toEqual([7, 7, 7, 7]);
    expect(new Set(curves.map(([, , color]) => color)).size).toBe(2);
    expect([...svg.matchAll(/<circle [^>]*r="10" fill="none"/g)]).toHaveLength(4);
    // More transactions are higher up: the curve of the first panel rises from its first to its fourth level.
    const heights = [...(curves[0]?.[1] ?? '').matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
    expect(heights.slice(0, 4)).toEqual([...heights.slice(0, 4)].sort((a, b) => b - a));
  });

  it('says everything in Chinese, in a font that has the letters', async () => {
    const state = makeState({
      rounds: 3,
      scenarios: [
        { storage: 'named-volume', path: 'published-port', name: '命名卷 + 端口映射' },
        { storage: 'bind-mount', path: 'published-port', name: '绑定挂载 + 端口映射' },
      ],
      preset: { question: 'Docker 让我的 MySQL 付出多少代价？这个问题很长，'.repeat(4) },
    });
    const svg = card(state, 'zh-CN');
    expect(svg).toMatch(
      /<text [^>]*font-weight="600"[^>]*font-family="Noto Sans SC, Inter, sans-serif" stroke="[^"]+" stroke-width="[\d.]+">/,
    );
    // Latin texts stay in Inter.
    expect(svg).toMatch(/<text (?:(?!font-family)[^>])*>Whalemark<\/text>/);
    const with8 = await renderPng(svg, assets);
    const without = await renderPng(svg, {
      ...assets,
      hanFont: () => Promise.resolve(assets.fonts[0] ?? new Uint8Array()),
    });
    expect(Buffer.from(with8).equals(Buffer.from(without))).toBe(false);
    for (const { right, text } of textBoxes(svg)) expect(right, text).toBeLessThanOrEqual(1165);
  });

  it('only asks for the large font where a text needs it, and draws any script without failing', async () => {
    const asked = { ...assets, hanFont: () => Promise.reject(new Error('asked for')) };
    await expect(renderPng(card(sampleState()), asked)).resolves.toBeInstanceOf(Uint8Array);
    const named = (name: string): string =>
      card(makeState({ rounds: 1, scenarios: [{ storage: 'tmpfs', path: 'published-port', name }] }));
    await expect(renderPng(named('卷'), asked)).rejects.toThrow('asked for');
    for (const name of ['العربية', '한국어', 'ไทย', '😀 𠀀', 'Ελληνικά Кириллица']) {
      await expect(renderPng(named(name), assets), name).resolves.toBeInstanceOf(Uint8Array);
    }
  });

  it('takes names as text, whatever is in them', async () => {
    const name = 'a <b>"bold"</b> & \u0000\u001b[31mred\ud800 name';
    const state = makeState({
      rounds: 1,
      scenarios: [{ storage: 'named-volume', path: 'published-port', name }],
    });
    const svg = card(state);
    expect(svg).toContain('A &lt;b&gt;&quot;bold&quot;&lt;/b&gt; &amp; [31mred name');
    await expect(renderPng(svg, assets)).resolves.toBeInstanceOf(Uint8Array);
  });

  it.each(Object.entries(STATES))('keeps every text inside the picture, without gaps: %s', (_, make) => {
    const state = make();
    const long = {
      ...state,
      plan: {
        ...state.plan,
        configs: state.plan.configs.map((config) => ({
          ...config,
          image: {
            ...config.image,
            used: `registry.example.com/${'platform/'.repeat(9)}mysql:8.0`,
            substituted: true,
          },
        })),
        scenarios: state.plan.scenarios.map((one) => ({
          ...one,
          name: `${one.name} ${'and so on '.repeat(12)}`,
        })),
      },
    };
    for (const svg of [card(state), card(long)]) {
      expect(texts(svg).join('\n')).not.toMatch(/undefined|NaN|null|Infinity|\{\{|report:/);
      expect(svg).not.toMatch(/="[^"]*(NaN|Infinity|undefined)/);
      const height = Number(/height="(\d+)" viewBox/.exec(svg)?.[1]);
      const all = textBoxes(svg);
      for (const { text, left, right, bottom } of all) {
        expect(left, text).toBeGreaterThanOrEqual(40);
        expect(right, text).toBeLessThanOrEqual(1165);
        expect(bottom, text).toBeLessThan(height);
      }
      const over = all.flatMap((one, index) =>
        all
          .slice(index + 1)
          .filter(
            (other) =>
              one.left < other.right - 1 &&
              other.left < one.right - 1 &&
              one.top < other.bottom - 1 &&
              other.top < one.bottom - 1,
          )
          .map((other) => `${one.text} | ${other.text}`),
      );
      expect(over).toEqual([]);
    }
  });
});

describe('text metrics', () => {
  const sentences = [
    'Bind mount via published port is 2.1× slower than named volume via published port',
    '5 interleaved rounds × 5 s, 8 connections, oltp_read_write, 4 × 25,000 rows, ratios paired within rounds, 95% CI',
    'WWW MMM iiill 0123456789 (registry.example.com/platform/mysql-server:8.0.42)',
  ];

  it.each(sentences)('agree with what is drawn: %s', (sentence) => {
    for (const weight of [400, 600, 700] as const) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="60" font-family="Inter"><text x="10" y="40" font-size="20" font-weight="${weight}">${sentence}</text></svg>`;
      const picture = new Resvg(svg, { font: { fontBuffers: assets.fonts } });
      const drawn = picture.getBBox()?.width ?? 0;
      picture.free();
      const estimated = textWidth(sentence, 20, weight);
      expect(estimated / drawn).toBeGreaterThan(0.985);
      expect(estimated / drawn).toBeLessThan(1.04);
    }
  });

  it.each([
    '容器可写层 × 发布端口比命名卷慢 1.9×，95% 置信区间',
    '“绑定挂载”（bind mount）与基线之比为 1.00',
  ])('hold for Chinese: %s', (sentence) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="60"><text x="10" y="40" font-size="20" font-family="Noto Sans SC">${sentence}</text></svg>`;
    const picture = new Resvg(svg, { font: { fontBuffers: [...assets.fonts, hanFont] } });
    const drawn = picture.getBBox()?.width ?? 0;
    picture.free();
    // Signs may be narrower than a letter; a text that is thought too long is only set a little smaller.
    expect(textWidth(sentence, 20) / drawn).toBeGreaterThan(0.97);
    expect(textWidth(sentence, 20) / drawn).toBeLessThan(1.3);
  });

  it('wrap Chinese between letters, but not before closing flags', () => {
    const { lines } = fitText('每一轮中，各场景按随机顺序各测量一次。比值在同一轮内计算，', {
      width: 130,
      size: 20,
      minSize: 20,
      lines: 8,
    });
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.join('')).toBe('每一轮中，各场景按随机顺序各测量一次。比值在同一轮内计算，');
    expect(lines.filter((line) => /^[，。]/.test(line))).toEqual([]);
  });

  it('wrap into lines of like length, shrink, and cut at last', () => {
    const room = { width: 300, size: 20, minSize: 12, lines: 2 };
    const wrapped = fitText('one two three four five six seven eight', room);
    expect(wrapped.lines).toHaveLength(2);
    expect(wrapped.lines.join(' ')).toBe('one two three four five six seven eight');
    const [first = '', second = ''] = wrapped.lines;
    expect(Math.abs(first.length - second.length)).toBeLessThan(8);
    const cut = fitText('x'.repeat(400), room);
    expect(cut.size).toBe(12);
    expect(cut.lines.at(-1)).toMatch(/x…$/);
    expect(fitText('a few words', { ...room, width: 80, size: 16, oneLineFrom: 12 }).lines).toHaveLength(1);
    expect(fitText('', room)).toEqual({ lines: [''], size: 20 });
  });
});
