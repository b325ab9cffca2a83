import { describe, expect, it } from 'vitest';
import { renderText } from '../../../../src/benchmark/report/text.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { makeState, sampleState } from '../../builders.ts';
import { loadGeneratorsState } from './states.ts';

const t = createTranslator('en');
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
});
