import { describe, expect, it } from 'vitest';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { withImages, withLevels } from '../../../../src/shared/preset/task-preset.ts';
import { builtIn } from '../../built-in-presets.ts';
import type { FakeRuntime } from '../../fake-runtime.ts';
import { mysqlEngine, planned } from '../../planned.ts';

async function compared(images: string[], engine: FakeRuntime, storages = ['named-volume']): Promise<Plan> {
  const preset = withLevels(await builtIn('time-import'), { storages });
  return planned(withImages(preset, images), engine, { imageNamedByUser: true, comparesImages: true });
}

function serversEngine(versions: Record<string, string>): FakeRuntime {
  const engine = mysqlEngine();
  for (const [reference, version] of Object.entries(versions)) {
    const name = reference.includes('mariadb') ? 'MARIADB_VERSION' : 'MYSQL_VERSION';
    engine.addImage(reference, { env: { [name]: version } });
  }
  return engine;
}

describe('a task on several images', () => {
  it('measures each on each storage type, and compares with the first', async () => {
    const engine = serversEngine({ 'mariadb:11.8': '1:11.8.6+maria~ubu2404', 'own/mysql:8.0': '8.0.36' });
    const plan = await compared(['mysql:8.4', 'mariadb:11.8', 'own/mysql:8.0'], engine, [
      'named-volume',
      'tmpfs',
    ]);
    const kept = plan.scenarios.filter(({ isAaRepeat }) => !isAaRepeat);
    expect(kept.map(({ id, label }) => [id, label.server])).toEqual([
      ['mysql-8.4.named-volume.published-port', 'MySQL 8.4'],
      ['mariadb-11.8.named-volume.published-port', 'MariaDB 11.8'],
      ['own-mysql-8.0.named-volume.published-port', 'MySQL 8.0'],
      ['mysql-8.4.tmpfs.published-port', 'MySQL 8.4'],
      ['mariadb-11.8.tmpfs.published-port', 'MariaDB 11.8'],
      ['own-mysql-8.0.tmpfs.published-port', 'MySQL 8.0'],
    ]);
    expect(plan.baselineId).toBe(kept[0]?.id);
    expect(plan.configs.map(({ image }) => image.used)).toEqual([
      'mysql:8.4',
      'mariadb:11.8',
      'own/mysql:8.0',
    ]);
  });

  it.each([
    ['patches of one line', { 'mysql:8.4.3': '8.4.3' }, ['MySQL 8.4.10', 'MySQL 8.4.3']],
    ['builds of one version', { 'own/mysql:8.4': '8.4.10' }, ['mysql:8.4', 'own/mysql:8.4']],
  ])('names %s so that they can be told apart', async (_, more, names) => {
    const plan = await compared(['mysql:8.4', ...Object.keys(more)], serversEngine(more));
    expect(plan.configs.map(({ serverName }) => serverName)).toEqual(names);
  });

  it('names one that is pulled first by its tag', async () => {
    const plan = await compared(['mysql:8.4', 'mariadb:11.8-ubi'], mysqlEngine());
    expect(plan.configs.map(({ serverName }) => serverName)).toEqual(['MySQL 8.4', 'MariaDB 11.8']);
  });

  it('is refused where one is missing, although another of its major version could stand in', async () => {
    const engine = serversEngine({ 'mariadb:11.8': '11.8.6' });
    const gone = new BenchmarkError('REGISTRY_UNREACHABLE', {
      image: 'mariadb:11.4',
      reason: 'down',
      local: '',
    });
    engine.failing.set('probeRegistry mariadb:11.4', gone);
    await expect(compared(['mysql:8.4', 'mariadb:11.4'], engine)).rejects.toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
      params: { image: 'mariadb:11.4', local: expect.stringContaining('mariadb:11.8') as string },
      evidence: ['--image mariadb:11.4'],
    });
  });

  it('is refused for two names of one image', async () => {
    const engine = mysqlEngine();
    engine.imagesMade[0]?.references.push('mysql:8');
    await expect(compared(['mysql:8.4', 'mysql:8'], engine)).rejects.toMatchObject({
      code: 'USAGE',
      params: { problem: '--image mysql:8.4 and --image mysql:8 are the same image.' },
    });
  });
});
