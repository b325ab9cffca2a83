import type { Analysis } from '../shared/model/analysis.ts';
import type { RunState } from '../shared/model/run-state.ts';

/** What `run --json` and `analyse --json` print: stable for scripts. */
export function runSummary(state: RunState, analysis: Analysis, resultPath: string) {
  const { image, preset, seed } = state.plan;
  return {
    result: resultPath,
    preset: preset.id,
    outcome: state.outcome,
    seed,
    image: {
      requested: image.requested,
      used: image.used,
      version: image.version,
      substituted: image.substituted,
    },
    scenarios: analysis.scenarios.map((scenario) => ({
      id: scenario.id,
      name: scenario.name,
      baseline: scenario.isBaseline,
      tps: scenario.tps,
      p95Us: scenario.latency?.p95Us ?? null,
      ratio: scenario.ratio?.value ?? null,
      low: scenario.ratio?.low ?? null,
      high: scenario.ratio?.high ?? null,
      verdict: scenario.verdict,
      measured: scenario.measured,
      failed: scenario.failed,
    })),
    excluded: state.plan.excluded,
    errors: state.trials.flatMap(({ id, error }) =>
      error === null ? [] : [{ trial: id, code: error.code, message: error.message }],
    ),
    warnings: analysis.notices.map(({ code, message }) => ({ code, message })),
  };
}
