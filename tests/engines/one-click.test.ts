import { expect, it } from 'vitest';
import { planSchema } from '../../src/shared/model/plan.ts';
import { takingTurns } from '../helpers/taking-turns.ts';
import { ENGINE, HAS_BRIDGE, program } from './support/engine.ts';
import { summarySchema, trialsOf } from './support/summary.ts';

const { whalemark } = program();

const storages = ['named-volume', 'bind-mount', 'container-layer'];
const paths = HAS_BRIDGE ? ['published-port', 'user-bridge', 'host-network'] : ['published-port'];

const small = [
  ...['--connections', '2', ...takingTurns(1, 2)],
  ...['--set', 'workload={"tables":1,"tableSize":1000}'],
  ...['--set', 'server.settings.bufferPool=64', '--set', 'server.settings.redoLogMiB=64'],
  // Up in half of MySQL's time.
  ...(ENGINE === 'vm' ? ['--set', 'server.image=mariadb:11.8'] : []),
  ...(HAS_BRIDGE ? [] : ['--set', `grid=${JSON.stringify({ storages, paths })}`]),
];

it('plans each storage type on each path that the engine has, and asks for nothing', async () => {
  const { stdout } = await whalemark(['plan', 'docker-options', '--json', ...small]);
  const plan = planSchema.parse(JSON.parse(stdout));
  const pairs = storages.flatMap((storage) => paths.map((path) => `${storage}.${path}`));
  expect(plan.scenarios.map(({ id }) => id).sort()).toEqual(
    [...pairs, 'named-volume.published-port~again'].sort(),
  );
  expect(plan.consents).toEqual([]);
});

it('measures every scenario, with the waiting servers paused, and leaves only the dataset', async () => {
  // A plan that wrongly asks for it is the test above.
  const run = ['run', 'docker-options', '--json', '--allow', 'host-network', ...small];
  const { exitCode, stdout, stderr } = await whalemark(run);
  expect(exitCode, stderr).toBe(0);
  const summary = summarySchema.parse(JSON.parse(stdout));
  for (const [id, [measured, failed]] of Object.entries(trialsOf(summary))) {
    expect([id, measured > 0, failed]).toEqual([id, true, 0]);
  }
  expect(summary.warnings.filter(({ code }) => code === 'NOT_FROZEN')).toEqual([]);

  const kept = await whalemark(['clean']);
  expect([kept.exitCode, kept.stdout.trim()]).toEqual([0, 'There is nothing to remove.']);
  const [, volume = ''] = /^Cached dataset .+ \((whalemark-dataset-\S+)\)/m.exec(kept.stderr) ?? [];
  const { stdout: removed } = await whalemark(['clean', '--datasets', '--json']);
  expect(JSON.parse(removed)).toEqual({
    ...{ removed: [{ kind: 'volume', name: volume }], failed: [], undecided: [], datasets: [] },
  });
});
