import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { htmlReport } from '../../../../src/benchmark/report/html.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { ENGLISH as t } from '../../../../src/shared/words/i18n.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { sampleState } from '../../builders.ts';
import { ink } from '../../../../src/shared/pictures/svg.ts';
import { parsePage } from './html-tokens.ts';
import { loadGeneratorsState, markedState, sweepState, bufferPoolsState } from './states.ts';

function report(state: RunState): string {
  const analysis = analyze(state);
  return htmlReport({ state, sharing: { included: [], leftOut: {} } }, analysis, t);
}

describe('HTML report', () => {
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
      expect(html).toContain(
        `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
      );
      expect(style).toContain('@media print');
      expect(style).toContain('prefers-color-scheme:dark');
    }
  });

  it('draws a dot for every effect and every measured scenario, with its flags, in colors of both themes', () => {
    const html = report(markedState());
    const fills = parsePage(html).attributes['circle fill'] ?? [];
    const dots = (fill: string) => fills.filter((one) => one === fill);
    expect(dots(ink('baseline'))).toHaveLength(1);
    expect(dots(ink('faster'))).toHaveLength(2);
    expect(html.match(/‡<\/td>/g)).toHaveLength(2);
    for (const name of ['baseline', 'faster'])
      expect(html.match(new RegExp(`--${name}:#`, 'g'))).toHaveLength(2);
  });

  it('draws the curves of a sweep', () => {
    const page = parsePage(report(sweepState()));
    expect((page.attributes['path d'] ?? []).filter((d) => d.startsWith('M')).length).toBeGreaterThanOrEqual(
      4,
    );
    expect(page.attributes['svg role']).toEqual(['img', 'img']);
    expect(parsePage(report(sampleState())).attributes['svg role']).toBeUndefined();
  });
});
