import { expect, it } from 'vitest';
import { onEngine } from '../../../../src/benchmark/database/open-database.ts';
import type { Database } from '../../../../src/shared/model/database.ts';
import { FAKE_PASSPORT } from '../../fake-runtime.ts';
import { briefly, readProject } from '../../shared/project/project-texts.ts';

const { database } = readProject({
  'compose.yaml':
    'services:\n  db:\n    image: mysql:8.4\n    platform: linux/arm64/v8\n    ports: ["3306:3306"]\n',
});

function inContainer(project: string): Database {
  const services = database.services.map((one) => ({ ...one, container: { id: 'c1', running: true } }));
  return { source: { kind: 'container', id: 'c1', name: 'shop-db-1', files: [], project }, services };
}

it('finds the container of a service by project and name', () => {
  const found = onEngine(database, [inContainer('other'), inContainer('shop')], FAKE_PASSPORT);
  expect(found.services[0]?.container).toEqual({ id: 'c1', running: true });
  expect(onEngine(database, [inContainer('other')], FAKE_PASSPORT).services[0]?.container).toBeNull();
});

it('takes the version and the options of a stack from its container', () => {
  const ddev = readProject(
    { '.ddev/config.yaml': 'name: shop\n' },
    { files: ['/work/shop/.ddev/config.yaml'], folder: '/work/shop/.ddev' },
  ).database;
  expect(ddev.services[0]?.refusal).not.toBeNull();
  const image = 'ddev/ddev-dbserver-mariadb-11.8:v1.25.0-shop-built';
  const official = { image: 'mariadb:11.8', isAlways: true };
  const container = inContainer('ddev-shop');
  const services = container.services.map((one) => ({
    ...one,
    image,
    official,
    options: ['--max-connections=9'],
  }));
  const [service] = onEngine(ddev, [{ ...container, services }], FAKE_PASSPORT).services;
  expect(service).toMatchObject({
    official,
    options: ['--max-connections=9'],
    configFiles: [],
    refusal: null,
  });
});

it('says first that a platform is emulated', () => {
  expect(onEngine(database, [], FAKE_PASSPORT).services[0]?.warnings.map(briefly)[0]).toBe(
    'notice.imageEmulated',
  );
  const arm = { ...FAKE_PASSPORT, runtime: { ...FAKE_PASSPORT.runtime, architecture: 'aarch64' } };
  expect(onEngine(database, [], arm).services[0]?.warnings).toEqual([]);
});

it('takes the driver of a volume that was made outside Compose from its container', () => {
  const outside = readProject({
    'compose.yaml': [
      'services:',
      '  db: { image: "mysql:8.4", ports: ["3306:3306"], volumes: ["outside:/var/lib/mysql"] }',
      'volumes: { outside: { external: true } }',
    ].join('\n'),
  }).database;
  expect(outside.services[0]?.warnings.map(briefly)).toEqual(['3 compose.externalVolume']);
  const there = inContainer('shop');
  const services = there.services.map((one) => ({
    ...one,
    storage: { ...one.storage, kind: 'tmpfs' as const, spec: { kind: 'tmpfs' as const }, driver: 'local' },
  }));
  const [found] = onEngine(outside, [{ ...there, services }], FAKE_PASSPORT).services;
  expect(found).toMatchObject({ storage: { kind: 'tmpfs', driver: 'local', at: { line: 2 } }, warnings: [] });
});
