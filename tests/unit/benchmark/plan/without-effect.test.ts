import { expect, it } from 'vitest';
import { builtIn } from '../../built-in-presets.ts';
import type { FakeRuntime } from '../../fake-runtime.ts';
import { mysqlEngine, planned, presetWith } from '../../planned.ts';

const VOLUME = { storage: 'named-volume', path: 'published-port' };

function runtimeOf(): FakeRuntime {
  const runtime = mysqlEngine();
  runtime.addImage('mariadb:11.8', { env: { MARIADB_VERSION: '1:11.8.6+maria~ubu2404' } });
  runtime.addImage('own/mariadb:11.8', { env: { MARIADB_VERSION: '1:11.8.6+maria~ubu2404' } });
  return runtime;
}

const changed = (server: object, change: object) =>
  planned(
    presetWith({
      server,
      servers: { changed: { name: 'Changed', ...change } },
      scenarios: [VOLUME, { server: 'changed', ...VOLUME }],
      baseline: 'named-volume.published-port',
    }),
    runtimeOf(),
  );

it.each([
  [['--skip-innodb-doublewrite'], { options: ['--innodb-doublewrite=OFF'] }, true],
  [['--innodb_doublewrite=0'], { options: ['--skip-innodb-doublewrite'] }, true],
  [[], { options: ['--innodb-doublewrite=ON'] }, true],
  [[], { options: ['--innodb-doublewrite=OFF'] }, false],
  [['--innodb-io-capacity=200'], { options: ['--innodb-io-capacity=2000'] }, false],
  [[], { settings: { bufferPool: 256, redoLogMiB: 256 } }, true],
  [[], { settings: { bufferPool: 1024, redoLogMiB: 256 } }, false],
  // Without a binary log, there is nothing to flush.
  [[], { settings: { syncBinlog: 0 } }, true],
  [[], { limits: { cpus: 1 } }, false],
] as const)(
  'of a server with %j, the change to %j is without effect: %j',
  async (options, change, isSame) => {
    const plan = changed({ image: 'mysql:8.4', options, settings: { binlog: false } }, change);
    if (isSame) await expect(plan).rejects.toMatchObject({ code: 'NOTHING_TO_COMPARE' });
    else expect((await plan).excluded).toEqual([]);
  },
);

it('is refused with an option that does more than tune the server, and names it', async () => {
  await expect(changed({}, { options: ['--general-log-file=/home/me/.profile'] })).rejects.toMatchObject({
    code: 'PRESET_INVALID',
    evidence: [expect.stringContaining('--general-log-file=')],
  });
});

it('measures a change to a default of an image that may have other defaults', async () => {
  const off = { settings: { binlog: false } };
  const server = { image: 'own/mariadb:11.8', settings: { binlog: 'default' } };
  expect((await changed(server, off)).excluded).toEqual([]);
  await expect(changed({ ...server, image: 'mariadb:11.8' }, off)).rejects.toMatchObject({
    code: 'NOTHING_TO_COMPARE',
  });
});

it.each(['time-import', 'time-migrations', 'time-reset', 'durability'])(
  'leaves the level without a binary log out of %s with MariaDB, and says so',
  async (id) => {
    const preset = await builtIn(id);
    const plan = async (image: string) =>
      planned({ ...preset, server: { ...preset.server, image } }, runtimeOf());
    const mariadb = await plan('mariadb:11.8');
    expect(mariadb.configs.map(({ server }) => server)).not.toContain('no-binary-log');
    expect(mariadb.excluded.map(({ reason }) => reason.code)).toEqual(['plan.sameSettings']);
    expect((await plan('mysql:8.4')).excluded).toEqual([]);
  },
);
