import { expect, it } from 'vitest';
import { planConfigs, serverOptions } from '../../../../src/benchmark/plan/plan-configs.ts';
import { checkPreset } from '../../../../src/benchmark/presets/preset-file.ts';
import { presetScenarios } from '../../../../src/shared/model/preset.ts';

const databases = async (storage: string, path: string) => {
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
  const scenarios = presetScenarios(preset);
  return planConfigs(
    preset,
    'docker-engine',
    scenarios,
    null,
    new Map(),
    await serverOptions(preset, scenarios),
  );
};

it.each([
  ['a container', 'named-volume', 'published-port'],
  ['a service', 'named-volume', 'ingress'],
  ['a native server', 'native', 'loopback'],
])('refuses an option that does more than tune %s, and names it', async (_, storage, path) => {
  await expect(databases(storage, path)).rejects.toMatchObject({
    code: 'PRESET_INVALID',
    evidence: [expect.stringContaining('--general-log-file=')],
  });
});
