import { messageOf } from '../../shared/errors.ts';
import * as z from 'zod';
import { DISTRIBUTIONS, DRIVER_KINDS, OLTP_KINDS, STORAGE_KINDS } from '../../shared/model/names.ts';
import { DEFAULT_CONNECTIONS } from '../../shared/model/preset-parts.ts';
import { readYaml, yamlValue } from '../../shared/preset/preset-yaml.ts';
import { cellId, cellsOf, type Cells } from './cells.ts';

/**
 * What the wizard's form shows of a preset's YAML. It is read leniently: a field that is missing or wrong shows its
 * default here, and what is wrong with it is a problem of its own (problems.ts). The text stays the truth.
 */

/** A field that shows nothing where it is missing or can't be read. */
function maybe<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}
/** A field that shows `fallback` where it is missing or can't be read. */
function or<T extends z.ZodType>(schema: T, fallback: z.output<T>) {
  return maybe(schema).transform((value): z.output<T> => (value === undefined ? fallback : value));
}
/** An object whose fields each look after themselves; anything else counts as an empty one. */
function part<T extends z.ZodRawShape>(shape: T) {
  const schema = z.object(shape);
  return or(schema, schema.parse({}));
}
const text = or(z.union([z.string(), z.number().transform(String)]), '');
const number = (fallback: number) => or(z.number(), fallback);

const storageView = part({
  kind: or(z.enum(STORAGE_KINDS), 'volume-options'),
  name: text,
  sizeMiB: maybe(z.number()),
  options: maybe(z.object({ type: text, device: text, o: text })),
  nfs: maybe(
    z.object({
      address: text,
      path: text,
      version: or(z.union([z.string(), z.number().transform(String)]), '4.2'),
      soft: or(z.boolean(), false),
      lock: or(z.boolean(), true),
    }),
  ),
});
/** A storage that the preset defines, by name. */

const scheduleView = part({
  rounds: number(5),
  warmupSeconds: number(2),
  durationSeconds: number(4),
  untilSettled: maybe(z.object({ budgetMinutes: number(30) })),
});

const viewSchema = part({
  id: text,
  name: text,
  question: text,
  server: part({
    image: or(z.string(), 'mysql:8.4'),
    settings: part({
      bufferPool: or(z.union([z.number(), z.string()]), 256),
      redoLogMiB: number(256),
      flushLogAtTrxCommit: number(1),
      binlog: or(z.boolean(), false),
      syncBinlog: number(1),
    }),
    options: or(z.array(z.string()), []),
    configFile: text,
    nativeBinary: text,
    dsn: text,
  }),
  storages: or(z.record(z.string(), storageView), {}),
  workload: part({
    kind: or(z.enum([...OLTP_KINDS, 'tpcc']), 'oltp_read_write'),
    tables: number(4),
    tableSize: number(25_000),
    distribution: or(z.enum(DISTRIBUTIONS), 'uniform'),
    skipTransactions: or(z.boolean(), false),
    preparedStatements: or(z.boolean(), true),
    warehouses: number(1),
    mix: or(z.enum(['specification', 'sysbench-tpcc']), 'specification'),
  }),
  connections: number(DEFAULT_CONNECTIONS),
  ramp: maybe(z.array(z.number())),
  rate: maybe(z.number()),
  driver: or(z.enum(DRIVER_KINDS), 'node'),
  noiseFloor: or(z.boolean(), true),
  equivalence: number(0.05),
  schedule: scheduleView,
  short: maybe(z.object({ schedule: scheduleView })),
  bindRoot: text,
});

/** Fields that are kept as they are, because the form has no place for them. */
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
] as const;

export type WizardView = z.output<typeof viewSchema> & {
  cells: Cells;
  /** What the preset has and the form does not show: names of fields, and baselines beside the one that is shown. */
  beyond: string[];
};

export type Reading =
  | { view: WizardView; value: unknown; error: null }
  /** What keeps the text from being YAML, with its line (1-based). */
  | { view: null; value: null; error: { line: number; message: string } };

/** Reads a preset's text for the form. */
export function readDraft(source: string): Reading {
  const { document, problems } = readYaml(source);
  const [first] = problems;
  if (first !== undefined) return unreadable(first.line, first.message);
  let value: unknown;
  try {
    value = yamlValue(document);
  } catch (error) {
    return unreadable(1, messageOf(error));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return unreadable(1, 'a preset is a mapping of fields');
  }
  const view = viewSchema.parse(value);
  const cells = cellsOf(value);
  return { view: { ...view, cells, beyond: beyond(value, cells) }, value, error: null };
}

function unreadable(line: number, message: string): Reading {
  return { view: null, value: null, error: { line, message } };
}

function beyond(value: object, cells: Cells): string[] {
  const { short, baseline } = value as { short?: unknown; baseline?: unknown };
  const inShort = Object.keys(fieldsOf(short))
    .filter((key) => key !== 'schedule')
    .map((key) => `short.${key}`);
  const shown = cells.baseline === undefined ? undefined : cellId(cells.baseline);
  const baselines = Array.isArray(baseline) ? baseline.filter((one) => one !== shown) : [];
  return [
    ...BEYOND.filter((path) => holds(value, path.split('.'))),
    ...inShort,
    // What is no text is said to be wrong elsewhere, and may be anything.
    ...new Set(baselines.map((one) => (typeof one === 'string' ? `baseline: ${one}` : 'baseline'))),
  ];
}

function holds(value: unknown, [key = '', ...rest]: string[]): boolean {
  const fields = fieldsOf(value);
  return Object.hasOwn(fields, key) && (rest.length === 0 || holds(fields[key], rest));
}

/** The fields of a mapping; anything else has none. */
function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
