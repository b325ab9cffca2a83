import { describe, expect, it } from 'vitest';
import { planSetups } from '../../../../src/benchmark/plan/plan-setups.ts';
import { checkPreset } from '../../../../src/benchmark/presets/preset-file.ts';
import { presetScenarios } from '../../../../src/shared/model/preset.ts';

const FACTS = { native: null, external: null } as unknown as Parameters<typeof planSetups>[2];

const setups = (storage: string, path: string) => {
  const preset = checkPreset(
    {
      whalemark: 1,
      id: 'mine',
      name: 'Mine',
      question: 'Is it slow?',
      server: { image: 'mysql:8.4', options: ['--general-log-file=/home/me/.profile'] },
      grid: { storages: [storage], paths: [path] },
      baseline: `${storage}.${path}`,
      schedule: { rounds: 3, warmupSeconds: 1, durationSeconds: 2 },
    },
    'test',
  );
  return planSetups(preset, presetScenarios(preset), FACTS, new Map());
};

describe('an option that names a place', () => {
  it('may be a server’s in a container, where it is a place in there', async () => {
    expect((await setups('named-volume', 'published-port'))[0]?.options).toEqual([
      '--general-log-file=/home/me/.profile',
    ]);
  });

  it('is refused for a native server, with the field', async () => {
    await expect(setups('native', 'loopback')).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: [expect.stringMatching(/^server\.options: --general-log-file=.*own folder/)],
    });
  });
});
