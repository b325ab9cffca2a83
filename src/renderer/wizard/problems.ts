import { STORAGES } from '../../shared/kinds/storages.ts';
import { fieldProblems } from '../../shared/field-problems.ts';
import type { Message } from '../../shared/message.ts';
import { presetSchema } from '../../shared/model/preset.ts';
import { sweepSchema, slug } from '../../shared/model/preset-parts.ts';
import { PATHS } from '../../shared/kinds/paths.ts';
import { plannedRoundMs } from '../../shared/run/progress.ts';
import type { TextKey } from '../../shared/words/i18n.ts';
import type { Edit } from './preset-text.ts';
import type { Draft } from './draft.ts';

/** Fewer give no useful interval (docs/explanation/method.md). */
const LEAST_ROUNDS = 3;

export const WIZARD_STEPS = ['server', 'storage', 'network', 'workload', 'schedule', 'review'] as const;
export type WizardStep = (typeof WIZARD_STEPS)[number];

type CodeOf<Part extends string, Key = TextKey> = Key extends `ui:wizard.${Part}.${infer Code}`
  ? Code
  : never;

type ProblemCode = CodeOf<'problem'>;

interface Fix {
  code: CodeOf<'fix'>;
  edits: Edit[];
}

export interface WizardProblem {
  code: ProblemCode;
  params: Message['params'];
  step: WizardStep;
  /** The preset is invalid until this is solved; others only weaken the comparison. */
  blocks: boolean;
  fixes: Fix[];
}

const drop = (...path: string[]): Edit => ({ path, value: undefined });
const DROP_SWEEP: Fix = { code: 'dropSweep', edits: [drop('sweep')] };
const DROP_CONNECTIONS: Fix = { code: 'dropConnections', edits: [drop('connections')] };

interface Finding {
  problem: WizardProblem;
  /** Prefixes of fields that the schema reports for the same reason. */
  covers: string[];
}

export function draftProblems(draft: Draft): WizardProblem[] {
  const own = contradictionsAndGaps(draft);
  const covered = own.flatMap(({ covers }) => covers);
  return [...own.map(({ problem }) => problem), ...schemaProblems(draft, covered), ...doubts(draft)];
}

function contradictionsAndGaps(draft: Draft): Finding[] {
  const found: Finding[] = [];
  const add = (
    code: ProblemCode,
    step: WizardStep,
    covers: string[],
    { params = {}, fixes = [] }: Partial<Pick<WizardProblem, 'params' | 'fixes'>> = {},
  ): void => {
    found.push({ problem: { code, step, params, fixes, blocks: true }, covers });
  };
  const { sweep, cells } = draft;
  if (sweep !== undefined && draft.at('connections') !== undefined) {
    const fixes = [DROP_CONNECTIONS, DROP_SWEEP];
    add('sweepAndConnections', 'schedule', ['connections'], { fixes });
  }
  if (sweep !== undefined && !sweepSchema.safeParse(sweep).success) {
    add('sweepLevels', 'schedule', ['sweep'], { fixes: [DROP_SWEEP] });
  }
  if (cells.isPlain && cells.chosen.length === 0) {
    add('nothingChosen', 'network', ['grid', 'scenarios', 'baseline']);
  }
  for (const { id, name, kind } of draft.storages) {
    const text = (...path: string[]): string => draft.text(['storages', id, ...path]);
    const isNfs = kind === 'nfs';
    const isWrong = isNfs
      ? text('nfs', 'address') === '' || !text('nfs', 'path').startsWith('/')
      : text('options', 'device') === '' || text('options', 'type') === '';
    if (!STORAGES[kind].needsOption || !isWrong) continue;
    const covers = [`storages.${id}`, 'grid.storages', 'scenarios'];
    add(isNfs ? 'nfsAddress' : 'volumeDevice', 'storage', covers, { params: { name: name || id } });
  }
  if (draft.text('name').trim() === '') add('noName', 'review', ['name']);
  if (draft.text('question').trim() === '') add('noQuestion', 'review', ['question']);
  if (!slug.safeParse(draft.text('id')).success) add('badId', 'review', ['id']);
  return found;
}

function schemaProblems(draft: Draft, covered: string[]): WizardProblem[] {
  const { error } = presetSchema.safeParse(draft.value);
  if (error === undefined) return [];
  return fieldProblems(error, draft.value).flatMap(({ path, problem }): WizardProblem[] => {
    const field = path.map(String).join('.');
    if (covered.some((begin) => field === begin || field.startsWith(`${begin}.`))) return [];
    return [{ code: 'other', step: stepOf(field), blocks: true, fixes: [], params: { field, problem } }];
  });
}

function doubts(draft: Draft): WizardProblem[] {
  const found: WizardProblem[] = [];
  const doubt = (code: ProblemCode, step: WizardStep, params = {}, fixes: Fix[] = []): void => {
    found.push({ code, step, params, fixes, blocks: false });
  };
  const { chosen, isPlain } = draft.cells;
  if (isPlain && chosen.length === 1 && draft.sweep === undefined && draft.at('bufferPools') === undefined) {
    doubt('onlyOne', 'network');
  }
  const rounds = draft.number('schedule.rounds');
  if (rounds < LEAST_ROUNDS) {
    const edits = [{ path: ['schedule', 'rounds'], value: LEAST_ROUNDS }];
    doubt('fewRounds', 'schedule', { count: rounds }, [{ code: 'threeRounds', edits }]);
  }
  const budget = draft.conclusiveMinutes;
  if (budget !== undefined && isPlain) {
    const repeat = draft.flag('aaCheck') ? [{ serverId: '', isAaRepeat: true }] : [];
    const servers = chosen.map(({ storage, path }) => ({
      serverId: `${storage} ${PATHS[path].attach}`,
      isAaRepeat: false,
    }));
    const schedule = {
      rounds: LEAST_ROUNDS,
      warmupSeconds: draft.number('schedule.warmupSeconds'),
      durationSeconds: draft.number('schedule.durationSeconds'),
      sliceSeconds: draft.sliceSeconds,
    };
    const levels = (draft.sweep ?? [0]).flatMap(() => servers);
    const round = plannedRoundMs({ plan: { scenarios: [...levels, ...repeat], schedule } });
    const minutes = Math.ceil((LEAST_ROUNDS * round) / 60_000);
    if (budget < minutes) {
      const edits = [{ path: ['schedule', 'untilConclusive', 'budgetMinutes'], value: minutes }];
      doubt('tightBudget', 'schedule', { budget, minutes }, [{ code: 'longerBudget', edits }]);
    }
  }
  return found;
}

const STEP_OF: Record<string, WizardStep> = {
  server: 'server',
  servers: 'server',
  bufferPools: 'server',
  storages: 'storage',
  grid: 'network',
  scenarios: 'network',
  baseline: 'network',
  workload: 'workload',
  connections: 'workload',
  sweep: 'schedule',
  loadGenerator: 'schedule',
  schedule: 'schedule',
  small: 'schedule',
  aaCheck: 'schedule',
  equivalence: 'schedule',
};

function stepOf(field: string): WizardStep {
  const [first = ''] = field.split('.');
  return STEP_OF[first] ?? 'review';
}
