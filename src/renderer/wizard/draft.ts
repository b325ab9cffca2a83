import { parse } from 'yaml';
import { msg } from '../../shared/message.ts';
import type { StorageKind } from '../../shared/kinds/storages.ts';
import { STORAGE_KINDS, WORKLOAD_KINDS } from '../../shared/model/names.ts';
import { presetSchema } from '../../shared/model/preset.ts';
import { workloadSchema } from '../../shared/model/workload.ts';
import { readYaml, yamlValue, type YamlProblem } from '../../shared/preset/preset-yaml.ts';
import { cellId, cellsOf, type Cells } from './cells.ts';
import { type Edit, newPresetText } from './preset-text.ts';

export type Path = string | Edit['path'];

const BEYOND = [
  'engines',
  'clientEngine',
  'servers',
  'bufferPools',
  'reference',
  'seed',
  'task',
  'server.name',
  'server.limits',
  'workload.rangeSize',
  'workload.items',
  'workload.customersPerDistrict',
  'small',
];

export const FIRST_MINUTES = 30;
export const FIRST_SWEEP = [1, 2, 4, 8, 16];

interface DraftStorage {
  id: string;
  name: string;
  kind: StorageKind;
}

/** A preset's YAML as the form shows it. Missing or mistyped fields show the default. The text is the truth. */
export class Draft {
  readonly value: object;
  readonly cells: Cells;

  constructor(value: object) {
    this.value = value;
    this.cells = cellsOf(value);
  }

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

  get sliceSeconds(): number | undefined {
    const seconds = this.at('schedule.sliceSeconds');
    return typeof seconds === 'number' ? seconds : undefined;
  }

  get sweep(): number[] | undefined {
    const sweep = this.at('sweep');
    return Array.isArray(sweep) && sweep.every((level) => typeof level === 'number') ? sweep : undefined;
  }

  get conclusiveMinutes(): number | undefined {
    const path = 'schedule.untilConclusive';
    return isObject(this.at(path)) ? this.number(`${path}.budgetMinutes`, FIRST_MINUTES) : undefined;
  }

  get storages(): DraftStorage[] {
    return Object.keys(fieldsOf(this.at('storages'))).map((id) => ({
      id,
      name: this.text(['storages', id, 'name']),
      kind: this.oneOf(['storages', id, 'kind'], ['volume-options', ...STORAGE_KINDS]),
    }));
  }

  get beyond(): string[] {
    const shown = this.cells.baseline === undefined ? undefined : cellId(this.cells.baseline);
    const baseline = this.at('baseline');
    const baselines: unknown[] = Array.isArray(baseline) ? baseline.filter((one) => one !== shown) : [];
    return [
      ...BEYOND.filter((path) => this.at(path) !== undefined),
      ...new Set(baselines.map((one) => (typeof one === 'string' ? `baseline: ${one}` : 'baseline'))),
    ];
  }
}

let cached: object | undefined;

/** Made lazily, to keep the app's start fast. */
function defaults(): object {
  if (cached !== undefined) return cached;
  const fresh = presetSchema.parse(parse(newPresetText({ id: 'x', name: 'x', question: 'x' })));
  const { workload } = fresh;
  cached = {
    ...fresh,
    ...{ id: '', name: '', question: '' },
    workload: { ...workloadSchema.parse({ kind: 'tpcc' }), ...workload },
  };
  return cached;
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

function fieldsOf(value: unknown): Record<PropertyKey, unknown> {
  return isObject(value) ? value : {};
}

export type Reading = { draft: Draft; error: null } | { draft: null; error: YamlProblem };

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
