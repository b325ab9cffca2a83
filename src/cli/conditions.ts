import { InvalidArgumentError } from '@commander-js/extra-typings';
import { CONFIDENCE } from '../shared/analysis/speeds.ts';
import { effectsOf } from '../shared/analysis/effects.ts';
import type { RunsComparison } from '../shared/analysis/compare-runs.ts';
import type { Analysis, Effect } from '../shared/analysis/analysis.ts';
import { inverse, type RatioEstimate } from '../shared/statistics/estimate.ts';
import { FACTORS, type Factor } from '../shared/model/factors.ts';
import type { Plan } from '../shared/model/plan.ts';
import { intervalTextOf, effectText } from '../shared/words/effect-wording.ts';
import { labelText } from '../shared/words/labels.ts';
import { ENGLISH } from '../shared/words/i18n.ts';
import { EXIT, usage } from './exit-codes.ts';

export interface ChangeCondition {
  text: string;
  limit: number;
}

export interface ConditionOption<Condition extends ChangeCondition> {
  failIf?: Condition[] | undefined;
}

/** `FACTOR.LEVEL>N`: more than N times slower than the reference, or the reference than any other. */
export interface LevelCondition extends ChangeCondition {
  factor: Factor;
  level: string;
}

export type ConditionOutcome = 'true' | 'false' | 'inconclusive';

type Speed = Pick<RatioEstimate, 'value' | 'low' | 'high' | 'confidence'>;

interface Compared {
  factor: Factor | null;
  level: string | null;
  reference: string | null;
  scenario: string | null;
  speed: Speed | null;
}

interface JudgedCondition extends Compared {
  condition: string;
  outcome: ConditionOutcome;
}

export function levelConditions(text: string, before: LevelCondition[] = []): LevelCondition[] {
  const [subject, limit] = parts(text);
  const [name, ...rest] = subject.split('.');
  const factor = FACTORS.find((one) => one === name);
  const level = rest.join('.');
  if (factor === undefined || level === '' || limit === undefined) {
    throw new InvalidArgumentError(
      `Use FACTOR.LEVEL>N, such as storage.bind-mount>1.3. Factors: ${FACTORS.join(', ')}.`,
    );
  }
  return [...before, { text, factor, level, limit }];
}

export function changeConditions(text: string, before: ChangeCondition[] = []): ChangeCondition[] {
  const [subject, limit] = parts(text);
  if (subject !== 'slower' || limit === undefined) {
    throw new InvalidArgumentError('Use slower>N, such as slower>1.1.');
  }
  return [...before, { text, limit }];
}

function parts(text: string): [subject: string, limit: number | undefined] {
  const [subject = '', number = '', ...rest] = text.split('>').map((part) => part.trim());
  const limit = /^\d{1,9}(?:\.\d{1,9})?$/.test(number) ? Number(number) : 0;
  return [subject, rest.length === 0 && limit > 0 ? limit : undefined];
}

/** Throws USAGE for a level that no scenarios compare. */
export function checkLevels(
  conditions: readonly LevelCondition[] = [],
  plan: Pick<Plan, 'scenarios' | 'equivalence' | 'baselineId'>,
  command: string,
): void {
  const { equivalence, baselineId: referenceId } = plan;
  const effects = effectsOf(plan.scenarios, new Map(), {
    confidence: CONFIDENCE,
    equivalence,
    referenceId,
    estimate: () => null,
  });
  const named = ({ factor, level, reference }: (typeof effects)[number]): string[] => [
    `${factor}.${reference}`,
    `${factor}.${level}`,
  ];
  const all = [...new Set(effects.flatMap(named))];
  for (const { text, factor, level } of conditions) {
    if (all.includes(`${factor}.${level}`)) continue;
    const own = all.filter((one) => one.startsWith(`${factor}.`));
    const allowed = own.length === 0 ? all : own;
    throw usage(
      `--fail-if ${text}: no scenarios are compared by ${factor}.${level}.`,
      command,
      allowed.length === 0 ? 'Choose a preset that compares levels.' : `Allowed: ${allowed.join(', ')}.`,
    );
  }
}

