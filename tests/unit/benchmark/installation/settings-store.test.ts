import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { withSettings } from '../../../../src/benchmark/installation/installation.ts';
import { SettingsStore } from '../../../../src/benchmark/installation/settings-store.ts';
import { DEFAULT_SETTINGS, settingsChangeSchema } from '../../../../src/shared/model/settings.ts';
import { newFolder } from '../../../helpers/folders.ts';

let dataDir: string;
const file = (name = 'settings.json'): string => join(dataDir, name);

beforeEach(() => (dataDir = newFolder()));

describe('settings', () => {
  it('are the defaults until something is chosen, and then that', () => {
    const store = new SettingsStore(dataDir);
    expect(store.current).toEqual(DEFAULT_SETTINGS);
    expect(store.problems).toEqual([]);
    store.change({ theme: 'dark', runtimeId: 'context:colima' });
    const again = new SettingsStore(dataDir);
    expect(again.current).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark', runtimeId: 'context:colima' });
    expect(again.problems).toEqual([]);
  });

  it.each(['', 'theme: dark', '[1]', '"dark"', 'null'])(
    'that can’t be read (“%s”) are kept aside, and told',
    (text) => {
      writeFileSync(file(), text);
      const store = new SettingsStore(dataDir);
      expect(store.current).toEqual(DEFAULT_SETTINGS);
      expect(store.problems).toEqual([{ kind: 'file', keptAs: 'settings.json.broken' }]);
      expect(readFileSync(file('settings.json.broken'), 'utf8')).toBe(text);
      expect(existsSync(file())).toBe(false);
      // The problem is reported once.
      expect(new SettingsStore(dataDir).problems).toEqual([]);
    },
  );

  it('with a wrong field keep the others, and the field is named', () => {
    writeFileSync(file(), '{"theme":"blue","language":"zh-CN","keepDatasets":"no","unknown":1}');
    const { current, problems } = new SettingsStore(dataDir);
    expect(current).toEqual({ ...DEFAULT_SETTINGS, language: 'zh-CN' });
    expect(problems).toEqual([
      { kind: 'field', field: 'theme', value: '"blue"' },
      { kind: 'field', field: 'keepDatasets', value: '"no"' },
    ]);
    expect(existsSync(file())).toBe(true);
  });

  it('nested so deeply that no text can be made of them are told all the same', () => {
    writeFileSync(file(), `{"theme":"dark","language":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    const store = new SettingsStore(dataDir);
    expect(store.current).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark' });
    expect(store.problems).toEqual([{ kind: 'field', field: 'language', value: '…' }]);
  });

  it.each<[string, () => SettingsStore]>([
    ['in the place of a folder', () => (mkdirSync(file()), new SettingsStore(dataDir))],
    ['below a file', () => (writeFileSync(file(), ''), new SettingsStore(file()))],
  ])('that can’t be written %s change nothing, and say why', (_, open) => {
    const store = open();
    const unwritable = expect.objectContaining({ code: 'SETTINGS_UNWRITABLE' });
    expect(() => store.change({ theme: 'dark' })).toThrow(unwritable);
    expect(store.current.theme).toBe('system');
  });
});

describe('a change', () => {
  it('is of what it names and of nothing else', () => {
    const store = new SettingsStore(dataDir);
    store.change(settingsChangeSchema.parse({ theme: 'dark', keepDatasets: false }));
    store.change(settingsChangeSchema.parse({ language: 'zh-CN', runtimeId: null }));
    const changed = { theme: 'dark', keepDatasets: false, language: 'zh-CN' };
    expect(store.current).toEqual({ ...DEFAULT_SETTINGS, ...changed });
  });

  it.each([{ theme: 'blue' }, { keepDatasets: 'no' }, { unknown: 1 }])('to %j is refused', (change) => {
    expect(settingsChangeSchema.safeParse(change).success).toBe(false);
  });
});

describe('datasets', () => {
  const paths = {
    ...{ dataDir: '/d', datasetDir: '/d/datasets', assetsDir: '/a', presetsDir: '/p', clientFile: '/c' },
    appVersion: '0',
  };

  it('are kept by the app’s runs only if the settings say so', () => {
    expect(withSettings(paths, DEFAULT_SETTINGS)).toEqual(paths);
    expect(withSettings(paths, { ...DEFAULT_SETTINGS, keepDatasets: false }).datasetDir).toBeNull();
    const off = { ...paths, datasetDir: null };
    expect(withSettings(off, DEFAULT_SETTINGS).datasetDir).toBeNull();
  });
});
