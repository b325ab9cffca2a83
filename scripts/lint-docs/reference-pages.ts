import { parse } from 'yaml';
import { parsePreset } from '../../src/benchmark/presets/preset-file.ts';
import { FUSES } from '../build/fuses.mjs';
import { messageOf } from '../../src/shared/errors.ts';
import { asSentence } from '../../src/shared/words/effect-wording.ts';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
import { differences, problemsOf, type Problem, type Repository } from './problem.ts';

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
}

/** The fields below a node of the schema that hold values; `*` is a name, `[]` an entry of a list. */
function fieldsOf(node: SchemaNode, place: string): string[] {
  const { properties, additionalProperties, items, anyOf = [], oneOf = [] } = node;
  const below = [
    ...Object.entries(properties ?? {}).flatMap(([name, field]) =>
      fieldsOf(field, place === '' ? name : `${place}.${name}`),
    ),
    ...(typeof additionalProperties === 'object' ? fieldsOf(additionalProperties, `${place}.*`) : []),
    ...(items === undefined ? [] : fieldsOf(items, `${place}[]`)),
    ...[...anyOf, ...oneOf].flatMap((one) => fieldsOf(one, place)),
  ];
  // A list or a group of plain values goes by its own name.
  return properties === undefined ? [place.replace(/(\[\]|\.\*)+$/, ''), ...below] : below;
}

/** What other rows of the table say: groups by their fields, named servers and storages by those they are like. */
const ELSEWHERE = /^(servers|storages|scenarios|bufferPools|workload|)$|^servers\./;

function presetFields({ read }: Repository): string[] {
  const page = read('docs/reference/presets.md');
  const tables = page.slice(page.indexOf('## Every field'));
  // First cells: `a.b`, or `a.b`, `.c` for two in one row.
  const named = [...tables.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) => {
    let last = '';
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
      last = name.startsWith('.') ? `${last.slice(0, last.lastIndexOf('.'))}${name}` : name;
      return last;
    });
  });
  const schema = JSON.parse(read('presets/preset.schema.json')) as SchemaNode;
  const fields = [...new Set(fieldsOf(schema, ''))];
  return [
    ...fields
      .filter((field) => !named.includes(field) && !ELSEWHERE.test(field))
      .map((one) => `no field ${one}`),
    ...named.filter((one) => !fields.includes(one)).map((one) => `${one} is no field`),
  ];
}

/** Examples of a preset that are none, and built-in presets that the page leaves out. */
function presetExamples({ files, read }: Repository): string[] {
  const page = read('docs/reference/presets.md');
  const example = [...page.matchAll(/```yaml\n(.*?)```/gs)].at(-1)?.[1] ?? '';
  const cells = [...page.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell).join();
  const ids = [...files]
    .filter((file) => /^presets\/[^/]+\.yaml$/.test(file))
    .map((file) => (parse(read(file)) as { id: string }).id);
  return [
    ...problemIn(() => parsePreset(example, 'its last example')),
    ...ids.filter((id) => !cells.includes(`\`${id}\``)).map((id) => `no built-in preset ${id}`),
  ];
}

