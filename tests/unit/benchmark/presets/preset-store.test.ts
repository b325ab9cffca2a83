import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { builtInPresets } from '../../built-in-presets.ts';
import { PresetStore } from '../../../../src/benchmark/presets/preset-store.ts';
import { saying } from '../../../helpers/saying.ts';
import { newFolder } from '../../../helpers/folders.ts';

const text = (id: string, extra = ''): string => `# My own, with a remark.
whalemark: 1
id: ${id} # what it is called
name: Mine
question: Is it slow?
grid: { storages: [named-volume], paths: [published-port] }
baseline: named-volume.published-port
schedule: { rounds: 3, warmupSeconds: 1, durationSeconds: 2 }
${extra}`;

describe('the user’s own presets', () => {
  let dataDir: string;
  let folder: string;
  let store: PresetStore;
  beforeEach(() => {
    dataDir = newFolder();
    folder = join(dataDir, 'presets');
    store = new PresetStore('presets', dataDir);
  });

  const own = async (): Promise<string[]> =>
    (await store.list()).filter(({ builtIn }) => !builtIn).map(({ id }) => id);
  const files = async (): Promise<string[]> => (await readdir(folder)).sort();

  it('are none at first, beside the built-in ones', async () => {
    const entries = await store.list();
    expect(entries.every(({ builtIn, error }) => builtIn && error === null)).toBe(true);
    expect(entries.map(({ id }) => id)).toEqual((await builtInPresets()).map(({ id }) => id));
  });

  it('are kept as they were written, found by id, and leave nothing unfinished', async () => {
    await store.save(text('mine'));
    expect(await own()).toEqual(['mine']);
    expect(await store.text('mine')).toBe(text('mine'));
    expect((await store.find('mine')).name).toBe('Mine');
    expect((await store.open('mine')).id).toBe('mine');
    expect(await files()).toEqual(['mine.yaml', 'preset.schema.json']);
  });

  it('are found by the id in their text, whatever the name of their file', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'mine.yaml'), text('other'));
    await writeFile(join(dataDir, 'outside.yaml'), '- [');
    expect((await store.find('other')).id).toBe('other');
    for (const id of ['mine', '../outside'])
      await expect(store.find(id)).rejects.toMatchObject({ code: 'PRESET_UNKNOWN' });
  });

  it('are refused when they are broken, built-in or another’s', async () => {
    await store.save(text('mine'));
    await expect(store.save(text('other', 'conections: 3'))).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: [saying(/^line 9: conections: /)],
    });
    for (const change of [() => store.save(text('docker-options')), () => store.remove('docker-options')])
      await expect(change()).rejects.toMatchObject({ code: 'PRESET_BUILT_IN' });
    await expect(store.save(text('mine'))).rejects.toMatchObject({ code: 'PRESET_EXISTS' });
    expect(await own()).toEqual(['mine']);
  });

  it('can be edited, and move when their id changes, but not onto another', async () => {
    await store.save(text('mine'));
    await store.save(text('mine', 'connections: 3'), 'mine');
    expect((await store.find('mine')).connections).toBe(3);
    await store.save(text('yours'), 'mine');
    expect(await own()).toEqual(['yours']);
    await store.save(text('third'));
    await expect(store.save(text('third'), 'yours')).rejects.toMatchObject({ code: 'PRESET_EXISTS' });
    expect(await own()).toEqual(['third', 'yours']);
  });

  it('that are broken on disk are listed with their error, can be opened, mended and removed', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'broken.yaml'), text('broken').replace('rounds: 3', 'rounds: 0'));
    await writeFile(join(folder, 'nonsense.yaml'), '- [');
    await writeFile(join(folder, 'shadow.yaml'), text('docker-options'));
    await store.save(text('mine'));
    const entries = (await store.list()).filter(({ builtIn }) => !builtIn);
    expect(entries.map(({ id, error }) => [id, error?.code ?? null])).toEqual([
      ['broken', 'PRESET_INVALID'],
      ['mine', null],
      ['nonsense', 'PRESET_INVALID'],
      ['shadow', 'PRESET_BUILT_IN'],
    ]);
    await expect(store.find('broken')).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: [saying(/^line 8: schedule\.rounds/)],
    });
    await expect(store.open('broken')).rejects.toMatchObject({ code: 'PRESET_INVALID' });
    expect(await store.text('nonsense')).toBe('- [');
    await store.save(text('broken'), 'broken');
    expect((await store.find('broken')).schedule.rounds).toBe(3);
    await store.remove('nonsense');
    await store.remove('shadow');
    expect(await own()).toEqual(['broken', 'mine']);
    expect((await store.open('docker-options')).name).toBe('Docker storage and network');
  });

  it('are duplicated with every remark; only id and name change', async () => {
    await store.duplicate('oracle-2016-storage', 'mine');
    const [before, after] = [await store.text('oracle-2016-storage'), await store.text('mine')];
    const changed = after.split('\n').filter((line, index) => line !== before.split('\n')[index]);
    expect(changed).toEqual(['id: mine', 'name: Storage types × network (Oracle 2016) (mine)']);
    await store.save(text('plain'));
    await store.duplicate('plain', '123', 'Numbers: all');
    expect(await store.text('123')).toContain('id: "123" # what it is called');
    expect((await store.find('123')).name).toBe('Numbers: all');
    await expect(store.duplicate('plain', '123')).rejects.toMatchObject({ code: 'PRESET_EXISTS' });
    await expect(store.duplicate('nowhere', 'x')).rejects.toMatchObject({ code: 'PRESET_UNKNOWN' });
  });

  it('are imported from files', async () => {
    const file = join(dataDir, 'from-a-friend.yaml');
    await writeFile(file, text('friend'));
    expect((await store.importFile(file)).id).toBe('friend');
    await expect(store.importFile(join(dataDir, 'nothing.yaml'))).rejects.toMatchObject({
      code: 'PRESET_UNKNOWN',
    });
    await expect(store.importFile(dataDir)).rejects.toMatchObject({ code: 'PRESET_UNKNOWN' });
    execFileSync('mkfifo', [join(dataDir, 'pipe')]);
    await writeFile(join(dataDir, 'large.yaml'), text('large', '#'.repeat(2 ** 21)));
    for (const name of ['pipe', 'large.yaml']) {
      await expect(store.importFile(join(dataDir, name))).rejects.toMatchObject({ code: 'PRESET_INVALID' });
    }
  });

  it('never lead out of their folder', async () => {
    await writeFile(join(dataDir, 'secret.yaml'), text('secret'));
    await store.save(text('mine'));
    for (const id of ['../secret', '/etc/passwd', '']) {
      await expect(store.text(id)).rejects.toMatchObject({ code: 'PRESET_UNKNOWN' });
      await expect(store.remove(id)).rejects.toMatchObject({ code: 'PRESET_UNKNOWN' });
      await expect(store.duplicate('mine', id)).rejects.toMatchObject({ code: 'PRESET_INVALID' });
    }
    expect(await files()).toEqual(['mine.yaml', 'preset.schema.json']);
  });

  it('say so when their folder can’t be read or written', async () => {
    await symlink(folder, folder);
    await expect(store.find('mine')).rejects.toMatchObject({ code: 'DATA_FOLDER_UNREADABLE' });
    await rm(folder);
    await writeFile(folder, 'a file where the folder belongs');
    await expect(store.save(text('mine'))).rejects.toMatchObject({ code: 'PRESET_NOT_SAVED' });
    expect(await readFile(folder, 'utf8')).toContain('a file');
  });
});
