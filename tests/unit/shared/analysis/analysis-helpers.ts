import type { Analysis, ScenarioAnalysis } from '../../../../src/shared/analysis/analysis.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { Notice } from '../../../../src/shared/model/plan.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import type { ScenarioShape } from '../../builders.ts';

export const TWO: ScenarioShape[] = [
  { storage: 'named-volume', path: 'published-port' },
  { storage: 'bind-mount', path: 'published-port' },
];
export const BASE = 'named-volume.published-port';
export const BIND = 'bind-mount.published-port';
/** The baseline measured a second time. */
export const AGAIN = `${BASE}~again`;

export function one(analysis: Analysis, id: string): ScenarioAnalysis {
  const found = analysis.scenarios.find((scenario) => scenario.id === id);
  if (found === undefined) throw new Error(`no scenario ${id}`);
  return found;
}

/** A line for each notice: its code, what it is about, and its text. */
export function noticeLines(notices: readonly Notice[]): string[] {
  return notices.map(
    ({ code, scenarioId = 'the run', trialId, message }) =>
      `${code}, ${trialId ?? scenarioId}: ${message.text}`,
  );
}

export const noticesOf = (state: RunState): string[] => noticeLines(analyze(state).notices);

export function codes(analysis: Analysis): string[] {
  return analysis.notices.map(({ code }) => code);
}
