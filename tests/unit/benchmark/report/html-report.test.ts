import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { htmlReport } from '../../../../src/benchmark/report/html.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { machineText } from '../../../../src/shared/words/provenance.ts';
import { sharingText } from '../../../../src/shared/words/wording.ts';
import { LANGUAGES, type Language } from '../../../../src/shared/model/settings.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import type { Sharing } from '../../../../src/shared/model/sharing.ts';
import { sampleState, withHost } from '../../builders.ts';
import { ink } from '../../../../src/shared/pictures/svg.ts';
import { parsePage } from './html-tokens.ts';
import {
  loadGeneratorsState,
  markedState,
  sweepState,
  bufferPoolsState,
  STATES,
  talkativeState,
} from './states.ts';

const NOTHING: Sharing = { included: [], leftOut: {} };

function report(state: RunState, language: Language = 'en', sharing = NOTHING): string {
  const analysis = analyze(state);
  return htmlReport({ state, sharing }, analysis, createTranslator(language));
}

describe('HTML report', () => {
  it.each(Object.entries(STATES))('is one whole page in both languages: %s', (_, make) => {
    for (const language of LANGUAGES) {
      const html = report(make(), language);
      const page = parsePage(html);
      expect(page.attributes['html lang']).toEqual([language]);
      expect(page.tags.filter((tag) => tag.startsWith('h1'))).toHaveLength(1);
      expect(page.text).not.toMatch(/undefined|NaN|Infinity|\{\{|report:|ui:/);
    }
  });

  it('needs nothing but itself: no script, no link, no address, and a policy that says so', () => {
    for (const state of [
      sampleState(),
      sweepState(),
      bufferPoolsState(),
      loadGeneratorsState(),
      markedState(),
    ]) {
      const html = report(state);
      const page = parsePage(html);
      const elements = new Set(page.tags.map((tag) => tag.split(' ')[0]));
      for (const one of ['script', 'link', 'img', 'iframe', 'a', 'object', 'form', 'base']) {
        expect(elements, one).not.toContain(one);
      }
      const names = new Set(page.tags.flatMap((tag) => tag.split(' ').slice(1)));
      expect([...names].filter((name) => /^(?:on|href|src|style$|xlink)/.test(name))).toEqual([]);
      expect(html).not.toMatch(/url\((?!#)|@import/);
      const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      const [, , policy = ''] = page.attributes['meta content'] ?? [];
      expect(html).toContain(
        `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
      );
      expect(policy).toBeDefined();
      expect(style).toContain('@media print');
      expect(style).toContain('prefers-color-scheme:dark');
    }
  });

  it('says verdict, numbers, conditions, machine, method, what failed and what could not run', () => {
    const t = createTranslator('en');
    const [state, sharing] = [
      talkativeState(),
      { included: ['host'], leftOut: { path: 3, secret: 1 } } satisfies Sharing,
    ];
    const { text } = parsePage(report(state, 'en', sharing));
    for (const part of [
      state.plan.preset.question,
      t('report:html.comparison'),
      t('report:advice.sure'),
      t('report:flushes.title'),
      'p95',
      t('ui:result.problems'),
      'last line of the log',
      'SERVER_EXITED',
      t('ui:result.excluded'),
      'no room',
      '--innodb-io-capacity=200',
      t('ui:result.settings'),
      t('ui:passport.title'),
      machineText(state, t),
      t('report:html.method'),
      t('report:html.methodLead'),
      'mysql:8.0',
      sharingText(sharing, t),
      'Whalemark 0.1.0, run 20260601-093000-a1b2',
    ]) {
      expect(text).toContain(part);
    }
    expect(parsePage(report(withHost(sampleState(), {}))).text).toContain(t('report:why.title'));
  });

  it('draws a bar for every effect and every measured scenario, with its flags, in colors of both themes', () => {
    const html = report(markedState());
    const fills = parsePage(html).attributes['rect fill'] ?? [];
    const bars = (fill: string) => fills.filter((one) => one === fill);
    expect(bars(ink('baseline'))).toHaveLength(1);
    expect(bars(ink('faster'))).toHaveLength(2);
    expect(bars('url(#client-limited)').length).toBeGreaterThanOrEqual(2);
    for (const name of ['baseline', 'faster'])
      expect(html.match(new RegExp(`--${name}:#`, 'g'))).toHaveLength(2);
  });

  it('draws the curves of a sweep, and has its tables', () => {
    const page = parsePage(report(sweepState()));
    expect((page.attributes['path d'] ?? []).filter((d) => d.startsWith('M')).length).toBeGreaterThanOrEqual(
      4,
    );
    expect(page.attributes['svg role']).toEqual(['img', 'img', 'img']);
    expect(page.text).toContain('Named volume via container IP: knee at 8 connections (in 5 of 5 rounds)');
    expect(parsePage(report(sampleState())).attributes['svg role']).toEqual(['img', 'img']);
  });
});
