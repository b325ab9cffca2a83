import type { ErrorData } from '../../shared/errors.ts';
import type { TrialEvidence } from '../../shared/model/evidence.ts';
import type { Notice } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import {
  isTelling,
  optionCleaner,
  PRIVATE_VARIABLES,
  privatePlaces,
  shareableScenario,
  shareableSetup,
} from './shareable-plan.ts';

/** Folders in which people's own files live; paths inside containers (/var/lib/mysql) tell nothing about anybody. */
const HOST_PATH =
  /(?:\/(?:home|Users|root|Volumes|mnt|media|srv|run\/user|private|tmp)\/|\b[A-Za-z]:[\\/]|\\\\)[^\s"'”,;)]+/g;
const ENDPOINT = /\b(?:unix|npipe|tcp|ssh|fd):\/\/[^\s"'”,;)]+/g;
/** Registries that everybody uses stay: they explain a failed pull. */
const WEB_HOST = /\b(https?:\/\/)(?!registry-1\.docker\.io|auth\.docker\.io|ghcr\.io|quay\.io)[^\s/"'”]+/g;
/** Four numbers, but no part of a version; loopback and "any" tell nothing. */
const IPV4 = /(?<![\w.-])(?!127\.0\.0\.1\b|0\.0\.0\.0\b)(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)/g;
/** What might be an IPv6 address; times of day look alike, `isIpv6` tells them apart. */
const COLONS = /(?<![\w:.])[0-9a-f:]*:[0-9a-f:]*[0-9a-f](?![\w:])/gi;
/**
 * A copy of a run that may be given away: no host or user name, no path on the host, no endpoint, no address.
 * `names` are further words to take out (this machine's host and user name); common ones such as `root` are left.
 * Measurements, versions and the preset's own words are untouched; places in its storages, options and servers are not.
 */
export function shareable(state: RunState, names: readonly string[] = []): RunState {
  const clean = cleaner([...names.filter(isTelling), ...privateValues(state), ...privatePlaces(state.plan)]);
  const options = optionCleaner(state.plan, clean);
  const error = (data: ErrorData): ErrorData => ({
    ...data,
    message: clean(data.message),
    hint: clean(data.hint),
    evidence: data.evidence.map(clean),
    params: mapValues(data.params, clean),
  });
  const errorOrNull = (data: ErrorData | null): ErrorData | null => (data === null ? null : error(data));
  const notices = (all: Notice[]): Notice[] =>
    all.map((notice) => ({ ...notice, message: clean(notice.message) }));
  const { plan } = state;
  return {
    ...state,
    plan: {
      ...plan,
      // "context:work-laptop" names somebody's context; its kind is enough.
      runtimeId: plan.runtimeId.replace(/:.*$/, ''),
      bindRoot: null,
      setups: plan.setups.map((setup) => shareableSetup(setup, clean, options)),
      scenarios: plan.scenarios.map(shareableScenario),
      consents: plan.consents.map((one) => ({ ...one, message: clean(one.message) })),
      excluded: plan.excluded.map((one) => ({ ...one, reason: clean(one.reason) })),
      notices: notices(plan.notices),
    },
    steps: state.steps.map((step) => ({
      ...step,
      subject: clean(step.subject),
      detail: clean(step.detail),
      error: errorOrNull(step.error),
    })),
    servers: mapValues(state.servers, ({ facts, consistency, log }) => ({
      consistency: consistency === null ? null : { ...consistency, broken: consistency.broken.map(clean) },
      facts:
        facts === null
          ? null
          : {
              ...facts,
              variables: Object.fromEntries(
                Object.entries(facts.variables).flatMap(([name, value]) =>
                  PRIVATE_VARIABLES.test(name) ? [] : [[name, clean(value)]],
                ),
              ),
              options: facts.options.map(options),
            },
      log: log.map(clean),
    })),
    trials: state.trials.map((trial) => ({
      ...trial,
      evidence: nameless(trial.evidence),
      error: errorOrNull(trial.error),
    })),
    notices: notices(state.notices),
    error: errorOrNull(state.error),
  };
}

/** What else runs on a machine, programs and containers, is nobody else's business; that it ran stays. */
function nameless(evidence: TrialEvidence | null): TrialEvidence | null {
  if (evidence === null || evidence.host === null) return evidence;
  const conditions = evidence.host.conditions.map((one) => ({ ...one, name: null }));
  return { ...evidence, host: { conditions } };
}

/** Not loopback, which tells nothing. */
function isIpv6(text: string): boolean {
  return text !== '::1' && (text.includes('::') || text.split(':').length === 8);
}

/** Places that the run itself knows of: they are private wherever they lie. */
function privateValues({ plan, error, steps, trials }: RunState): string[] {
  const errors = [error, ...steps.map((one) => one.error), ...trials.map((one) => one.error)];
  const params = errors.flatMap((data) => (data === null ? [] : [data.params]));
  const places = params.flatMap((one) => [one['path'] ?? '', one['endpoint'] ?? '']);
  return [
    plan.bindRoot ?? '',
    ...places.filter((value) => /^(?:[\\/]|[A-Za-z]:|\w+:\/\/)/.test(value)),
    // Addresses in numbers are found wherever they stand; names have to be known.
    ...params.map((one) => (one['address'] ?? '').replace(/:\d+$/, '')).filter(isHostName),
  ].filter((value) => value.length > 1);
}

function isHostName(value: string): boolean {
  return /[a-z]/i.test(value) && !value.includes(':') && isTelling(value);
}

function cleaner(words: string[]): (text: string) => string {
  // Longer ones first: a folder inside another one must go as a whole.
  const escaped = [...new Set(words)]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));
  const known = escaped.length === 0 ? undefined : new RegExp(`(?<!\\w)(?:${escaped.join('|')})(?!\\w)`, 'g');
  return (text) =>
    (known === undefined ? text : text.replace(known, '<private>'))
      .replace(ENDPOINT, '<endpoint>')
      .replace(HOST_PATH, '<path>')
      .replace(WEB_HOST, '$1<host>')
      .replace(IPV4, '<address>')
      .replace(COLONS, (text) => (isIpv6(text) ? '<address>' : text));
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
