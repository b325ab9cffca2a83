import type { ErrorData } from '../../shared/errors.ts';
import type { Notice } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';

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
/** Server variables that hold names of the host or places on it. */
const PRIVATE_VARIABLES =
  /^(?:hostname|report_host|report_user|bind_address|.*_file|.*_dir|datadir|tmpdir|log_error|socket)$/;
/** Names that everybody has. */
const COMMON_NAMES = new Set([
  'root',
  'user',
  'admin',
  'ubuntu',
  'docker',
  'mysql',
  'localhost',
  'runner',
  'vagrant',
]);

/**
 * A copy of a run that may be given away: no host or user name, no path on the host, no endpoint, no address.
 * `names` are further words to take out (this machine's host and user name); common ones such as `root` are left.
 * Measurements, versions and what the preset says are untouched.
 */
export function shareable(state: RunState, names: readonly string[] = []): RunState {
  const clean = cleaner([...names.filter(isTelling), ...privateValues(state)]);
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
      image: { ...plan.image, reason: plan.image.reason === null ? null : clean(plan.image.reason) },
      excluded: plan.excluded.map((one) => ({ ...one, reason: clean(one.reason) })),
      notices: notices(plan.notices),
    },
    steps: state.steps.map((step) => ({
      ...step,
      subject: clean(step.subject),
      detail: clean(step.detail),
      error: errorOrNull(step.error),
    })),
    servers: mapValues(state.servers, ({ facts, log }) => ({
      facts:
        facts === null
          ? null
          : {
              ...facts,
              variables: Object.fromEntries(
                Object.entries(facts.variables).filter(([name]) => !PRIVATE_VARIABLES.test(name)),
              ),
              options: facts.options.map(clean),
            },
      log: log.map(clean),
    })),
    trials: state.trials.map((trial) => ({ ...trial, error: errorOrNull(trial.error) })),
    notices: notices(state.notices),
    error: errorOrNull(state.error),
  };
}

/** Not loopback, which tells nothing. */
function isIpv6(text: string): boolean {
  return text !== '::1' && (text.includes('::') || text.split(':').length === 8);
}

function isTelling(name: string): boolean {
  return name.length >= 3 && !COMMON_NAMES.has(name.toLowerCase());
}

/** Places that the run itself knows of: they are private wherever they lie. */
function privateValues({ plan, error, steps, trials }: RunState): string[] {
  const errors = [error, ...steps.map((one) => one.error), ...trials.map((one) => one.error)];
  const places = errors.flatMap((data) =>
    [data?.params['path'], data?.params['endpoint']].filter((value) => value !== undefined),
  );
  return [
    plan.bindRoot ?? '',
    ...places.filter((value) => /^(?:[\\/]|[A-Za-z]:|\w+:\/\/)/.test(value)),
  ].filter((value) => value.length > 1);
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
