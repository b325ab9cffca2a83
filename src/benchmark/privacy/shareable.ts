import { mapSaid, type Said, englishOf } from '../../shared/message.ts';
import { BenchmarkError, mapError, type ErrorData } from '../../shared/errors.ts';
import type { TrialEvidence } from '../../shared/model/evidence.ts';
import { ENGINE_CONSENT, type Notice } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { PrivateKind, Sharing } from '../../shared/model/sharing.ts';
import { isTelling, type OwnNames, type PrivateWord, Redactor } from './redactor.ts';
import {
  imageNamer,
  optionCleaner,
  privatePlaces,
  privateVariable,
  shareableReference,
  shareableEngine,
  shareableRuntimeId,
  shareableScenario,
  shareableConfig,
  shareableImages,
  shareableLabel,
} from './shareable-plan.ts';

export interface Shareable {
  state: RunState;
  sharing: Sharing;
}

/** A copy without private kinds, except those in `include`; passwords never stay. */
export function shareable(
  state: RunState,
  names: OwnNames = {},
  include: readonly PrivateKind[] = [],
): Shareable {
  const redactor = new Redactor(
    [...ownWords(names), ...privateValues(state), ...privatePlaces(state.plan)],
    include,
  );
  const shared = sharedState(state, redactor);
  return { state: shared, sharing: redactor.sharing() };
}

function sharedState(state: RunState, redactor: Redactor): RunState {
  const clean = redactor.text;
  const options = optionCleaner(state.plan, redactor);
  const said = <S extends Said>(one: S): S => mapSaid(one, clean);
  const errorOrNull = (data: ErrorData | null): ErrorData | null =>
    data === null
      ? null
      : mapError({ ...withoutQuotes(data), evidence: data.evidence.filter(isNoVariable) }, clean);
  const notices = (all: Notice[]): Notice[] =>
    all.map((notice) => ({ ...notice, message: said(notice.message) }));
  const { plan } = state;
  const [first, ...others] = plan.engines;
  const nameOfImage = imageNamer(plan, redactor);
  const how = { redactor, cleanOption: options, nameOfImage };
  return {
    ...state,
    plan: {
      ...plan,
      ...shareableImages(plan, how),
      engines: [shareableEngine(first, redactor), ...others.map((one) => shareableEngine(one, redactor))],
      clientEngine: plan.clientEngine && {
        ...plan.clientEngine,
        runtimeId: shareableRuntimeId(plan.clientEngine.runtimeId, redactor),
      },
      database: plan.database && shareableReference(plan.database, redactor),
      bindRoot: plan.bindRoot === null || !redactor.includes('path') ? null : clean(plan.bindRoot),
      configs: plan.configs.map((config) => shareableConfig(config, how)),
      scenarios: plan.scenarios.map((scenario) => shareableScenario(scenario, redactor)),
      consents: plan.consents.map(({ consent, message }) => ({
        consent: consent.startsWith(ENGINE_CONSENT)
          ? `${ENGINE_CONSENT}${clean(consent.slice(ENGINE_CONSENT.length))}`
          : consent,
        message: said(message),
      })),
      excluded: plan.excluded.map((one) => ({
        ...one,
        label: shareableLabel(one.label, redactor),
        reason: said(one.reason),
      })),
      notices: notices(plan.notices),
    },
    steps: state.steps.map((step) => ({
      ...step,
      subject: clean(nameOfImage(step.subject)),
      detail: mapSaid(step.detail, clean),
      error: errorOrNull(step.error),
    })),
    servers: mapValues(state.servers, ({ facts, log }) => ({
      facts:
        facts === null
          ? null
          : {
              ...facts,
              variables: sharedVariables(facts.variables, redactor),
              options: facts.options.map(options),
            },
      log: log.map(clean),
    })),
    trials: state.trials.map((trial) => ({
      ...trial,
      evidence: nameless(trial.evidence, redactor),
      error: errorOrNull(trial.error),
    })),
    notices: notices(state.notices),
    error: errorOrNull(state.error),
  };
}

/** A server's error quotes a user's script. */
function withoutQuotes(data: ErrorData): ErrorData {
  if (data.code !== 'INIT_SCRIPT_FAILED') return data;
  const { script = '', reason = '' } = data.params;
  const [number = '–'] = /^ERROR \d+(?: \(\w+\))?(?: at line \d+)?/.exec(englishOf(reason)) ?? [];
  return new BenchmarkError('INIT_SCRIPT_FAILED', { script, reason: number }).toData();
}

/** Variables' names may be those of the user's project. */
function isNoVariable(line: Said): boolean {
  return typeof line === 'string' || line.code !== 'task.otherVariables';
}

function sharedVariables(variables: Record<string, string>, redactor: Redactor): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      const kind = privateVariable(name);
      const cleaned = kind === undefined ? value : redactor.value(kind, value, undefined);
      return cleaned === undefined || (kind !== undefined && cleaned === '')
        ? []
        : [[name, redactor.text(cleaned)]];
    }),
  );
}

function nameless(evidence: TrialEvidence | null, redactor: Redactor): TrialEvidence | null {
  if (evidence === null) return evidence;
  const scripts = evidence.initScripts?.map(({ name, ms }) => ({ name: redactor.text(name), ms }));
  const own = { ...evidence, ...(scripts === undefined ? {} : { initScripts: scripts }) };
  if (evidence.host === null) return own;
  const conditions = evidence.host.conditions.map((one) => ({
    ...one,
    name: redactor.value('program', one.name, null),
  }));
  return { ...own, host: { conditions } };
}

function ownWords({ host = '', user = '' }: OwnNames): PrivateWord[] {
  const words: PrivateWord[] = [
    { word: host, kind: 'host' },
    { word: user, kind: 'user' },
  ];
  return words.filter(({ word }) => isTelling(word));
}

function privateValues({ error, steps, trials }: RunState): PrivateWord[] {
  const errors = [error, ...steps.map((one) => one.error), ...trials.map((one) => one.error)];
  const params = errors.flatMap((data) => (data === null ? [] : [data.params]));
  const places = params.flatMap((one): PrivateWord[] => [
    { word: englishOf(one['path'] ?? ''), kind: 'path' },
    { word: englishOf(one['endpoint'] ?? ''), kind: 'endpoint' },
  ]);
  // Numeric addresses are found by pattern.
  const hosts = params.map((one) => englishOf(one['address'] ?? '').replace(/:\d+$/, '')).filter(isHostName);
  const scripts = [
    ...trials.flatMap(({ evidence }) => (evidence?.initScripts ?? []).map(({ name }) => name)),
    ...params.flatMap(({ script = '' }) => englishOf(script)),
  ];
  return [
    ...[...new Set(scripts)].map((word, index): PrivateWord => {
      const [, kind = ''] = /((?:\.sql)?\.\w+)$/.exec(word) ?? [];
      return { word, kind: 'program', instead: `script ${index + 1}${kind}` };
    }),
    ...places.filter(({ word }) => /^(?:[\\/]|[A-Za-z]:|\w+:\/\/)/.test(word)),
    ...hosts.map((word): PrivateWord => ({ word, kind: 'address' })),
  ];
}

function isHostName(value: string): boolean {
  return /[a-z]/i.test(value) && !value.includes(':') && isTelling(value);
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
