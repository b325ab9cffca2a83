import { resolve } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Preset } from '../../shared/model/preset.ts';
import { smallForm } from './small-form.ts';
import { MOST_ROUNDS } from '../../shared/statistics/spending.ts';
import { checkPreset } from './preset-file.ts';

export interface PlanOverrides {
  small?: boolean | undefined;
  untilConclusive?: number | undefined;
  /** Several numbers are a sweep, and published numbers are for one level. */
  connections?: number[] | undefined;
  image?: string | undefined;
  engines?: Preset['engines'];
  serverOption?: string[] | undefined;
  config?: string | undefined;
  set?: string[] | undefined;
}

export function withOverrides(preset: Preset, overrides: PlanOverrides): Preset {
  const { connections, untilConclusive, serverOption = [], config } = overrides;
  const base = overrides.small === true ? smallForm(preset) : preset;
  if (base === undefined) throw usage(`--small: “${preset.id}” has no small form. Use --quick.`);
  const stopRule =
    untilConclusive === undefined
      ? undefined
      : { rounds: MOST_ROUNDS, untilConclusive: { budgetMinutes: untilConclusive } };
  let changed: unknown =
    stopRule === undefined && connections === undefined
      ? base
      : { ...base, schedule: { ...base.schedule, ...stopRule }, ...levelsOf(connections) };
  const fields = {
    engines: overrides.engines,
    'server.image': overrides.image,
    'server.configFile': config === undefined ? undefined : resolve(config),
    'server.options': serverOption.length === 0 ? undefined : [...base.server.options, ...serverOption],
  };
  for (const [path, value] of Object.entries(fields)) {
    if (value !== undefined) changed = withValue(changed, path.split('.'), value, `--set ${path}`);
  }
  for (const assignment of overrides.set ?? []) changed = withField(changed, assignment);
  return changed === preset ? preset : checkPreset(changed, preset.id);
}

function levelsOf(connections: number[] | undefined): Partial<Preset> {
  if (connections === undefined) return {};
  return connections.length === 1
    ? { connections: connections[0], sweep: undefined }
    : { connections: undefined, sweep: connections, reference: undefined };
}

const MOST_SHOWN = 200;

function usage(problem: string): BenchmarkError {
  const shown = problem.length <= MOST_SHOWN ? problem : `${problem.slice(0, MOST_SHOWN)}…`;
  return new BenchmarkError('USAGE', { problem: shown, fix: 'See: whalemark --help' });
}

const DEEPEST_FIELD = 20;

/** The value in `workload.tableSize=1000` is JSON, or otherwise text. */
export function withField(preset: unknown, assignment: string): unknown {
  const shown = `--set ${assignment.length <= 80 ? assignment : `${assignment.slice(0, 79)}…`}`;
  const equals = assignment.indexOf('=');
  if (equals < 1) throw usage(`${shown}: it takes key=value.`);
  const path = assignment.slice(0, equals).split('.');
  if (path.length > DEEPEST_FIELD) throw usage(`${shown}: no such field.`);
  const text = assignment.slice(equals + 1);
  try {
    return withValue(preset, path, JSON.parse(text), shown);
  } catch (error) {
    if (error instanceof SyntaxError) return withValue(preset, path, text, shown);
    throw error;
  }
}

function withValue(target: unknown, path: readonly string[], value: unknown, shown: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (['__proto__', 'constructor', 'prototype'].includes(key)) throw usage(`${shown}: no such field.`);
  if (typeof target !== 'object' || target === null || Array.isArray(target))
    throw usage(`${shown}: “${key.slice(0, 80)}” is not inside a group of fields.`);
  const fields: Record<string, unknown> = { ...target };
  fields[key] = withValue(rest.length === 0 ? undefined : (fields[key] ?? {}), rest, value, shown);
  return fields;
}
