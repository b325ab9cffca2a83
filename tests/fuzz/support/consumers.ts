import { analyze } from '../../../src/shared/analysis/analyze.ts';
import { compareRuns } from '../../../src/shared/analysis/compare-runs.ts';
import { createTranslator } from '../../../src/shared/words/i18n.ts';
import type { RunState } from '../../../src/shared/model/run-state.ts';
import { runIn } from '../../../src/shared/words/plan-in-words.ts';
import { presetOfPlan } from '../../../src/shared/preset/preset-of-plan.ts';
import { runConditions } from '../../../src/shared/words/facts.ts';
import { htmlReport } from '../../../src/benchmark/report/html.ts';
import { markdownReport } from '../../../src/benchmark/report/markdown.ts';
import { shareCard } from '../../../src/shared/pictures/card.ts';
import { shareable } from '../../../src/benchmark/privacy/shareable.ts';
import { summaryCsv, perSecondCsv } from '../../../src/benchmark/report/csv.ts';
import { renderText } from '../../../src/benchmark/report/text.ts';
import { recentRunOf } from '../../../src/benchmark/store/listed-run.ts';

const [english, chinese] = [createTranslator('en'), createTranslator('zh-CN')];

/** Does with an accepted result whatever is ever done with one, but for drawing pixels. Throws when anything of it does. */
export function consume(state: RunState): void {
  const analysis = analyze(state);
  renderText(state, analysis);
  recentRunOf(state);
  compareRuns([state, state]);
  runConditions([state, state], english);
  const shared = shareable(state, { host: 'host', user: 'user' });
  const translated = { state: runIn(shared.state, 'zh-CN'), sharing: shared.sharing };
  summaryCsv(shared, analysis);
  perSecondCsv(state);
  htmlReport(shared, analysis, english);
  markdownReport(translated, analyze(translated.state), chinese);
  shareCard(shared.state, analysis, english);
  presetOfPlan(state.plan);
}
