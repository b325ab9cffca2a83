import { Resvg } from '@resvg/resvg-wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPng, type PngAssets } from '../../../../src/benchmark/report/png.ts';
import { shareCard } from '../../../../src/shared/pictures/card.ts';
import { fitText, textWidth, type Weight } from '../../../../src/shared/pictures/text.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import {
  headlineLines,
  flagNotes,
  aaCheckText,
  sweepSentence,
} from '../../../../src/shared/words/wording.ts';
import {
  machineText,
  methodText,
  publishedText,
  serversText,
} from '../../../../src/shared/words/provenance.ts';
import type { Language } from '../../../../src/shared/model/settings.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { makeState, sampleState, withHost, type ScenarioShape } from '../../builders.ts';
import {
  BASE,
  BIND,
  loadGeneratorsState,
  markedState,
  pngAssets,
  sweepState,
  bufferPoolsState,
  STATES,
  tpccState,
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
  it('says question, headline, certainty, reservations, machine and method', () => {
    const state = sampleState();
    const analysis = analyze(state);
    const all = texts(card(state));
    expect(all).toEqual(
      expect.arrayContaining([
        state.plan.preset.question,
        ...headlineLines(analysis, t).map(({ text }) => text),
        t('report:card.attention', {
          text: `${t('report:card.attentionFailed')}, ${t('report:card.attentionImage')}`,
        }),
        `${machineText(state, t)} · ${serversText(state.plan, t)}`,
        methodText(state, analysis, t),
        'Whalemark',
        'Whalemark 0.1.0',
      ]),
    );
  });

  it('names what disturbed the machine, and nothing else', () => {
    const state = makeState({ rounds: 3 });
    const battery = { kind: 'on-battery', windows: null, value: null, name: null } as const;
    const disturbed = withHost(state, { [state.trials[0]?.id ?? '']: [battery] });
    expect(texts(card(disturbed)).join(' ')).toContain(t('report:card.attentionHost.power'));
    expect(texts(card(disturbed)).join(' ')).not.toContain(t('report:card.attentionHost.thermal'));
    expect(texts(card(state)).join(' ')).not.toContain(t('report:card.attentionHost.power'));
  });

  it('has a row for every level of every factor of a grid, and no scenarios', () => {
    const state = sampleState();
    const all = texts(card(state));
    for (const name of ['Bind mount', 'Bridge network (client in a container)', 'Host network']) {
      expect(all).toContain(name);
    }
    expect(all).toContain(t('report:card.unsafe', { name: 'Container layer' }));
    expect(all.filter((text) => text.startsWith('Named volume via '))).toEqual([]);
    expect(all).toContain(aaCheckText(analyze(state), t));
  });

  it('has a row for every scenario of a single factor, the fastest first, without the repeat', () => {
    const scenarios: ScenarioShape[] = [
      { storage: 'named-volume', path: 'published-port' },
      { storage: 'bind-mount', path: 'published-port' },
    ];
    const outcomes = { [BASE]: [800, 804], [BIND]: [900, 902], [`${BASE}~again`]: [801, 803] };
    const all = texts(card(makeState({ scenarios, rounds: 2, outcomes })));
    const places = ['Bind mount via published port', 'Named volume via published port'].map((name) =>
      all.indexOf(name),
    );
    expect(places).toEqual([...places].sort((x, y) => x - y));
    expect(places[0]).toBeGreaterThan(0);
    expect(all.some((text) => text.includes('(again)'))).toBe(false);
  });

  it('draws bars as long as their ratios, with patterns for flags, and says what pattern and sign mean', () => {
    const svg = card(markedState());
    const [base] = bars(svg, '#0a2540');
    const [faster] = bars(svg, '#0b6e82');
    expect((faster ?? 0) / (base ?? 1)).toBeCloseTo(2, 2);
    expect(bars(svg, 'url(#not-durable)')).toEqual([faster]);
    expect(bars(svg, 'url(#client-limited)').sort((a, b) => a - b)).toEqual([base, faster]);
    for (const flag of ['not-durable', 'client-limited']) expect(svg).toContain(`<pattern id="${flag}" `);
    const all = texts(svg);
    expect(all).toEqual(expect.arrayContaining(['2.0× as fast †‡', 'baseline ‡']));
    const [inCache, clientLimited] = flagNotes(analyze(markedState()), t);
    expect(all).toEqual(
      expect.arrayContaining([`† ${inCache?.text ?? ''}`, `‡ ${clientLimited?.text ?? ''}`]),
    );
    const plain = card(sampleState());
    expect(plain).not.toContain('fill="url(#not-durable)"');
    expect(texts(plain).join()).not.toMatch(/[†‡]/);
  });

  it('says why there is no bar', () => {
    const state = STATES['no baseline']?.() ?? sampleState();
    const message = state.trials.find(({ error }) => error?.code === 'SERVER_EXITED')?.error?.message ?? '';
    expect(texts(card(state))).toContain(t('report:card.failed', { message }));
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

  it('draws published numbers hollow, as ratios beside the measured ones, and says whose they are', () => {
    const state = loadGeneratorsState();
    const svg = card(state);
    const frames = [...svg.matchAll(/<rect [^>]*width="([\d.]+)" height="([\d.]+)" fill="none"/g)];
    // One a scenario, and the key.
    expect(frames).toHaveLength(11);
    const all = texts(svg);
    // 2200 of 7100 TPS, though the measured run is far slower than both.
    expect(all.filter((text) => text === '0.31× published')).toHaveLength(2);
    // Each load generator has its own baseline.
    expect(all.filter((text) => /^With load generator (builtin|sysbench)$/.test(text))).toHaveLength(2);
    const [base, ...others] = bars(svg, '#0a2540');
    expect(others).toEqual([base]);
    const widths = frames.map(([, width]) => Number(width));
    expect(Math.min(...widths.slice(0, -1)) / (base ?? 1)).toBeCloseTo(2200 / 7100, 2);
    const { reference } = state.plan;
    if (reference === null) throw new Error('nothing was published');
    expect(all).toContain(t('report:card.published', { line: publishedText(reference, t) }));
  });

  it('draws no published number where nothing can be compared: it would be an absolute rate', () => {
    const outcomes = { 'native.loopback.builtin': [], 'native.loopback.sysbench': [] };
    const svg = card(loadGeneratorsState({ outcomes, aaCheck: false }));
    expect(svg).not.toMatch(/<rect [^>]*fill="none"/);
    expect(texts(svg).join()).not.toContain('published:');
  });

  it('keeps buffer-pool sizes apart, each with its own baseline', () => {
    const all = texts(card(bufferPoolsState()));
    const [first, second] = ['With buffer-pool size “I/O-bound”', 'With buffer-pool size “In memory”'].map(
      (text) => all.indexOf(text),
    );
    const baselines = all.flatMap((text, index) => (text === 'Native server (no Docker)' ? [index] : []));
    expect(baselines).toHaveLength(2);
    expect(first).toBeLessThan(baselines[0] ?? 0);
    expect(second).toBeGreaterThan(baselines[0] ?? 0);
    expect(second).toBeLessThan(baselines[1] ?? 0);
    const [finding] = headlineLines(analyze(bufferPoolsState()), t);
    expect(all.join(' ')).toContain(finding?.text ?? 'none');
    expect(all).toContain(t('report:card.axisIn', { confidence: 95 }));
  });

  it('draws the curves of a sweep, with a ring at each knee, and says where it is', () => {
    const svg = card(sweepState());
    const all = texts(svg);
    expect(all).toEqual(
      expect.arrayContaining([
        t('report:sweep.curveTps'),
        t('report:sweep.curveP95'),
        t('report:sweep.connections'),
        '64',
      ]),
    );
    const { sweeps } = analyze(sweepState());
    expect(sweeps.map(({ knee }) => knee?.connections)).toEqual([8, 4]);
    expect(all).toEqual(expect.arrayContaining(sweeps.map((sweep) => sweepSentence(sweep, t))));
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

  it('grows with many scenarios, and stays 1200 × 675 with few', () => {
    const height = (state: RunState): number => Number(/height="(\d+)" viewBox/.exec(card(state))?.[1]);
    expect(height(sampleState())).toBe(675);
    expect(height(bufferPoolsState())).toBeGreaterThan(800);
  });

  it('gives rates of TPC-C-like runs per minute, and every server', () => {
    const all = texts(card(tpccState()));
    expect(all.filter((text) => /^[\d,]+ tx\/min$/.test(text))).toHaveLength(3);
    expect(all.filter((text) => /^[\d,]+ new orders\/min$/.test(text))).toHaveLength(3);
    expect(all.join(' ')).toContain('MariaDB 11.8.6 (mariadb:11.8)');
    expect(all.join(' ')).toContain(
      'Percona Server 8.0.42-33 (local image percona/percona-server:8.0 used instead of percona/percona-server:8.4)',
    );
    expect(all.join(' ')).not.toMatch(/tpmC/i);
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
