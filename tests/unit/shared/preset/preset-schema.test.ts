import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { presetJsonSchema } from '../../../../scripts/preset-schema.ts';

const FILE = 'presets/preset.schema.json';

/** Keywords of draft 7 (https://json-schema.org/draft-07), the only ones that editors know. */
const DRAFT_7 = `$schema $id title description default type enum const anyOf oneOf allOf properties required
  additionalProperties propertyNames items minItems maxItems minimum maximum exclusiveMinimum exclusiveMaximum
  minLength maxLength pattern`.split(/\s+/);

const files = readdirSync('presets').filter((name) => name.endsWith('.yaml'));
const read = (name: string): unknown => parse(readFileSync(join('presets', name), 'utf8'));

describe('the JSON schema of presets', () => {
  // JSON leaves out undefined fields, as the file does.
  const schema = JSON.parse(JSON.stringify(presetJsonSchema())) as z.core.JSONSchema.JSONSchema;
  const form = z.fromJSONSchema(schema);
  const problems = (value: unknown): unknown => form.safeParse(value).error ?? null;

  it('is current: npm run schema writes it anew', async () => {
    const config = await resolveConfig(FILE);
    const text = await format(JSON.stringify(presetJsonSchema()), { ...config, filepath: FILE });
    await expect(text).toMatchFileSnapshot(join(process.cwd(), FILE));
  });

  it.each(files)('takes %s, which names it in its first line', (name) => {
    expect(problems(read(name))).toBeNull();
    expect(readFileSync(join('presets', name), 'utf8').split('\n')[0]).toBe(
      '# yaml-language-server: $schema=preset.schema.json',
    );
  });

  const base = {
    whalemark: 1,
    id: 'mine',
    name: 'Mine',
    question: 'Why?',
    grid: { storages: ['named-volume'], paths: ['published-port'] },
    baseline: 'named-volume.published-port',
    schedule: { rounds: 3, warmupSeconds: 1, durationSeconds: 2 },
  };

  it.each([
    ['a workload without a kind', { workload: { tables: 2 } }],
    ['TPC-C', { workload: { kind: 'tpcc', warehouses: 2 } }],
    ['a share of the data', { server: { settings: { bufferPool: '10%' } } }],
    ['a storage with options', { storages: { small: { kind: 'tmpfs', sizeMiB: 64 } } }],
    ['NFS', { storages: { n: { kind: 'nfs', nfs: { address: 'a', path: '/b', version: 4.2 } } } }],
  ])('takes %s', (_, change) => expect(problems({ ...base, ...change })).toBeNull());

  it.each([
    ['a field that is not there', { conections: 8 }],
    ['a field of another workload', { workload: { kind: 'tpcc', tables: 2 } }],
    ['an unknown path', { grid: { ...base.grid, paths: ['carrier-pigeon'] } }],
    ['a buffer pool in words', { server: { settings: { bufferPool: 'large' } } }],
    ['no schedule', { schedule: undefined }],
  ])('refuses %s', (_, change) => {
    const value = JSON.parse(JSON.stringify({ ...base, ...change })) as unknown;
    expect(problems(value)).not.toBeNull();
  });

  it('says nothing in other words than those of its draft, which name no format: validators refuse those that they don’t know', () => {
    const used = new Set<string>();
    const look = (node: unknown): void => {
      for (const [keyword, inner] of Object.entries(z.record(z.string(), z.unknown()).parse(node))) {
        used.add(keyword);
        if (keyword === 'properties') Object.values(inner as object).forEach(look);
        else if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) (inner as unknown[]).forEach(look);
        else if (['items', 'additionalProperties', 'propertyNames'].includes(keyword) && inner !== false) {
          look(inner);
        }
      }
    };
    look(schema);
    expect(schema).toHaveProperty('$schema', 'http://json-schema.org/draft-07/schema#');
    expect([...used].filter((keyword) => !DRAFT_7.includes(keyword))).toEqual([]);
  });

  it('describes every field', () => {
    const seen: string[] = [];
    const look = (node: unknown, place: string): void => {
      const schema = z
        .object({ properties: z.record(z.string(), z.unknown()) })
        .partial()
        .catch({})
        .parse(node);
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const described = z.object({ description: z.string() }).safeParse(field).success;
        if (!described) seen.push(`${place}.${name}`);
      }
      if (typeof node === 'object' && node !== null) {
        for (const [key, part] of Object.entries(node)) look(part, `${place}.${key}`);
      }
    };
    look(presetJsonSchema(), 'preset');
    expect(seen).toEqual([]);
  });
});
