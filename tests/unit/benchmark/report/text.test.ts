import { describe, expect, it } from 'vitest';
import { renderText } from '../../../../src/benchmark/report/text.ts';
import { readResultHere } from '../../../../src/benchmark/store/stored-result.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { type Placement, PLACEMENTS } from '../../../../src/shared/model/names.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { makeState, sampleState } from '../../builders.ts';
import { loadGeneratorsState } from './states.ts';

const t = createTranslator('en');
/** Number of lines that a terminal of 80 columns needs for a text. */
const linesAt80 = (text: string): number =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil([...line].length / 80)), 0);
const rendered = (state = sampleState()): string => renderText(state, analyze(state));

describe('text report', () => {
  it('keeps columns in line with wide characters', () => {
    const state = makeState({
      rounds: 2,
      scenarios: [
        { storage: 'named-volume', path: 'published-port', name: '命名卷' },
        { storage: 'bind-mount', path: 'published-port', name: 'abcdef' },
      ],
      aaCheck: false,
    });
    const lines = rendered(state).split('\n');
    const wide = lines.find((line) => line.startsWith('命名卷 ')) ?? '';
    const narrow = lines.find((line) => line.startsWith('Abcdef ')) ?? '';
    expect(wide.indexOf('500') + 3).toBe(narrow.indexOf('500'));
  });

  it('says when published numbers have another baseline than the measured ones', () => {
    const whole = loadGeneratorsState();
    const cells = whole.plan.reference?.cells.filter(({ scenarioId }) => !scenarioId.startsWith('native'));
    const reference = whole.plan.reference && { ...whole.plan.reference, cells: cells ?? [] };
    expect(rendered({ ...whole, plan: { ...whole.plan, reference } })).toContain(
      t('report:published.ownBaseline'),
    );
  });

  it('draws a transaction of each choice, each to the same scale', async () => {
    const run = await readResultHere('assets/example/result.json.gz', 'example');
    const lines = rendered(run).split('\n');
    const lengthOf = (name: string): number =>
      (/[B░▒RWC·]{3,}/.exec(lines.find((line) => line.startsWith(`${name} `)) ?? '')?.[0] ?? '').length;
    const [volume, host] = ['Named volume via published port', 'Host network'].map(lengthOf);
    expect(volume).toBe(29);
    expect(host).toBe(17);
    expect(lines).toContain('░ network  ▒ flush  B BEGIN  R reads  W writes  C COMMIT');
  });

  it('ends a run with its answer in at most 38 lines, and two that say where the rest is', async () => {
    const run = await readResultHere('assets/example/result.json.gz', 'example');
    const briefly = (appPlace: Placement | null): string =>
      renderText(run, analyze(run, { appPlace }), true).trimEnd();
    for (const place of [...PLACEMENTS, null]) expect(linesAt80(briefly(place))).toBeLessThanOrEqual(38);
    const text = briefly('host');
    for (const said of [
      '1.8×',
      t('report:waterfall.title'),
      'Use the host network',
      t('report:effects.title'),
      'Noise check',
    ]) {
      expect(text).toContain(said);
    }
  });
});
