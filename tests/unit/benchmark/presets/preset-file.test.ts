import { describe, expect, it } from 'vitest';
import { parsePreset } from '../../../../src/benchmark/presets/preset-file.ts';
import { PresetStore } from '../../../../src/benchmark/presets/preset-store.ts';
import { englishOf } from '../../../../src/shared/message.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { connectionLevels, presetScenarios } from '../../../../src/shared/model/preset.ts';

const good = `
whalemark: 1
id: mine
name: Mine
question: Is it slow?
grid:
  storages: [named-volume, tmpfs]
  paths: [published-port]
baseline: named-volume.published-port
schedule: { rounds: 3, warmupSeconds: 1, durationSeconds: 2 }
`;

function problems(text: string): string[] {
  try {
    parsePreset(text, 'mine.yaml');
  } catch (error) {
    if (error instanceof BenchmarkError && error.code === 'PRESET_INVALID')
      return error.evidence.map(englishOf);
    throw error;
  }
  return [];
}

describe('preset file', () => {
  it('reads a good preset and fills in the defaults', () => {
    const preset = parsePreset(good, 'mine.yaml');
    expect(preset.server.image).toBe('mysql:8.4');
    expect(preset.connections).toBeUndefined();
    expect(connectionLevels(preset)).toEqual([8]);
    expect(presetScenarios(preset).map(({ id }) => id)).toEqual([
      'named-volume.published-port',
      'tmpfs.published-port',
    ]);
  });

  it.each([
    ['an unknown key', good.replace('name: Mine', 'name: Mine\nconections: 8'), /line 5.*conections/],
    ['a wrong type', good.replace('rounds: 3', 'rounds: three'), /line 10: schedule\.rounds: .*number/],
    ['an unknown storage', good.replace('[named-volume,', '[nfs,'), /line 7: grid\.storages\.0/],
    ['no scenario at all', good.replace(/grid:\n.*\n.*\n/, ''), /scenarios: add at least one/],
    [
      'a baseline that is not there',
      good.replace('baseline: named', 'baseline: bind'),
      /line 9: baseline: .*available/,
    ],
    ['the same id twice', good.replace('[published-port]', '[published-port, published-port]'), /twice/],
    ['broken YAML', `${good}\n  - [`, /line \d+:/],
    ['a key given twice', `${good}name: Other\n`, /line 11:.*unique/i],
    [
      'a preset of a newer Whalemark',
      good.replace('whalemark: 1', 'whalemark: 3'),
      /^line 2: whalemark: .*newer/,
    ],
    [
      'a grid of more scenarios than memory holds',
      good.replace('published-port]', `published-port${', published-port'.repeat(700)}]`),
      /^line 7: grid: 1402 scenarios are too many; the maximum is 400$/,
    ],
    ['a list without an end', `${good}scenarios: [${'x,'.repeat(1001)}]`, /line 11: scenarios/],
    ['lists within lists', `${good}x: ${'['.repeat(5000)}${']'.repeat(5000)}`, /^line 11: nested too deeply/],
    [
      'blocks within blocks that the library runs out of stack for',
      `${good}${'? '.repeat(20_000)}1`,
      /^line 11: nested too deeply$/,
    ],
    ['an alias of nothing', `${good}x: *gone`, /^line 11: the anchor “gone” isn’t defined before its alias/],
    [
      'a text that is far too long',
      `${good}${'# nothing\n'.repeat(30_000)}`,
      /^line 1: .*longer than 256 KiB/,
    ],
    ['an empty file', '', /preset: /],
  ])('names the place of %s', (_, text, expected) => {
    const found = problems(text);
    expect(found.join('\n')).toMatch(expected);
  });

  it('names every problem at once, the first of very many, and one of a text that is wrong everywhere', () => {
    expect(problems(good.replace('rounds: 3', 'rounds: 0').replace('id: mine', 'id: Mine!'))).toHaveLength(2);
    const unknown = Array.from({ length: 6000 }, (_, index) => `k${index}: 1\n`);
    const found = problems(good + unknown.join(''));
    expect(found).toHaveLength(50);
    expect(found[49]).toBe('line 60: k49: this field doesn’t exist');
    expect(problems('"'.repeat(20_000))).toHaveLength(1);
  });

  it('finds built-in presets by id, files by path, and says what it knows', async () => {
    const store = new PresetStore('presets', '/nowhere');
    expect((await store.open('docker-options')).id).toBe('docker-options');
    expect((await store.open('presets/docker-options.yaml')).id).toBe('docker-options');
    await expect(store.open('nonsense')).rejects.toMatchObject({
      code: 'PRESET_UNKNOWN',
      hint: expect.stringContaining('docker-options') as string,
    });
  });
});