export function judgeLevels(
  conditions: readonly LevelCondition[] = [],
  { effects }: Pick<Analysis, 'effects'>,
): JudgedCondition[] {
  return conditions.map(({ factor, level, ...condition }) => {
    const own = effects.filter((one) => one.factor === factor);
    return judged(condition, { factor, level, reference: null, scenario: null, speed: null }, [
      ...own
        .filter((one) => one.level === level)
        .map(({ reference, ratio }) => ({ reference, speed: ratio })),
      ...own.filter((one) => one.reference === level).map(fromReference),
    ]);
  });
}

function fromReference({ level, ratio }: Effect): Pick<Compared, 'reference' | 'speed'> {
  return { reference: level, speed: ratio !== null && ratio.value > 0 ? inverse(ratio) : null };
}

export function judgeChanges(
  conditions: readonly ChangeCondition[] = [],
  { scenarios }: Pick<RunsComparison, 'scenarios'>,
  names: readonly string[],
): JudgedCondition[] {
  const changes = scenarios
    .filter(({ cells }) => cells[0]?.isBaseline !== true)
    .flatMap(({ label, changes: byRun }) =>
      byRun.flatMap((change, run) =>
        change === null
          ? []
          : [{ scenario: `${labelText(label, ENGLISH)} in ${names[run] ?? ''}`, speed: change.relative }],
      ),
    );
  const none = { factor: null, level: null, reference: null, scenario: null, speed: null };
  return conditions.map((condition) => judged(condition, none, changes));
}

function judged(
  { text, limit }: ChangeCondition,
  subject: Compared,
  compared: readonly Partial<Compared>[],
): JudgedCondition {
  const all = compared.map((one) => ({ ...subject, ...one }));
  const slowest = all.sort((a, b) => (a.speed?.value ?? Infinity) - (b.speed?.value ?? Infinity));
  for (const outcome of ['true', 'inconclusive', 'false'] as const) {
    const found = slowest.find(({ speed }) => outcomeOf(speed, limit) === outcome);
    if (found !== undefined) return { condition: text, outcome, ...found };
  }
  return { condition: text, outcome: 'inconclusive', ...subject };
}

function outcomeOf(speed: Speed | null, limit: number): ConditionOutcome {
  if (speed === null || speed.low === null || speed.high === null) return 'inconclusive';
  if (1 / speed.high > limit) return 'true';
  return 1 / speed.low <= limit ? 'false' : 'inconclusive';
}

export function exitCodeOfConditions(conditions: readonly { outcome: ConditionOutcome }[]): number {
  const some = (wanted: ConditionOutcome): boolean => conditions.some(({ outcome }) => outcome === wanted);
  if (some('true')) return EXIT.conditionTrue;
  return some('inconclusive') ? EXIT.conditionInconclusive : EXIT.done;
}

function reasonText({ level, reference, scenario, speed }: JudgedCondition): string {
  const subject = scenario ?? level;
  if (subject === null) return 'no scenario could be compared';
  const against = reference === null ? 'as its baseline' : `as ${reference}`;
  return speed === null
    ? `${subject} could not be compared`
    : `${subject} is ${effectText(speed, ENGLISH)} ${against} (${intervalTextOf(speed, ENGLISH)})`;
}

export function conditionLines(conditions: readonly JudgedCondition[]): string {
  return conditions
    .map((one) => `\n--fail-if ${one.condition} is ${one.outcome}: ${reasonText(one)}`)
    .join('');
}

export function conditionSummary(conditions: readonly JudgedCondition[]) {
  return conditions.map(({ speed, ...condition }) => ({
    ...condition,
    ratio: speed?.value ?? null,
    low: speed?.low ?? null,
    high: speed?.high ?? null,
  }));
}
