import { parse } from 'yaml';
import { msg } from '../../shared/message.ts';
import { WORKLOAD_KINDS } from '../../shared/model/names.ts';
import { presetScenarios, type PresetScenario } from '../../shared/model/preset.ts';
import { MOST_SCENARIOS, scenarioCount } from '../../shared/model/preset-checks.ts';
import { presetObjectSchema, type PresetObject } from '../../shared/model/preset-parts.ts';
import { readYaml, yamlValue, type YamlProblem } from '../../shared/preset/preset-yaml.ts';
import { type Edit, newPresetText } from './preset-text.ts';

export type Path = string | Edit['path'];

/** The text is the truth; missing fields show the default. */
export class Draft {
  readonly value: object;

  constructor(value: object) {
    this.value = value;
  }

  at(path: Path): unknown {
    return valueAt(this.value, path);
  }

  text(path: Path): string {
    const found = [this.at(path), valueAt(defaults(), path)];
    return String(found.find((one) => typeof one === 'string' || typeof one === 'number') ?? '');
  }

  list(path: Path): string[] {
    return [this.at(path)].flat().filter((one) => typeof one === 'string');
  }

  names(path: Path): string[] {
    return Object.keys(fieldsOf(this.at(path)));
  }

  get workloadKind(): (typeof WORKLOAD_KINDS)[number] {
    return WORKLOAD_KINDS.find((kind) => kind === this.text('workload.kind')) ?? 'oltp_read_write';
  }

  /** A scenario for each possible baseline, even in a faulty preset. */
  get scenarios(): PresetScenario[] {
    const { servers, storages, grid, scenarios } = fieldsOf(this.value);
    const shown = { servers, storages, grid, scenarios };
    const { data } = presetObjectSchema.safeParse({ ...defaults(), ...NAMED, ...shown });
    if (data === undefined || scenarioCount(data) > MOST_SCENARIOS) return [];
    return [...new Map(presetScenarios(data).map((one) => [one.baseId, one])).values()];
  }
}

const NAMED = { id: 'x', name: 'x', question: 'x' };
let cached: PresetObject | undefined;

/** Lazy, for the app's fast start. */
function defaults(): PresetObject {
  cached ??= {
    ...presetObjectSchema.parse(parse(newPresetText(NAMED))),
    ...{ id: '', name: '', question: '' },
  };
  return cached;
}

function valueAt(value: unknown, path: Path): unknown {
  const keys = typeof path === 'string' ? path.split('.') : path;
  return keys.reduce<unknown>((inner, key) => {
    const fields = fieldsOf(inner);
    return Object.hasOwn(fields, key) ? fields[key] : undefined;
  }, value);
}

function fieldsOf(value: unknown): Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>) : {};
}

export type Reading = { draft: Draft; error: null } | { draft: null; error: YamlProblem };

export function readDraft(source: string): Reading {
  const { document, problems } = readYaml(source);
  const [first] = problems;
  if (first !== undefined) return { draft: null, error: first };
  const value = yamlValue(document);
  if (!value.ok) return { draft: null, error: { line: 1, problem: value.problem } };
  return typeof value.value === 'object' && value.value !== null && !Array.isArray(value.value)
    ? { draft: new Draft(value.value), error: null }
    : { draft: null, error: { line: 1, problem: msg('yaml.noMapping') } };
}
