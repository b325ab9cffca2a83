import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { runHeadlineSchema } from '../../../../src/shared/model/history-entry.ts';
import { runHeadlineOf } from '../../../../src/shared/analysis/run-headline.ts';
import { headlineText, runHeadlineText } from '../../../../src/shared/words/wording.ts';
import { DEMO_FACTORS, demoOutcomes, makeState, type StateShape } from '../../builders.ts';

const t = createTranslator('en');

function headlineAfterJson(shape: StateShape) {
  const analysis = analyze(makeState(shape));
  const stored: unknown = JSON.parse(JSON.stringify(runHeadlineOf(analysis)));
  return { analysis, headline: runHeadlineSchema.parse(stored) };
}

describe('the headline of a run in a list', () => {
  it.each<[string, StateShape]>([
    ['a difference', { outcomes: demoOutcomes(DEMO_FACTORS) }],
    ['no difference', {}],
    ['nothing measured', { outcomes: {}, rounds: 0 }],
    ['too little', { rounds: 1, outcomes: demoOutcomes(DEMO_FACTORS, { rounds: 1 }) }],
  ])('says what the result says: %s', (_, shape) => {
    const { analysis, headline } = headlineAfterJson(shape);
    expect(runHeadlineText(headline, t)).toBe(headlineText(analysis, t));
    expect(runHeadlineText(headline, t)).not.toContain('headline.');
  });

  it('holds names and a ratio, and no sentence', () => {
    const { headline } = headlineAfterJson({ outcomes: demoOutcomes(DEMO_FACTORS) });
    expect(headline).toMatchObject({
      kind: 'findings',
      findings: [
        { factor: 'storage', of: { storage: 'container-layer' }, against: { storage: 'named-volume' } },
        { factor: 'path', of: { path: 'host-network' }, against: { path: 'published-port' } },
      ],
    });
  });
});
