import type { Analysis } from '../analysis/analysis.ts';
import type { RunState } from '../model/run-state.ts';
import { adviceSection, headlineSection, sureSection } from './answer.ts';
import { type Saying, type Section, withContent } from './blocks.ts';
import { effectsSection, numbersSection, scenariosSection, sweepSection } from './comparisons.ts';
import { conditionSections } from './conditions.ts';
import { endSection } from './end.ts';
import { excludedSection, failedSection, otherSections } from './more.ts';
import { waterfallSection } from './waterfall.ts';

/** Sections in order; renderers only draw kinds of blocks. */
export function documentOf(run: RunState, analysis: Analysis, saying: Saying): Section[] {
  const { t } = saying;
  const isEmpty = analysis.scenarios.every(({ measured }) => measured === 0);
  const hasEffects = analysis.effects.length > 0;
  const place = isEmpty ? 'answer' : 'why';
  const problems = [failedSection(run, place, t), excludedSection(run, place, t)];
  return withContent([
    headlineSection(run, analysis, t),
    ...(isEmpty ? problems : []),
    adviceSection(run, analysis, t),
    waterfallSection(analysis, t),
    sweepSection(analysis, t),
    effectsSection(analysis, t),
    scenariosSection(run, analysis, hasEffects || isEmpty ? 'why' : 'answer', saying),
    sureSection(run, analysis, t),
    ...(isEmpty ? [] : problems),
    ...otherSections(analysis, t),
    ...numbersSection(run, analysis, t),
    ...conditionSections(run, analysis, saying),
    endSection(run, saying),
  ]);
}
