import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { msg } from '../../../../src/shared/message.ts';
import { presetScenarios } from '../../../../src/shared/model/preset.ts';
import { SETTING_NAMES } from '../../../../src/shared/model/server-settings.ts';
import { changeOf } from '../../../../src/shared/model/database.ts';
import { newestOfLine } from '../../../../src/shared/compose/image.ts';
import { lossesOfChange } from '../../../../src/shared/compose/changes.ts';
import {
  type HowMeasured,
  presetOfDatabase,
  presetOfStarts,
  serviceOf,
} from '../../../../src/shared/compose/database-preset.ts';
import { makeDatabase, storageOf } from '../../database-builder.ts';

const preset = (fields: Parameters<typeof makeDatabase>[0] = {}, how: Partial<HowMeasured> = {}) =>
  presetOfDatabase(serviceOf(makeDatabase(fields), 'db'), { memoryBytes: 8 * 2 ** 30, ...how });

describe('the preset of a setup', () => {
  it('has the database as it is, and every change in one factor', () => {
    expect(presetScenarios(preset()).map(({ id }) => id)).toEqual([
      'bind-mount.published-port',
      'named-volume.published-port',
      'relaxed-flush.bind-mount.published-port',
      'no-binary-log.bind-mount.published-port',
      'large-pool.bind-mount.published-port',
      'bind-mount.user-bridge',
      'bind-mount.host-network',
    ]);
    const { baseline, schedule } = preset();
    expect(baseline).toBe('bind-mount.published-port');
    expect(schedule.untilConclusive).toBeDefined();
  });

  it('leaves every setting to the server but those of the options, which it turns into settings', () => {
    const { server } = preset({
      image: 'shop/db:1',
      limits: { cpus: 2, memoryMiB: 1024 },
      options: ['--innodb_buffer_pool_size=256M', '--max-connections=400', '--sync-binlog=0'],
    });
    expect(server).toMatchObject({
      image: 'shop/db:1',
      limits: { cpus: 2, memoryMiB: 1024 },
      options: ['--max-connections=400'],
      settings: {
        ...Object.fromEntries(SETTING_NAMES.map((name) => [name, 'default'])),
        ...{ bufferPool: 256, syncBinlog: 0 },
      },
    });
  });

  it('has only changes that change something', () => {
    const servers = (fields: Parameters<typeof makeDatabase>[0]): string[] =>
      Object.keys(preset(fields).servers);
    expect(servers({ limits: { cpus: 1, memoryMiB: null } })).toContain('without-limits');
    expect(servers({ options: ['--innodb-flush-log-at-trx-commit=2', '--skip-log-bin'] })).toEqual([
      'large-pool',
    ]);
    expect(servers({ flavor: 'mariadb', image: 'mariadb:11' })).toEqual(['relaxed-flush', 'large-pool']);
    expect(servers({ image: 'mysql:5.7' })).toEqual(['relaxed-flush', 'large-pool']);
    for (const fields of [{ image: 'mysql:5.7' }, { flavor: 'mariadb' as const, image: 'mariadb:11' }])
      expect(servers({ ...fields, options: ['--log-bin'] })).toContain('no-binary-log');
  });

  it('has no change to what is in effect, and none to less memory', () => {
    const option = (name: string, ...values: string[]) =>
      fc.option(fc.constantFrom(...values).map((value) => `--${name}=${value}`));
    const options = fc
      .tuple(
        option('innodb-flush-log-at-trx-commit', '0', '1', '2'),
        option('sync-binlog', '0', '1'),
        option('innodb-buffer-pool-size', '64M', '512M', '8G'),
        option('innodb-redo-log-capacity', '64M', '4G'),
        fc.option(fc.constantFrom('--skip-log-bin', '--disable-log-bin', '--log-bin')),
      )
      .map((all) => all.filter((one) => one !== null));
    fc.assert(
      fc.property(options, fc.constantFrom('mysql' as const, 'mariadb' as const), (own, flavor) => {
        const { server, servers } = preset({ options: own, flavor, image: `${flavor}:9` });
        const usual = { flushLogAtTrxCommit: 1, syncBinlog: 1, bufferPool: 128, redoLogMiB: 100 };
        const before = { ...usual, binlog: flavor === 'mysql', ...known(server.settings) };
        for (const { settings } of Object.values(servers)) {
          const after = { ...before, ...known(settings) };
          expect(after).not.toEqual(before);
          expect(after.bufferPool).toBeGreaterThanOrEqual(before.bufferPool);
          expect(after.redoLogMiB).toBeGreaterThanOrEqual(before.redoLogMiB);
        }
      }),
    );
  });

  const known = (settings: object = {}): object =>
    Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== 'default'));

  it.each([
    ['no durability in one change for tests', {}, true],
    ['none for data that is needed', {}, false],
    [
      'none where only one of its parts changes',
      { options: ['--innodb-doublewrite=0', '--skip-log-bin'] },
      false,
    ],
  ])('has %s', (_, fields, isOffered) => {
    const isForTests = isOffered || Object.keys(fields).length > 0;
    const change = preset(fields, { isForTests }).servers['no-durability'];
    expect(change?.settings).toEqual(isOffered ? { flushLogAtTrxCommit: 0, binlog: false } : undefined);
    expect(change?.options).toEqual(isOffered ? ['--innodb-doublewrite=OFF'] : undefined);
    expect(lossesOfChange({ factor: 'server', level: 'no-durability' })).toEqual([
      ...['crash', 'tables', 'binary-log'],
    ]);
  });

  it('has no change of settings that the image may bring itself', () => {
    const warnings = [msg('compose.ownStart', { official: 'mysql:8.4' })];
    const limits = { cpus: 1, memoryMiB: null };
    expect(Object.keys(preset({ limits, warnings }).servers)).toEqual(['without-limits']);
  });

  it.each([
    ['mysql:8.0.36', 'mysql:8.0'],
    ['mysql:9.1.0', 'mysql:9'],
    ['docker.io/library/mariadb:10.11.6-jammy', 'docker.io/library/mariadb:10.11-jammy'],
    ['percona:8.0.36-28.1', 'percona:8.0'],
    ['mysql:8.0', null],
    ['mysql:8.0.36@sha256:abc', null],
    ['bitnami/mysql:8.0.36', null],
    ['shop/db:1.2.3', null],
  ])('knows the newest of the line of %s', (image, newest) => {
    expect(newestOfLine(image)).toBe(newest);
  });

  it('compares with the newest version where there is one', () => {
    const { servers, scenarios } = preset({}, { newestImage: 'mysql:8.0' });
    expect(servers['newest-version']?.image).toBe('mysql:8.0');
    expect(scenarios.at(-1)).toMatchObject({ server: 'newest-version' });
  });

  it.each([
    ['an eighth of the engine’s memory', 8, {}, 1024],
    ['less than half of the limit', 64, { limits: { cpus: null, memoryMiB: 3000 } }, 1024],
    ['at most 2 GiB', 256, {}, 2048],
    ['nothing where the default is as large', 1.5, {}, undefined],
    ['nothing where the pool is as large', 8, { options: ['--innodb-buffer-pool-size=1G'] }, undefined],
  ])('has a larger pool: %s', (_, gibibytes, fields, expected) => {
    const settings = preset(fields, { memoryBytes: gibibytes * 2 ** 30 }).servers['large-pool']?.settings;
    expect(settings?.bufferPool).toBe(expected);
    expect(settings?.redoLogMiB).toBe(expected && Math.min(expected, 1024));
  });

  const planned = (text: string) =>
    preset({ limits: { cpus: 1, memoryMiB: null } }, { together: changeOf(text) });

  it('has several changes in one scenario where they are measured together', () => {
    const { scenarios, servers } = planned(
      'storage.named-volume+path.host-network+server.without-limits+server.large-pool',
    );
    expect(scenarios).toEqual([
      { storage: 'bind-mount', path: 'published-port' },
      { storage: 'named-volume', path: 'host-network', server: 'together' },
    ]);
    expect(servers).toEqual({
      together: {
        name: 'Together',
        settings: { bufferPool: 1024, redoLogMiB: 1024 },
        limits: { cpus: null, memoryMiB: null },
      },
    });
  });

  it.each([
    ['what isn’t tried alone', 'storage.named-volume+path.overlay'],
    ['two storage types', 'storage.named-volume+storage.bind-mount'],
    ['one change twice', 'server.large-pool+server.large-pool'],
  ])('refuses %s together', (_, text) => {
    expect(() => planned(text)).toThrow(expect.objectContaining({ code: 'DATABASE_REFUSED' }) as Error);
  });

  it.each([
    ['the usual data at least', 0, 25_000],
    ['as much data as asked for', 2 ** 30, 1_137_438],
  ])('has %s', (_, dataBytes, rows) => {
    expect(preset({}, { dataBytes }).workload).toMatchObject({ tables: 4, tableSize: rows });
  });

  it('keeps the options of a volume, and stays short with any path', () => {
    const options = { type: 'ext4', device: '/dev/sdb1' };
    const storage = storageOf('volume-options', { spec: { kind: 'volume-options', options } });
    const path = { kind: 'shared-netns' as const, client: 'app', port: null, at: null };
    const scenarios = presetScenarios(preset({ storage, path, limits: { cpus: 1, memoryMiB: null } }));
    expect(scenarios[0]?.storage).toEqual({ kind: 'volume-options', options });
    expect(scenarios.length).toBe(9);
  });

  it.each([
    ['an unknown service', makeDatabase({ name: 'other' }), 'yourDatabase.noService'],
    [
      'a refused one',
      makeDatabase({ refusal: msg('compose.volumeDriver', { driver: 'x' }) }),
      'compose.volumeDriver',
    ],
  ])('is refused for %s', (_, database, code) => {
    expect(() => serviceOf(database, 'db')).toThrow(
      expect.objectContaining({
        code: 'DATABASE_REFUSED',
        evidence: [expect.objectContaining({ code })],
      }) as Error,
    );
  });
});

it.each([
  ['named-volume', 'named-volume', 'named-volume'],
  ['bind-mount', 'bind-mount', 'bind-mount'],
  // Data in memory is lost with the first start.
  ['tmpfs', 'tmpfs', 'named-volume'],
  // These storages can't start empty.
  ['anonymous-volume', 'named-volume', 'named-volume'],
] as const)('has the kinds of start of a database on %s: first on %s, then on %s', (kind, first, later) => {
  const service = serviceOf(makeDatabase({ storage: storageOf(kind) }), 'db');
  const scenarios = presetScenarios(presetOfStarts(service));
  expect(scenarios.map(({ storage }) => [storage.kind, storage.starts])).toEqual([
    [first, 'empty'],
    [later, undefined],
    ['image-layer', undefined],
  ]);
});
