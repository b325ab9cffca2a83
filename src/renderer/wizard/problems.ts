import { presetSchema } from '../../shared/model/preset.ts';
import { rampSchema } from '../../shared/model/preset-parts.ts';
import { TRIAL_OVERHEAD_MS } from '../../shared/run/progress.ts';
import type { Edit } from './edit.ts';
import type { WizardView } from './view.ts';

/** Fewer rounds give no interval that is worth anything (docs/method.md). */
const LEAST_ROUNDS = 3;

export const WIZARD_STEPS = ['server', 'storage', 'network', 'workload', 'schedule', 'review'] as const;
export type WizardStep = (typeof WIZARD_STEPS)[number];

/** Contradictions and gaps that have words and remedies of their own; all others are told as the schema tells them. */
export type ProblemCode =
  | 'nothingChosen'
  | 'rampAndRate'
  | 'rateAndSysbench'
  | 'rampAndConnections'
  | 'rampLevels'
  | 'volumeDevice'
  | 'nfsAddress'
  | 'noName'
  | 'noQuestion'
  | 'badId'
  | 'externalDsn'
  | 'onlyOne'
  | 'fewRounds'
  | 'tightBudget'
  /** A field that is too small, too large, missing, or wrong otherwise. */
  | 'tooSmall'
  | 'tooBig'
  | 'missing'
  | 'unknownField'
  | 'other';

/** Ways out that a click takes. */
export type FixCode =
  'dropRamp' | 'dropRate' | 'useNode' | 'dropConnections' | 'threeRounds' | 'longerBudget';

export interface Fix {
  code: FixCode;
  edits: Edit[];
}

/** Something that is wrong with a draft, where it is put right, and how. */
export interface WizardProblem {
  code: ProblemCode;
  params: Record<string, string | number>;
  step: WizardStep;
  /** Without this being solved the draft is no preset; others only make a poor one. */
  blocks: boolean;
  fixes: Fix[];
}

const drop = (...path: string[]): Edit => ({ path, value: undefined });
const DROP_RAMP: Fix = { code: 'dropRamp', edits: [drop('ramp'), drop('short', 'ramp')] };
const DROP_RATE: Fix = { code: 'dropRate', edits: [drop('rate'), drop('short', 'rate')] };
const USE_NODE: Fix = { code: 'useNode', edits: [{ path: ['driver'], value: 'node' }] };
const DROP_CONNECTIONS: Fix = {
  code: 'dropConnections',
  edits: [drop('connections'), drop('short', 'connections')],
};

/** What is wrong with a draft, as it is read; `value` is its YAML as data. */
export function draftProblems(view: WizardView, value: unknown): WizardProblem[] {
  const own = [...contradictions(view, value), ...gaps(view)];
  return [...own.map(({ problem }) => problem), ...otherIssues(value, own), ...doubts(view)];
}

interface Known {
  problem: WizardProblem;
  /** Beginnings of the fields that the schema would complain about for the same reason. */
  covers: string[];
}

function known(
  code: ProblemCode,
  step: WizardStep,
  covers: string[],
  { params = {}, fixes = [] }: { params?: WizardProblem['params']; fixes?: Fix[] } = {},
): Known {
  return { problem: { code, step, params, fixes, blocks: true }, covers };
}

function contradictions(view: WizardView, value: unknown): Known[] {
  const found: Known[] = [];
  const hasConnections = typeof value === 'object' && value !== null && 'connections' in value;
  if (view.ramp !== undefined && view.rate !== undefined) {
    found.push(known('rampAndRate', 'schedule', ['rate', 'short.rate'], { fixes: [DROP_RATE, DROP_RAMP] }));
  }
  if (view.rate !== undefined && view.driver === 'sysbench') {
    found.push(known('rateAndSysbench', 'schedule', ['rate'], { fixes: [USE_NODE, DROP_RATE] }));
  }
  if (view.ramp !== undefined && hasConnections) {
    found.push(
      known('rampAndConnections', 'schedule', ['connections', 'short.connections'], {
        fixes: [DROP_CONNECTIONS, DROP_RAMP],
      }),
    );
  }
  if (view.ramp !== undefined && !rampSchema.safeParse(view.ramp).success) {
    found.push(known('rampLevels', 'schedule', ['ramp'], { fixes: [DROP_RAMP] }));
  }
  return found;
}

