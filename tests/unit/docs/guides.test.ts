import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { STORAGE_KINDS } from '../../../src/shared/model/names.ts';
import { PLAIN_STORAGES } from '../../../src/shared/wizard/cells.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Guides in which bold words are what the app calls a thing. */
const GUIDES = ['docs/tour.md', 'docs/wizard.md'];

/** Every text below a node of a locale's file. */
function textsOf(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsOf) : [];
}

/** Takes a text with anything in the places of its values. */
function matcher(text: string): RegExp {
  const parts = text.split(/\{\{\w+\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}

/** The anchor that a heading gets on the usual hosts of Markdown. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

describe('the guides', () => {
  const texts = ['ui', 'report']
    .flatMap((name) => textsOf(JSON.parse(read(`src/shared/words/locales/en/${name}.json`))))
    // “{{name}}: {{why}}” and its like would take any words.
    .filter((text) => /\p{L}/u.test(text.replace(/\{\{\w+\}\}/g, '')))
    .map(matcher);

  it.each(GUIDES)('%s names things as the app does', (guide) => {
    const bold = [...read(guide).matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => words);
    expect(bold.length).toBeGreaterThan(40);
    // The sentence that says what bold means, and the sign beside figures.
    const others = new Set(['bold', '?']);
    const unknown = bold.filter((words) => !others.has(words) && !texts.some((text) => text.test(words)));
    expect([...new Set(unknown)]).toEqual([]);
  });

  it.each([...GUIDES, 'docs/presets.md'])('%s leads to files and headings that are there', (guide) => {
    const links = [...read(guide).matchAll(/\]\(([^)]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !link.startsWith('https://'));
    expect(links.length).toBeGreaterThan(5);
    const dead = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? guide : normalize(join('docs', path));
      if (!existsSync(join(root, target))) return true;
      if (anchor === undefined) return false;
      return ![...read(target).matchAll(/^#+ (.*)$/gm)].some(
        ([, heading = '']) => anchorOf(heading) === anchor,
      );
    });
    expect(dead).toEqual([]);
  });

  it.each([...GUIDES, 'docs/presets.md'])('%s has only commands and options that exist', (guide) => {
    const lines = [...read(guide).matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = '']) =>
      block.trim().split('\n'),
    );
    expect(lines.length).toBeGreaterThan(2);
    const scripts = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json'))).scripts;
    const help = read('src/cli/commands.ts');
    const wrong = lines.filter((line) => {
      const command = line.replace(/\s+#.*$/, '');
      const [, script] = /^npm (?:run )?(\S+)/.exec(command) ?? [];
      const [, name] = /^(?:npm run whalemark --|whalemark) ([a-z]+)/.exec(command) ?? [];
      // What follows --option is the server's.
      const options =
        command
          .replace(/^npm run whalemark --/, '')
          .replace(/--option --\S+/g, '--option')
          .match(/--[a-z-]+/g) ?? [];
      return (
        (script === undefined && name === undefined) ||
        (script !== undefined && !Object.hasOwn(scripts, script)) ||
        (name !== undefined && !help.includes(`\n  ${name}: `)) ||
        options.some((option) => !new RegExp(`${option}(?![a-z-])`).test(help))
      );
    });
    expect(wrong).toEqual([]);
  });

  it.each(GUIDES)('%s says of each picture what it shows', (guide) => {
    const pictures = [...read(guide).matchAll(/!\[([^\]]*)\]\(/g)].map(([, alt = '']) => alt);
    expect(pictures.length).toBeGreaterThan(2);
    for (const alt of pictures) expect(alt.length, alt).toBeGreaterThan(80);
  });
});

const nodeSchema = z
  .object({
    properties: z.record(z.string(), z.unknown()),
    additionalProperties: z.unknown(),
    items: z.unknown(),
    anyOf: z.array(z.unknown()),
    oneOf: z.array(z.unknown()),
  })
  .partial();

/** The fields below a node of the schema that hold values; `*` is a name, `[]` an entry of a list. */
function fieldsOf(node: unknown, place: string): string[] {
  const { properties, additionalProperties, items, anyOf, oneOf } = nodeSchema.catch({}).parse(node);
  const below = [
    ...Object.entries(properties ?? {}).flatMap(([name, field]) =>
      fieldsOf(field, place === '' ? name : `${place}.${name}`),
    ),
    ...(typeof additionalProperties === 'object' ? fieldsOf(additionalProperties, `${place}.*`) : []),
    ...(items === undefined ? [] : fieldsOf(items, `${place}[]`)),
    ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap((one) => fieldsOf(one, place)),
  ];
  // A list or a group of plain values goes by its own name.
  return properties === undefined ? [place.replace(/(\[\]|\.\*)+$/, ''), ...below] : below;
}

describe('docs/wizard.md', () => {
  it('has every storage that the form offers by itself', () => {
    const page = read('docs/wizard.md');
    const missing = PLAIN_STORAGES.filter(
      (kind) => !new RegExp(`^\\| \\*\\*.*\\| \`${kind}\``, 'm').test(page),
    );
    expect(missing).toEqual([]);
  });
});

describe('docs/presets.md', () => {
  const page = read('docs/presets.md');
  const tables = page.slice(page.indexOf('## Every field'));
  /** First cells: `a.b`, or `a.b`, `.c` for two in one row. */
  const told = [...tables.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) => {
    let last = '';
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
      last = name.startsWith('.') ? `${last.slice(0, last.lastIndexOf('.'))}${name}` : name;
      return last;
    });
  });
  const fields = [...new Set(fieldsOf(JSON.parse(read('presets/preset.schema.json')), ''))];

  it('has every field of the schema', () => {
    // What other rows tell: groups by their fields, named servers and storages in place by those they are like.
    const elsewhere =
      /^(servers|storages|scenarios|regimes|workload|)$|^servers\.|^short\.schedule\.|(storages\[\]|\.storage)\./;
    const missing = fields.filter((field) => !told.includes(field) && !elsewhere.test(field));
    expect(missing).toEqual([]);
    expect(told.length).toBeGreaterThan(60);
  });

  it('has every kind of storage', () => {
    const [row = ''] = /^\| \*\*`storages\.\*\.kind`\*\*.*$/m.exec(tables) ?? [];
    expect([...row.matchAll(/`([a-z-]+)`/g)].map(([, kind]) => kind)).toEqual([...STORAGE_KINDS]);
  });

  it('has none that the schema has not', () => {
    // Of these the rows name the group.
    const groups = ['short.schedule'];
    expect(told.filter((name) => !fields.includes(name) && !groups.includes(name))).toEqual([]);
  });
});
