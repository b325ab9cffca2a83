import { isContainerStorage } from '../../shared/kinds/storages.ts';
import { stringify } from 'csv-stringify/sync';
import type { Analysis, ScenarioAnalysis } from '../../shared/analysis/analysis.ts';
import type { HostEvidence } from '../../shared/model/evidence.ts';
import { tps, type Window } from '../../shared/model/measurements.ts';
import { configOf, passportOf, type Plan, type Scenario } from '../../shared/model/plan.ts';
import {
  PUBLISHED_MEASURES,
  type PlanReference,
  type PublishedMeasure,
} from '../../shared/model/reference.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { METHOD } from '../../shared/statistics/paired-ratio.ts';
import { TPCC_TYPES } from '../../shared/model/workload.ts';
import { FIGURE_KEYS, figureOf } from '../../shared/words/figures.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { labelText } from '../../shared/words/labels.ts';
import type { Shareable } from '../privacy/shareable.ts';

type Cell = string | number | boolean | null;
type Row = Record<string, Cell>;

/** Times are in µs, rates per second. */
export function summaryCsv({ state, sharing }: Shareable, analysis: Analysis): string {
  const { plan } = state;
  const source = plan.reference === null ? null : sourceOf(plan.reference);
  const rows = plan.scenarios.flatMap((scenario): Row[] => {
    const one = analysis.scenarios.find(({ id }) => id === scenario.id);
    if (one === undefined) return [];
    return [
      {
        run: state.runId,
        scenario: one.id,
        name: labelText(one.label, ENGLISH),
        storage: scenario.storage.kind,
        path: scenario.path,
        ...kindOf(scenario),
        baseline: one.isBaseline,
        baseline_scenario: one.baselineId,
        trials_failed: one.failed,
        transactions: one.transactions,
        ...figureCells(one),
        error_codes: Object.entries(one.errors)
          .map(([code, times]) => `${code}:${times}`)
          .join(' '),
        ratio: rounded(one.ratio?.value ?? null, 6),
        ratio_low: rounded(one.ratio?.low ?? null, 6),
        ratio_high: rounded(one.ratio?.high ?? null, 6),
        confidence: one.ratio?.confidence ?? null,
        paired_rounds: one.ratio?.pairedRounds ?? null,
        verdict: one.measured === 0 ? null : one.verdict,
        flags: one.flags.join(' '),
        durability: one.durability?.verdict ?? null,
        durability_reason: one.durability?.reason ?? null,
        ...transactionCells(one),
        ...steadinessCells(one),
        reference_label: one.reference?.label ?? null,
        reference_ratio: rounded(one.reference?.ratio ?? null, 6),
        ...publishedCells(one),
        reference_source: one.reference === null ? null : source,
        ...provenance(state, scenario),
        left_out: Object.keys(sharing.leftOut).join(' '),
        included: sharing.included.join(' '),
      },
    ];
  });
  return table(rows);
}

function figureCells(scenario: ScenarioAnalysis): Row {
  const cells = FIGURE_KEYS.map((key): [string, Cell] => {
    const { csv, unit, value } = figureOf(key);
    return [csv, rounded(value(scenario), unit.decimals)];
  });
  return Object.fromEntries(cells);
}

function transactionCells({ figures }: ScenarioAnalysis): Row {
  const cells = TPCC_TYPES.flatMap((type): [string, Cell][] => {
    const one = figures.transactionTypes[type];
    return [
      [`${type}_mean_us`, rounded(one?.meanUs ?? null, 1)],
      [`${type}_p95_us`, one?.p95Us ?? null],
    ];
  });
  return Object.fromEntries(cells);
}

function steadinessCells({ steadiness, isBaseline }: ScenarioAnalysis): Row {
  return {
    tps_variation: rounded(steadiness?.variation ?? null, 6),
    stalled_share: rounded(steadiness?.stalledShare ?? null, 6),
    steadiness_ratio: rounded(steadiness?.ratio?.value ?? null, 6),
    steadiness_low: rounded(steadiness?.ratio?.low ?? null, 6),
    steadiness_high: rounded(steadiness?.ratio?.high ?? null, 6),
    steadiness_verdict: isBaseline ? null : (steadiness?.verdict ?? null),
  };
}

function publishedCells({ reference }: ScenarioAnalysis): Row {
  const cells: Row = {};
  for (const measure of PUBLISHED_MEASURES) {
    if (measure === 'tps') continue;
    const figure = reference?.figures.find((one) => one.measure === measure)?.published;
    const column = `reference_${PUBLISHED_COLUMNS[measure]}`;
    cells[column] = rounded(figure?.value ?? null, 3);
    cells[`${column}_ratio`] = rounded(figure?.ratio ?? null, 6);
  }
  return { ...cells, reference_other_path: reference?.otherPath ?? null };
}