function gaps(view: WizardView): Known[] {
  const found: Known[] = [];
  if (view.cells.isPlain && view.cells.chosen.length === 0) {
    found.push(known('nothingChosen', 'network', ['grid', 'scenarios', 'baseline']));
  }
  for (const [id, { kind, name, options, nfs }] of Object.entries(view.storages)) {
    if (kind !== 'volume-options') continue;
    const params = { name: name === '' ? id : name };
    const covers = [`storages.${id}`, 'grid.storages', 'scenarios'];
    if (nfs !== undefined && (nfs.address === '' || !nfs.path.startsWith('/'))) {
      found.push(known('nfsAddress', 'storage', covers, { params }));
    } else if (nfs === undefined && (options === undefined || options.device === '' || options.type === '')) {
      found.push(known('volumeDevice', 'storage', covers, { params }));
    }
  }
  if (view.name.trim() === '') found.push(known('noName', 'review', ['name']));
  if (view.question.trim() === '') found.push(known('noQuestion', 'review', ['question']));
  if (!/^[a-z0-9][a-z0-9.~-]*$/.test(view.id)) found.push(known('badId', 'review', ['id']));
  return found;
}

/** What else the preset's schema says, each with the step that its field is on. */
function otherIssues(value: unknown, own: Known[]): WizardProblem[] {
  const parsed = presetSchema.safeParse(value);
  if (parsed.success) return [];
  const covered = own.flatMap(({ covers }) => covers);
  return parsed.error.issues.flatMap((issue): WizardProblem[] => {
    const field = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const unknown = field === '' ? key : `${field}.${key}`;
        return {
          step: stepOf(unknown),
          blocks: true,
          fixes: [],
          code: 'unknownField',
          params: { field: unknown },
        };
      });
    }
    if (covered.some((begin) => field === begin || field.startsWith(`${begin}.`))) return [];
    const common = { step: stepOf(field), blocks: true, fixes: [] };
    if (issue.code === 'too_small' && issue.origin === 'number') {
      return [{ ...common, code: 'tooSmall', params: { field, limit: String(issue.minimum) } }];
    }
    if (issue.code === 'too_big' && issue.origin === 'number') {
      return [{ ...common, code: 'tooBig', params: { field, limit: String(issue.maximum) } }];
    }
    if (issue.code === 'invalid_type' && issue.input === undefined && !isGiven(value, issue.path)) {
      return [{ ...common, code: 'missing', params: { field } }];
    }
    return [{ ...common, code: 'other', params: { field, message: issue.message } }];
  });
}

function isGiven(value: unknown, path: readonly PropertyKey[]): boolean {
  let at: unknown = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !(key in at)) return false;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return true;
}

/** What makes a poor comparison of a sound preset. */
function doubts(view: WizardView): WizardProblem[] {
  const found: WizardProblem[] = [];
  const doubt = (code: ProblemCode, step: WizardStep, params = {}, fixes: Fix[] = []): void => {
    found.push({ code, step, params, fixes, blocks: false });
  };
  const { chosen, isPlain } = view.cells;
  const { rounds, untilSettled, warmupSeconds, durationSeconds } = view.schedule;
  if (chosen.some(({ storage }) => storage === 'external') && view.server.dsn === '') {
    doubt('externalDsn', 'server');
  }
  const hasRegimes = view.beyond.includes('regimes');
  if (isPlain && chosen.length === 1 && view.ramp === undefined && !hasRegimes) {
    doubt('onlyOne', 'network');
  }
  if (rounds < LEAST_ROUNDS) {
    doubt('fewRounds', 'schedule', { count: rounds }, [
      { code: 'threeRounds', edits: [{ path: ['schedule', 'rounds'], value: LEAST_ROUNDS }] },
    ]);
  }
  if (untilSettled !== undefined && isPlain) {
    const scenarios = (chosen.length + (view.noiseFloor ? 1 : 0)) * (view.ramp?.length ?? 1);
    const trial = warmupSeconds + durationSeconds + TRIAL_OVERHEAD_MS / 1000;
    const minutes = Math.ceil((LEAST_ROUNDS * scenarios * trial) / 60);
    if (untilSettled.budgetMinutes < minutes) {
      const path = ['schedule', 'untilSettled', 'budgetMinutes'];
      doubt('tightBudget', 'schedule', { budget: untilSettled.budgetMinutes, minutes }, [
        { code: 'longerBudget', edits: [{ path, value: minutes }] },
      ]);
    }
  }
  return found;
}

const STEP_OF: Record<string, WizardStep> = {
  server: 'server',
  servers: 'server',
  regimes: 'server',
  storages: 'storage',
  bindRoot: 'storage',
  grid: 'network',
  scenarios: 'network',
  baseline: 'network',
  workload: 'workload',
  connections: 'workload',
  ramp: 'schedule',
  rate: 'schedule',
  driver: 'schedule',
  schedule: 'schedule',
  short: 'schedule',
  noiseFloor: 'schedule',
  equivalence: 'schedule',
};

/** The step that a field of a preset is changed on; for what the form does not show that is the YAML's. */
function stepOf(field: string): WizardStep {
  const [first = ''] = field.split('.');
  return STEP_OF[first] ?? 'review';
}
