import { parse } from 'yaml';
import { msg } from '../../shared/message.ts';
import type { StorageKind } from '../../shared/kinds/storages.ts';
import { STORAGE_KINDS, WORKLOAD_KINDS } from '../../shared/model/names.ts';
import { presetSchema } from '../../shared/model/preset.ts';
import { workloadSchema } from '../../shared/model/workload.ts';
import { readYaml, yamlValue, type YamlProblem } from '../../shared/preset/preset-yaml.ts';
import { cellId, cellsOf, type Cells } from './cells.ts';
import { type Edit, newPresetText } from './preset-text.ts';

/** Names of nested fields, outermost first, or the same with dots between. */
export type Path = string | Edit['path'];

/** Fields that the form has no place for: they are kept as they are. */
const BEYOND = [
  'servers',
  'regimes',
  'reference',
  'seed',
  'server.name',
  'workload.rangeSize',
  'workload.items',
  'workload.customersPerDistrict',
  'short.schedule.untilSettled',
];

/** What a run that ends when everything is settled begins with. */
export const FIRST_MINUTES = 30;
export const FIRST_RATE = 100;
export const FIRST_RAMP = [1, 2, 4, 8, 16];

export interface DraftStorage {
  id: string;
  name: string;
  kind: StorageKind;
  isNfs: boolean;
}

/**
 * A preset's YAML as the wizard's form shows it. A field that is missing or of another type shows its default: that of
 * a new preset, or the schema's. What is wrong with it is listed elsewhere (problems.ts). The text stays the truth.
 */
export class Draft {
  readonly value: object;
  readonly cells: Cells;

  constructor(value: object) {
    this.value = value;
    this.cells = cellsOf(value);
  }

  /** What is written at a path; undefined: nothing. */
  at(path: string | readonly PropertyKey[]): unknown {
    return valueAt(this.value, path);
  }

  text(path: Path, otherwise = ''): string {
    const text = (value: unknown): string | undefined =>
      typeof value === 'number' ? String(value) : typeof value === 'string' ? value : undefined;
    return text(this.at(path)) ?? text(valueAt(defaults(), path)) ?? otherwise;
  }

  number(path: Path, otherwise = 0): number {
    return [this.at(path), valueAt(defaults(), path)].find((one) => typeof one === 'number') ?? otherwise;
  }

  flag(path: Path, otherwise = false): boolean {
    return [this.at(path), valueAt(defaults(), path)].find((one) => typeof one === 'boolean') ?? otherwise;
  }

  oneOf<T extends string>(path: Path, [first, ...others]: readonly [T, ...T[]]): T {
    const found = (value: unknown): T | undefined => [first, ...others].find((one) => one === value);
    return found(this.at(path)) ?? found(valueAt(defaults(), path)) ?? first;
  }

  get workloadKind(): (typeof WORKLOAD_KINDS)[number] {
    return this.oneOf('workload.kind', ['oltp_read_write', ...WORKLOAD_KINDS]);
  }

  get rate(): number | undefined {
    const rate = this.at('rate');
    return typeof rate === 'number' ? rate : undefined;
  }

  get ramp(): number[] | undefined {
    const ramp = this.at('ramp');
    return Array.isArray(ramp) && ramp.every((level) => typeof level === 'number') ? ramp : undefined;
  }

  /** The longest time of a run that ends when everything is settled, minutes; undefined: it ends after its rounds. */
  get settlingMinutes(): number | undefined {
    const path = 'schedule.untilSettled';
    return isObject(this.at(path)) ? this.number(`${path}.budgetMinutes`, FIRST_MINUTES) : undefined;
  }

  /** The storages that the draft defines, by name. */
  get storages(): DraftStorage[] {
    return Object.entries(fieldsOf(this.at('storages'))).map(([id, spec]) => ({
      id,
      name: this.text(['storages', id, 'name']),
      kind: this.oneOf(['storages', id, 'kind'], ['volume-options', ...STORAGE_KINDS]),
      isNfs: isObject(fieldsOf(spec)['nfs']),
    }));
  }

  /** What the form does not show: names of fields, and baselines other than the one that is shown. */
  get beyond(): string[] {
    const inShort = Object.keys(fieldsOf(this.at('short'))).filter((key) => key !== 'schedule');
    const shown = this.cells.baseline === undefined ? undefined : cellId(this.cells.baseline);
    const baseline = this.at('baseline');
    const baselines: unknown[] = Array.isArray(baseline) ? baseline.filter((one) => one !== shown) : [];
    return [
      ...BEYOND.filter((path) => this.at(path) !== undefined),
      ...inShort.map((key) => `short.${key}`),
      // A baseline that is no text is a problem of its own.
      ...new Set(baselines.map((one) => (typeof one === 'string' ? `baseline: ${one}` : 'baseline'))),
    ];
  }
}

let made: object | undefined;

/** A new preset with every default of the schema. Made when first needed: the start of the app does not wait for it. */
function defaults(): object {
  if (made !== undefined) return made;
  const fresh = presetSchema.parse(parse(newPresetText({ id: 'x', name: 'x', question: 'x' })));
  const { schedule, workload } = fresh;
  made = {
    ...fresh,
    ...{ id: '', name: '', question: '', short: { schedule } },
    workload: { ...workloadSchema.parse({ kind: 'tpcc' }), ...workload },
  };
  return made;
}

function valueAt(value: unknown, path: string | readonly PropertyKey[]): unknown {
  const keys = typeof path === 'string' ? path.split('.') : path;
  return keys.reduce<unknown>((inner, key) => {
    const fields = fieldsOf(inner);
    return Object.hasOwn(fields, key) ? fields[key] : undefined;
  }, value);
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The fields of a mapping or a list; anything else has none. */
function fieldsOf(value: unknown): Record<PropertyKey, unknown> {
  return isObject(value) ? value : {};
}

export type Reading =
  | { draft: Draft; error: null }
  /** Why the text is no YAML, with the line (1-based). */
  | { draft: null; error: YamlProblem };

/** Reads a preset's text for the form. */
export function readDraft(source: string): Reading {
  const { document, problems } = readYaml(source);
  const [first] = problems;
  if (first !== undefined) return { draft: null, error: first };
  const value = yamlValue(document);
  if (!value.ok) return { draft: null, error: { line: 1, problem: value.problem } };
  return isObject(value.value) && !Array.isArray(value.value)
    ? { draft: new Draft(value.value), error: null }
    : { draft: null, error: { line: 1, problem: msg('yaml.noMapping') } };
}