const PUBLISHED_COLUMNS: Record<Exclude<PublishedMeasure, 'tps'>, string> = {
  qps: 'qps',
  readWriteRequests: 'read_write_requests',
  minMs: 'min_ms',
  meanMs: 'mean_ms',
  p95Ms: 'p95_ms',
  maxMs: 'max_ms',
  ignoredErrorsPerSecond: 'ignored_errors_per_second',
  deadlocksPerMinute: 'deadlocks_per_minute',
};

export function perSecondCsv(state: RunState): string {
  const scenarios = new Map(
    state.plan.scenarios.map((one) => [one.id, { ...kindOf(one), ...provenance(state, one) }]),
  );
  const rows = state.trials.flatMap((trial) =>
    trial.windows.map((window): Row => ({
      run: state.runId,
      round: trial.round,
      scenario: trial.scenarioId,
      phase: window.phase,
      index: window.index,
      start_ms: rounded(window.startMs, 3),
      duration_ms: rounded(window.durationMs, 3),
      transactions: window.transactions,
      tps: rounded(tps(window), 3),
      reads: window.reads,
      writes: window.writes,
      other: window.other,
      errors: count(window.errors),
      p50_us: window.latency?.p50Us ?? null,
      p95_us: window.latency?.p95Us ?? null,
      p99_us: window.latency?.p99Us ?? null,
      max_us: window.latency?.maxUs ?? null,
      trial_status: trial.status,
      rollbacks: window.rollbacks,
      new_orders: window.mix['new_order'] ?? null,
      interrupted: window.interrupted,
      host: hostCell(trial.evidence?.host ?? null, window),
      pass: window.pass ?? null,
      position: window.position ?? null,
      ...scenarios.get(trial.scenarioId),
    })),
  );
  return table(rows, WINDOW_COLUMNS);
}

const WINDOW_COLUMNS = (
  'run round scenario phase index start_ms duration_ms transactions tps reads writes other errors ' +
  'p50_us p95_us p99_us max_us trial_status rollbacks new_orders interrupted host pass position server load_generator server_config connections preset runtime engine_version ' +
  'image_requested image_used image_digest image_id server_flavor server_version substituted app_version method'
).split(' ');

function kindOf({ server, loadGenerator, configId, connections }: Scenario): Row {
  return { server, load_generator: loadGenerator, server_config: configId, connections };
}

function provenance({ plan, appVersion }: RunState, scenario: Scenario): Row {
  const { runtime } = passportOf(plan, scenario.engine);
  return {
    preset: plan.preset.id,
    runtime: runtime.name,
    engine_version: runtime.engineVersion,
    ...software(plan, scenario),
    app_version: appVersion,
    method: METHOD,
  };
}

function software(plan: Plan, scenario: Scenario): Row {
  const { image, native } = configOf(plan, scenario);
  const isImage = isContainerStorage(scenario.storage.kind);
  const { flavor, version } = isImage ? image : (native ?? { flavor: null, version: null });
  return {
    image_requested: isImage ? image.requested : null,
    image_used: isImage ? image.used : null,
    image_digest: isImage ? image.digest : null,
    image_id: isImage ? image.imageId : null,
    server_flavor: flavor,
    server_version: version,
    substituted: isImage && image.substituted,
  };
}

function sourceOf({ title, source, date, url }: PlanReference): string {
  return [`${title}. ${source}, ${date}`, ...(url === null ? [] : [url])].join(' ');
}

/** Some spreadsheets also see formulas after what they take for a cell's end. */
const FORMULA = /(^|[;\t\r\n])(?=["\s\0]*[=+\-@＝＋－＠])/g;

/** RFC 4180; formulas are disarmed, since names are free text. */
function table(rows: Row[], columns?: string[]): string {
  return stringify(rows, {
    header: true,
    quoted_match: /[;\t]/,
    cast: {
      string: (text) => text.replace(FORMULA, "$1'"),
      boolean: (value) => (value ? 'true' : 'false'),
    },
    ...(columns === undefined ? {} : { columns }),
  });
}

function hostCell(host: HostEvidence | null, { phase, index }: Window): string {
  const conditions = (host?.conditions ?? []).filter(
    ({ windows }) => windows === null || (phase === 'measure' && windows.includes(index)),
  );
  return [...new Set(conditions.map(({ kind }) => kind))].join(';');
}

function count(errors: Record<string, number>): number {
  return Object.values(errors).reduce((sum, one) => sum + one, 0);
}

function rounded(value: number | null, decimals: number): number | null {
  return value === null ? null : Number(value.toFixed(decimals));
}
