import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { englishOf } from '../../../../src/shared/message.ts';
import { parsePreset } from '../../../../src/benchmark/presets/preset-file.ts';
import { presetScenarios } from '../../../../src/shared/model/preset.ts';
import {
  baselineEdits,
  gridEdits,
  hasNative,
  nativeEdits,
  serverChoices,
  serverEdits,
} from '../../../../src/renderer/wizard/choices.ts';
import {
  type Edit,
  editedText,
  freeId,
  idFromName,
  newPresetText,
} from '../../../../src/renderer/wizard/preset-text.ts';
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
/** Changes the scenarios like the form. */
const choose = (text: string, ...changes: ((draft: Draft) => Edit[])[]): string => {
  let now = text;
  for (const edits of changes) {
    const changed = editedText(now, edits(draftOf(now)));
    now = editedText(changed, baselineEdits(draftOf(changed)));
  }
  return now;
};
const idsOf = (text: string): string[] => presetScenarios(parsePreset(text, 'x')).map(({ id }) => id);
const textOf = (name: string): string => builtIn.find((one) => one.name === `${name}.yaml`)?.text ?? '';

describe('the built-in presets in the wizard', () => {
  it.each(builtIn)('$name is shown as it is', ({ text }) => {
    const draft = draftOf(text);
    const preset = parsePreset(text, 'x');
    const { bufferPool, flushLogAtTrxCommit } = preset.server.settings;
    const fields: Record<string, unknown> = {
      ...pick(preset, ['id', 'name', 'question']),
      ...under('schedule', pick(preset.schedule, ['rounds', 'durationSeconds'])),
      'server.image': preset.server.image,
      ...under('server.settings', { bufferPool, flushLogAtTrxCommit }),
      'workload.kind': preset.workload.kind,
      'schedule.untilConclusive.budgetMinutes': preset.schedule.untilConclusive?.budgetMinutes ?? '',
    };
    for (const [path, expected] of Object.entries(fields))
      expect(draft.text(path), path).toBe(String(expected));
    const scenarios = presetScenarios(preset).map(({ baseId }) => baseId);
    expect(draft.scenarios.map(({ baseId }) => baseId)).toEqual([...new Set(scenarios)]);
    expect(serverChoices(draft, []).filter(({ isChosen }) => isChosen)).toHaveLength(
      preset.grid?.servers?.length ?? 1,
    );
    expect(baselineEdits(draft)).toEqual([]);
  });

  it.each(builtIn)('$name loses nothing when one field changes', ({ text }) => {
    const changed = edit(text, { path: ['schedule', 'rounds'], value: 7 });
    const before = parse(text) as { schedule: object };
    expect(parse(changed)).toEqual({ ...before, schedule: { ...before.schedule, rounds: 7 } });
    for (const remark of text.match(/^\s*#.*$/gm) ?? []) expect(changed).toContain(remark.trim());
    expect(() => parsePreset(changed, 'x')).not.toThrow();
  });

  it.each(builtIn)(
    '$name keeps its scenarios when a storage type is chosen and removed again',
    ({ text }) => {
      const there = choose(text, (draft) => gridEdits(draft, 'storages', 'image-layer', true));
      const back = choose(there, (draft) => gridEdits(draft, 'storages', 'image-layer', false));
      const { grid, ...others } = parse(back) as { grid?: object };
      const { grid: before, ...same } = parse(text) as { grid?: object };
      expect(others).toEqual(same);
      if (before !== undefined) expect(grid).toEqual(before);
    },
  );
});

describe('a new draft', () => {
  it('is a sound preset, whatever its name', () => {
    const text = newPresetText({ id: 'x', name: '# not: a remark', question: '磁盘慢吗？' });
    expect(parsePreset(text, 'x')).toMatchObject({ name: '# not: a remark', question: '磁盘慢吗？' });
  });

  it('has an id made of its name, one that is free', () => {
    expect(idFromName('My disk, again!', 'mine')).toBe('my-disk-again');
    expect(idFromName('Größe é', 'mine')).toBe('gro-e-e');
    expect(idFromName('磁盘', 'mine')).toBe('mine');
    expect(freeId('mine', ['mine', 'mine-2'])).toBe('mine-3');
  });
});

describe('choosing what to compare', () => {
  it('keeps what is left when nothing is chosen, and a whole grid comes back', () => {
    const none = choose(
      fresh,
      (draft) => gridEdits(draft, 'storages', 'named-volume', false),
      (draft) => gridEdits(draft, 'storages', 'bind-mount', false),
    );
    expect(() => parsePreset(none, 'x')).toThrow(
      expect.objectContaining({ code: 'PRESET_INVALID' }) as Error,
    );
    const tmpfs = choose(none, (draft) => gridEdits(draft, 'storages', 'tmpfs', true));
    expect(idsOf(tmpfs)).toEqual(['tmpfs.published-port']);
    const nothing = choose(none, (draft) => gridEdits(draft, 'paths', 'published-port', false));
    expect(parse(nothing)).not.toHaveProperty('grid');
    expect(idsOf(choose(nothing, (draft) => gridEdits(draft, 'paths', 'host-network', true)))).toEqual([
      'named-volume.host-network',
    ]);
  });

  it('has a server without a container beside the grid', () => {
    const text = choose(fresh, (draft) => nativeEdits(draft, true));
    expect(hasNative(draftOf(text))).toBe(true);
    expect(idsOf(text)).toContain('native.loopback');
    expect(choose(text, (draft) => nativeEdits(draft, false))).toBe(fresh);
    // Several baselines lose only the one that is gone.
    const without = choose(textOf('docker-options'), (draft) => nativeEdits(draft, false));
    expect(parsePreset(without, 'x').baseline).toBe('named-volume.published-port');
    const oracle = choose(textOf('oracle-2016-storage'), (draft) => nativeEdits(draft, false));
    expect(parse(oracle)).toMatchObject({
      baseline: ['named-volume.host-network', 'named-volume.published-port'],
    });
  });

  it('measures one image as the server, and several in the whole grid', () => {
    const two = choose(fresh, (draft) => serverEdits(draft, ['mysql:8.4', 'registry.example/mariadb:11']));
    expect(parse(two)).toMatchObject({
      servers: {
        'mysql-8-4': { name: 'MySQL 8.4', image: 'mysql:8.4' },
        'registry-example-mariadb-11': { image: 'registry.example/mariadb:11' },
      },
      baseline: 'mysql-8-4.named-volume.published-port',
    });
    expect(idsOf(two)).toHaveLength(4);
    const chosen = serverChoices(draftOf(two), ['mysql:8.4', 'mysql:9']).filter(({ isChosen }) => isChosen);
    expect(chosen.map(({ image }) => image)).toEqual(['mysql:8.4', 'registry.example/mariadb:11']);
    const one = choose(two, (draft) => serverEdits(draft, ['registry-example-mariadb-11']));
    expect(parsePreset(one, 'x').server.image).toBe('registry.example/mariadb:11');
    expect(idsOf(one)).toEqual(['named-volume.published-port', 'bind-mount.published-port']);
    expect(parsePreset(one, 'x').baseline).toBe('named-volume.published-port');
  });

  it('keeps servers that are more than an image', () => {
    const one = choose(textOf('buffer-pool-sizes'), (draft) => serverEdits(draft, ['pool-5']));
    expect(idsOf(one)).toEqual(['pool-5.named-volume.published-port']);
    const servers = serverChoices(draftOf(one), []);
    expect(servers.find(({ id }) => id === 'pool-50')).toMatchObject({
      name: 'Buffer pool 50% of the data',
      isChosen: false,
    });
    const mixed = choose(one, (draft) => serverEdits(draft, ['pool-5', 'mariadb:11.8']));
    expect(idsOf(mixed)).toHaveLength(2);
  });

  it('of a list of scenarios adds a grid to it', () => {
    const added = choose(textOf('durability'), (draft) => serverEdits(draft, ['mysql:8.4', 'mariadb:11.8']));
    expect(idsOf(added)).toHaveLength(7);
  });
});

describe('the YAML of a draft', () => {
  it('shows in the form even where a field is wrong', () => {
    const draft = draftOf(fresh.replace('name: Mine', 'name: []').replace('rounds: 3', 'rounds: 600'));
    expect(draft.text('name')).toBe('');
    expect(draft.text('schedule.rounds')).toBe('600');
    expect(draft.scenarios).toHaveLength(2);
  });

  it('says the line where it is no YAML, and is left as it is by edits', () => {
    const broken = 'whalemark: 1\nname: [';
    expect(readDraft(broken)).toMatchObject({ draft: null, error: { line: expect.any(Number) as number } });
    expect(editedText(broken, [{ path: ['id'], value: 'x' }])).toBe(broken);
    expect(readDraft('just words').draft).toBeNull();
  });

  it('stays as it is when a change would take an anchor away that is still in use', () => {
    const text = 'server: &mine [1]\nx: *mine\n';
    expect(edit(text, { path: ['server', 'settings', 'bufferPool'], value: 64 })).toBe(text);
    expect(edit('x: *gone\n', { path: ['name'], value: 'Mine' })).toBe('x: *gone\n');
    expect(readDraft('a: 1\nx: *gone\n')).toMatchObject({ error: { line: 2 } });
  });

  it('takes fields out with what held them, and fills what was empty', () => {
    expect(edit('a: { b: 1 }\nc: 2\n', { path: ['a', 'b'], value: undefined })).toBe('c: 2\n');
    for (const empty of ['server:\n', 'server: [1, 2]\n'])
      expect(parse(edit(empty, { path: ['server', 'image'], value: 'x' }))).toEqual({
        server: { image: 'x' },
      });
    expect(edit('a: 1 # why\n', { path: ['a'], value: 2 })).toBe('a: 2 # why\n');
  });
});
