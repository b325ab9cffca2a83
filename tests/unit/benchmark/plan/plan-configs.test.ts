import { expect, it } from 'vitest';
import { planConfigs, serverOptions } from '../../../../src/benchmark/plan/plan-configs.ts';
import { presetScenarios } from '../../../../src/shared/model/preset.ts';
import { presetWith } from '../../planned.ts';

const databases = async (storage: string, path: string) => {
  const preset = presetWith({
    server: { image: 'mysql:8.4', options: ['--general-log-file=/home/me/.profile'] },
    grid: { storages: [storage], paths: [path] },
    baseline: `${storage}.${path}`,
  });
  const scenarios = presetScenarios(preset);
  const options = await serverOptions(preset, scenarios);
  return planConfigs(preset, 'docker-engine', scenarios, null, new Map(), options);
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