function problemIn(action: () => unknown): string[] {
  try {
    action();
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** Every text below a node of a locale's file. */
function textsOf(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsOf) : [];
}

/** Bold words of a guide that the app does not show. */
function unknownLabels(guide: string, { read }: Repository): string[] {
  const [messages, ...others] = ['messages', 'ui', 'report'].map(
    (name) => JSON.parse(read(`src/shared/locales/en/${name}.json`)) as Partial<Record<string, unknown>>,
  );
  const kinds = [messages?.['storage'], messages?.['path']].flatMap(textsOf);
  const labels = [
    ...[messages?.['choice'], ...others].flatMap(textsOf),
    // A choice has the name of its kind as a sentence has it.
    ...kinds.map((name) => asSentence(name, ENGLISH)),
  ]
    // “{{size}} of {{total}}” would match words that no screen shows.
    .filter((text) => !text.startsWith('{{'))
    .map((text) => text.split(/\{\{\w+\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .map((parts) => new RegExp(`^${parts.join('.+')}$`));
  // The sentence that says what bold means, and the sign next to figures.
  const signs = new Set(['bold', '?']);
  const bold = [...read(guide).matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => words);
  return [...new Set(bold)].filter(
    (words) => !signs.has(words) && !labels.some((label) => label.test(words)),
  );
}

/** Names of fixtures begin with an engine's. */
const ENGINES: [RegExp, string][] = [
  [/^docker-desktop/, 'Docker Desktop'],
  [/^docker/, 'Docker Engine on Linux'],
  [/^orbstack/, 'OrbStack'],
  [/^colima/, 'Colima'],
  [/^rancher/, 'Rancher Desktop'],
  [/^lima/, 'Lima'],
  [/^podman/, 'Podman'],
  [/^vm-docker/, 'Docker Engine in a VM with shared folders'],
];

/** What ran of an engine, and its recorded and constructed fixtures, as a row of the table has it. */
interface Tested {
  versions: string[];
  recorded: number;
  constructed: number;
}

const NUMBER = /\d+\.\d+/g;

function describeTested(engine: string, { versions, recorded, constructed }: Tested): string {
  const ran = [...new Set(versions)].sort().join(', ') || 'none';
  return `${engine}: real runs of ${ran}, ${recorded} recorded, ${constructed} constructed`;
}

/** Whose answers were recorded ran here, in the version that it says. */
function compatibility({ files, read }: Repository): string[] {
  const tested = new Map(
    ENGINES.map(([, engine]): [string, Tested] => [engine, { versions: [], recorded: 0, constructed: 0 }]),
  );
  for (const file of files) {
    const [, name] = /^tests\/fixtures\/runtimes\/([^/]+)\/machine\.json$/.exec(file) ?? [];
    if (name === undefined) continue;
    const engine = ENGINES.find(([pattern]) => pattern.test(name))?.[1] ?? name;
    const count = tested.get(engine) ?? { versions: [], recorded: 0, constructed: 0 };
    const { source } = JSON.parse(read(file)) as { source: 'recorded' | 'constructed' };
    count[source] += 1;
    if (source === 'recorded') {
      const { Version } = JSON.parse(read(file.replace('machine', 'version'))) as { Version: string };
      count.versions.push(...(Version.match(NUMBER)?.slice(0, 1) ?? []));
    }
    tested.set(engine, count);
  }
  const rows = [...read(COMPATIBILITY).matchAll(/^\| ([^|]+) \| ([^|]+) \| (\d+) \| (\d+) \|$/gm)].map(
    ([, engine = '', runs = '', recorded, constructed]) =>
      describeTested(engine, {
        versions: runs.match(NUMBER) ?? [],
        recorded: Number(recorded),
        constructed: Number(constructed),
      }),
  );
  return differences(
    [...tested].map(([engine, one]) => describeTested(engine, one)),
    rows,
    ['no row that says', 'other fixtures than'],
  );
}

const COMPATIBILITY = 'docs/reference/compatibility.md';

/** Where a page of reference leaves something out, or has something that is gone. */
export function referenceProblems(repository: Repository): Problem[] {
  const { read } = repository;
  const fuses = [...read('docs/dev/security.md').matchAll(/^\| `(\w+)` \| (on|off) \| (.+) \|$/gm)].map(
    ([, name = '', state, why]) => `${name}: ${state === 'on'}, ${why}`,
  );
  return [
    ...problemsOf(COMPATIBILITY, compatibility(repository)),
    ...problemsOf('docs/reference/presets.md', [...presetFields(repository), ...presetExamples(repository)]),
    ...['docs/tutorial.md', 'docs/reference/new-comparison.md'].flatMap((guide) =>
      problemsOf(
        guide,
        unknownLabels(guide, repository).map((words) => `the app shows no “${words}”`),
      ),
    ),
    ...problemsOf(
      'docs/dev/security.md',
      differences(
        Object.entries(FUSES).map(([name, { value, why }]) => `${name}: ${value}, ${why}`),
        fuses,
        ['no row for the fuse', 'a fuse that is set otherwise'],
      ),
    ),
  ];
}
