import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { englishOf } from '../../../../src/shared/message.ts';
import { presetJsonSchema } from '../../../../scripts/preset-schema.ts';
import { parsePreset } from '../../../../src/benchmark/presets/preset-file.ts';
import { presetScenarios } from '../../../../src/shared/model/preset.ts';
import { mismatch, type Cell } from '../../../../src/shared/model/cells.ts';
import { cellEdits, cellId } from '../../../../src/renderer/wizard/cells.ts';
import {
  type Edit,
  editedText,
  freeId,
  idFromName,
  newPresetText,
} from '../../../../src/renderer/wizard/preset-text.ts';
import { draftProblems } from '../../../../src/renderer/wizard/problems.ts';
import { readDraft, type Draft } from '../../../../src/renderer/wizard/draft.ts';

const builtIn = readdirSync('presets')
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ name, text: readFileSync(`presets/${name}`, 'utf8') }));
const fresh = newPresetText({ id: 'mine', name: 'Mine', question: 'Is it slow?' });

function draftOf(text: string): Draft {
  const { draft, error } = readDraft(text);
  if (draft === null) throw new Error(englishOf(error.problem));
  return draft;
}
const pick = <T extends object, K extends keyof T>(from: T, names: K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
const under = (place: string, fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${place}.${name}`, value]));
const edit = (text: string, ...edits: Edit[]): string => editedText(text, edits);
const codes = (text: string): string[] => draftProblems(draftOf(text)).map(({ code }) => code);
const choose = (text: string, cells: Cell[], baseline?: Cell): string => {
  const draft = draftOf(text);
  return editedText(text, cellEdits(draft.value, cells, baseline ?? draft.cells.baseline));
};

describe('the built-in presets in the wizard', () => {
  it.each(builtIn)('$name is read without a problem that blocks', ({ text }) => {
    const draft = draftOf(text);
    expect(draftProblems(draft).filter(({ blocks }) => blocks)).toEqual([]);
    const preset = parsePreset(text, 'x');
    /** As the field of the form that has this type shows it. */
    const shown = (path: string, expected: unknown): unknown => {
      if (typeof expected === 'number') return draft.number(path);
      return typeof expected === 'boolean' ? draft.flag(path) : draft.text(path);
    };
    const fields: Record<string, unknown> = {
      ...pick(preset, ['id', 'name', 'question', 'loadGenerator', 'aaCheck', 'equivalence']),
      ...under('schedule', pick(preset.schedule, ['rounds', 'warmupSeconds', 'durationSeconds'])),
      'server.image': preset.server.image,
      ...under('server.settings', preset.server.settings),
      ...under('workload', preset.workload),
    };
    for (const [path, expected] of Object.entries(fields)) expect(shown(path, expected), path).toBe(expected);
    expect(draft.conclusiveMinutes).toBe(preset.schedule.untilConclusive?.budgetMinutes);
    expect(draft.sweep).toEqual(preset.sweep);
    const scenarios = presetScenarios(preset).map(({ storageId, path }) => `${storageId}.${path}`);
    expect(draft.cells.chosen.map(cellId)).toEqual([...new Set(scenarios)]);
  });

  it.each(builtIn)('$name loses nothing when one field changes', ({ text }) => {
    const changed = edit(text, { path: ['schedule', 'rounds'], value: 7 });
    const before = parse(text) as { schedule: object };
    expect(parse(changed)).toEqual({ ...before, schedule: { ...before.schedule, rounds: 7 } });
    for (const remark of text.match(/^\s*#.*$/gm) ?? []) expect(changed).toContain(remark.trim());
    expect(() => parsePreset(changed, 'x')).not.toThrow();
  });

  it.each(builtIn)('$name is the same when its cells are chosen as they are', ({ text }) => {
    const { value, cells } = draftOf(text);
    if (!cells.isPlain) return;
    expect(cellEdits(value, cells.chosen, cells.baseline)).toEqual([]);
  });

  it('name every field that it has no place for, and each baseline but the one that is shown', () => {
    const schema = presetJsonSchema();
    /** The fields of one place of a preset, by their paths. */
    const fieldsAt = (node: unknown, place = ''): string[] => {
      const { properties = {}, anyOf = [] } = node as { properties?: object; anyOf?: unknown[] };
      const names = Object.keys(properties).map((name) => `${place}${name}`);
      return [...names, ...anyOf.flatMap((one) => fieldsAt(one, place))];
    };
    const at = (name: string): unknown => (schema.properties as Record<string, unknown>)[name];
    const places = new Set([
      ...fieldsAt(schema),
      ...fieldsAt(at('server'), 'server.'),
      ...fieldsAt(at('workload'), 'workload.'),
    ]);
    /** The format’s version, the table, and what has its fields looked at one by one. */
    const elsewhere = ['whalemark', 'grid', 'scenarios', 'baseline', 'server', 'workload'];
    const shown = [
      ...['id', 'name', 'question', 'storages', 'connections', 'sweep', 'loadGenerator', 'aaCheck'],
      ...['equivalence', 'schedule', 'server.image', 'server.settings', 'server.options'],
      ...['server.configFile', 'server.nativeBinary', 'workload.kind', 'workload.tables'],
      ...['workload.tableSize', 'workload.distribution', 'workload.skipTransactions', 'workload.mix'],
      ...['workload.preparedStatements', 'workload.warehouses'],
    ];
    expect(places.size).toBeGreaterThan(35);
    const unnamed = [...places]
      .filter((place) => !elsewhere.includes(place) && !shown.includes(place))
      .filter((place) => {
        const text = stringify(place.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), 1));
        return !draftOf(text).beyond.includes(place);
      });
    expect(unnamed).toEqual([]);

    const two = `baseline: [native.loopback, bind-mount.published-port, named-volume.published-port]
grid: { storages: [named-volume, bind-mount], paths: [published-port] }
`;
    expect(draftOf(two).beyond).toEqual([
      'baseline: native.loopback',
      'baseline: named-volume.published-port',
    ]);
  });

  it('are told of a single scenario whatever else they have, unless it is measured in several buffer-pool sizes', () => {
    const one = choose(fresh, [{ storage: 'named-volume', path: 'published-port' }]);
    expect(codes(edit(one, { path: ['server', 'name'], value: 'Mine' }))).toContain('onlyOne');
    expect(codes(edit(one, { path: ['bufferPools', 'io'], value: { bufferPool: 8 } }))).not.toContain(
      'onlyOne',
    );
  });
});

describe('a draft with aliases', () => {
  it('stays as it is when a change would take an anchor away that is still in use', () => {
    const text = 'server: &mine [1]\nx: *mine\n';
    expect(edit(text, { path: ['server', 'settings', 'bufferPool'], value: 64 })).toBe(text);
    expect(edit('x: *gone\n', { path: ['name'], value: 'Mine' })).toBe('x: *gone\n');
    expect(readDraft('a: 1\nx: *gone\n')).toMatchObject({ error: { line: 2 } });
  });
});

describe('a draft with a list where fields belong', () => {
  it('gets the fields when one of them is changed in the form', () => {
    const changed = edit('server: [1, 2]\n', { path: ['server', 'settings', 'bufferPool'], value: 64 });
    expect(parse(changed)).toEqual({ server: { settings: { bufferPool: 64 } } });
    expect(parse(edit(changed, { path: ['server', 'settings', 'bufferPool'], value: undefined }))).toEqual(
      {},
    );
  });
});

describe('a new draft', () => {
  it('is a sound preset, whatever its name', () => {
    const text = newPresetText({ id: 'x', name: '# not: a remark', question: '磁盘慢吗？' });
    expect(parsePreset(text, 'x')).toMatchObject({ name: '# not: a remark', question: '磁盘慢吗？' });
    expect(codes(text)).toEqual([]);
  });

  it('has an id made of its name, one that is free', () => {
    expect(idFromName('My disk, again!', 'mine')).toBe('my-disk-again');
    expect(idFromName('Größe é', 'mine')).toBe('gro-e-e');
    expect(idFromName('磁盘', 'mine')).toBe('mine');
    expect(freeId('mine', ['mine', 'mine-2'])).toBe('mine-3');
  });
});

describe('choosing cells', () => {
  const volume: Cell = { storage: 'named-volume', path: 'published-port' };
  const bind: Cell = { storage: 'bind-mount', path: 'published-port' };
  const bridge: Cell = { storage: 'bind-mount', path: 'user-bridge' };

  it('is a grid while all storages have all paths, and a list when not', () => {
    const list = choose(fresh, [volume, bind, bridge]);
    expect(parse(list)).toMatchObject({ scenarios: [volume, bind, bridge] });
    expect(parse(list)).not.toHaveProperty('grid');
    expect(parsePreset(list, 'x').baseline).toBe('named-volume.published-port');
    expect(parse(choose(fresh, [bind, bridge]))).toMatchObject({
      grid: { storages: ['bind-mount'], paths: ['published-port', 'user-bridge'] },
    });
  });

  it('keeps a server without a container beside the grid', () => {
    const native: Cell = { storage: 'native', path: 'loopback' };
    const text = choose(fresh, [volume, bind, native], native);
    expect(parse(text)).toMatchObject({
      grid: { storages: ['named-volume', 'bind-mount'], paths: ['published-port'] },
      scenarios: [native],
      baseline: 'native.loopback',
    });
    expect(codes(text)).toEqual([]);
  });

  it('puts the chosen one first where several baselines are named', () => {
    const oracle = builtIn.find(({ name }) => name.startsWith('oracle'))?.text ?? '';
    const { cells } = draftOf(oracle);
    expect(cells.baseline).toEqual({ storage: 'native', path: 'loopback' });
    const text = choose(oracle, cells.chosen, volume);
    expect(parse(text)).toMatchObject({
      baseline: ['named-volume.published-port', 'native.loopback', 'named-volume.host-network'],
    });
  });

  it('of nothing says so, and the table can be filled again', () => {
    const none = choose(fresh, []);
    expect(codes(none)).toEqual(['nothingChosen']);
    expect(codes(choose(none, [volume, bind]))).toEqual([]);
  });

  it('knows what can never go together', () => {
    expect(mismatch({ storage: 'native', path: 'published-port' })).toMatchObject({
      code: 'mismatch.storage.native',
    });
    expect(mismatch({ storage: 'native', path: 'loopback' })).toBeUndefined();
    expect(mismatch({ storage: 'tmpfs', path: 'loopback' })).toMatchObject({ code: 'mismatch.path.native' });
  });
});

describe('what is wrong with a draft', () => {
  it('is said once, with ways out that solve it', () => {
    const both = edit(fresh, { path: ['sweep'], value: [1, 4] });
    const problems = draftProblems(draftOf(both));
    expect(problems.map(({ code }) => code)).toEqual(['sweepAndConnections']);
    let text = both;
    for (const { fixes } of problems) text = editedText(text, fixes[0]?.edits ?? []);
    expect(codes(text)).toEqual([]);
    expect(parse(text)).toMatchObject({ sweep: [1, 4] });
  });

  it.each([
    [
      'levels that fall',
      [
        { path: ['sweep'], value: [4, 1] },
        { path: ['connections'], value: undefined },
      ],
      'sweepLevels',
    ],
    ['no name', [{ path: ['name'], value: '' }], 'noName'],
    ['no id', [{ path: ['id'], value: 'Not this' }], 'badId'],
    ['two rounds', [{ path: ['schedule', 'rounds'], value: 2 }], 'fewRounds'],
    ['no time', [{ path: ['schedule', 'untilConclusive'], value: { budgetMinutes: 1 } }], 'tightBudget'],
    ['no rows', [{ path: ['workload', 'tableSize'], value: 1 }], 'other'],
    ['too many', [{ path: ['connections'], value: 9999 }], 'other'],
    ['a field that does not exist', [{ path: ['color'], value: 'red' }], 'other'],
    ['no schedule', [{ path: ['schedule'], value: undefined }], 'other'],
    [
      'a device that is not named',
      [
        {
          path: ['storages'],
          value: { disk: { kind: 'volume-options', options: { type: 'none', o: 'bind', device: '' } } },
        },
      ],
      'volumeDevice',
    ],
    [
      'an NFS server that is not named',
      [{ path: ['storages'], value: { nfs: { kind: 'nfs', nfs: { address: '', path: '/x' } } } }],
      'nfsAddress',
    ],
  ] as [string, Edit[], string][])('%s', (_, edits, code) => {
    expect(codes(editedText(fresh, edits))).toEqual([code]);
  });

  it('has the step that the field is on', () => {
    const draft = draftOf(edit(fresh, { path: ['workload', 'tables'], value: 0 }));
    expect(draftProblems(draft)[0]).toMatchObject({
      step: 'workload',
      params: { field: 'workload.tables' },
    });
  });
});

describe('the YAML of a draft', () => {
  it('shows in the form even where a field is wrong: that one stands at its default', () => {
    const draft = draftOf(
      fresh.replace('connections: 8', 'connections: many').replace('rounds: 3', 'rounds: 6'),
    );
    expect(draft.number('connections')).toBe(8);
    expect(draft.number('schedule.rounds')).toBe(6);
  });

  it('says the line where it is no YAML, and is left as it is by edits', () => {
    const broken = 'whalemark: 1\nname: [';
    expect(readDraft(broken)).toMatchObject({ draft: null, error: { line: expect.any(Number) as number } });
    expect(editedText(broken, [{ path: ['id'], value: 'x' }])).toBe(broken);
    expect(readDraft('just words').draft).toBeNull();
  });

  it('takes fields out with what held them, and fills what was empty', () => {
    expect(edit('a: { b: 1 }\nc: 2\n', { path: ['a', 'b'], value: undefined })).toBe('c: 2\n');
    expect(parse(edit('server:\n', { path: ['server', 'image'], value: 'x' }))).toEqual({
      server: { image: 'x' },
    });
    expect(edit('a: 1 # why\n', { path: ['a'], value: 2 })).toBe('a: 2 # why\n');
  });
});
