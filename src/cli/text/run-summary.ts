import type { Analysis } from '../../shared/model/analysis.ts';
import { imagesOf, type ImageChoice } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { isTpcc } from '../../shared/model/workload.ts';
import { tpccFigures } from '../../shared/analysis/tpcc-figures.ts';

/**
 * What `run --json` and `analyse --json` print: stable for scripts; fields are added, never renamed. `resultPath` is null
 * where the result could not be written.
 */
export function runSummary(state: RunState, analysis: Analysis, resultPath: string | null) {
  const { plan } = state;
  const { preset, seed, setups } = plan;
  const [first] = setups;
  const minutes = tpccFigures(state);
  return {
    result: resultPath,
    preset: preset.id,
    mode: plan.mode,
    outcome: state.outcome,
    seed,
    /** Of the first server; `images` has all that containers ran. */
    image: first === undefined ? null : imageSummary(first.image),
    images: imagesOf(plan).map(imageSummary),
    scenarios: analysis.scenarios.map((scenario) => ({
      id: scenario.id,
      name: scenario.name,
      baseline: scenario.isBaseline,
      baselineId: scenario.baselineId,
      driver: plan.scenarios.find(({ id }) => id === scenario.id)?.driver ?? null,
      connections: scenario.connections,
      tps: scenario.tps,
      p95Us: scenario.latency?.p95Us ?? null,
      ratio: scenario.ratio?.value ?? null,
      low: scenario.ratio?.low ?? null,
      high: scenario.ratio?.high ?? null,
      verdict: scenario.verdict,
      marks: scenario.marks,
      reference: scenario.reference,
      ...(isTpcc(plan.workload)
        ? {
            newOrdersPerMinute: minutes.get(scenario.id)?.newOrdersPerMinute ?? null,
            transactionsPerMinute: minutes.get(scenario.id)?.transactionsPerMinute ?? null,
            rollbacks: minutes.get(scenario.id)?.rollbacks ?? null,
          }
        : {}),
      measured: scenario.measured,
      failed: scenario.failed,
    })),
    ramps: analysis.ramps,
    excluded: plan.excluded,
    errors: state.trials.flatMap(({ id, error }) =>
      error === null ? [] : [{ trial: id, code: error.code, message: error.message }],
    ),
    warnings: analysis.notices.map(({ code, message }) => ({ code, message })),
  };
}

function imageSummary({ requested, used, digest, imageId, version, substituted }: ImageChoice) {
  return { requested, used, digest, imageId, version, substituted };
}
