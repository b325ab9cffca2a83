import { analyse } from '../../../src/shared/analyse.ts';
import { compareRuns } from '../../../src/shared/compare-runs.ts';
import { createTranslator } from '../../../src/shared/i18n.ts';
import type { RunState } from '../../../src/shared/model/run-state.ts';
import { latencyCurves } from '../../../src/shared/percentiles.ts';
import { runIn } from '../../../src/shared/plan-in-words.ts';
import { presetOfPlan } from '../../../src/shared/preset-of-plan.ts';
import { presetFile, reproductionOf } from '../../../src/shared/reproduce/reproduction.ts';
import { runConditions } from '../../../src/shared/run-conditions.ts';
import { runHeadlineOf } from '../../../src/shared/run-headline.ts';
import { viewOf } from '../../../src/shared/run-view.ts';
import { htmlReport } from '../../../src/benchmark/report/html/report.ts';
import { markdownReport } from '../../../src/benchmark/report/markdown.ts';
import { shareCard } from '../../../src/benchmark/report/share-card.ts';
import { shareable } from '../../../src/benchmark/report/shareable.ts';
import { summaryCsv, windowsCsv } from '../../../src/benchmark/report/csv.ts';
import { renderText } from '../../../src/benchmark/report/text.ts';
import { recentRunOf } from '../../../src/benchmark/run/view-file.ts';

const [english, chinese] = [createTranslator('en'), createTranslator('zh-CN')];

/** Does with an accepted result whatever is ever done with one, but for drawing pixels. Throws when anything of it does. */
export function consume(state: RunState): void {
  const analysis = analyse(state);
  renderText(state, analysis);
  runHeadlineOf(analysis);
  recentRunOf(state);
  const view = viewOf(state);
  compareRuns([view, view]);
  runConditions([view, view], english);
  latencyCurves(state);
  const shared = shareable(state, { host: 'host', user: 'user' });
  const translated = { state: runIn(shared.state, 'zh-CN'), sharing: shared.sharing };
  summaryCsv(shared, analysis);
  windowsCsv(state);
  htmlReport(shared, analysis, english);
  markdownReport(translated, analyse(translated.state, { language: 'zh-CN' }), chinese);
  shareCard(shared.state, analysis, english);
  presetOfPlan(state.plan);
  presetFile(state.plan);
  for (const scenario of state.plan.scenarios) reproductionOf(state, scenario);
}
