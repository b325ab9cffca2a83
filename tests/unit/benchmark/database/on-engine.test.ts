import { expect, it } from 'vitest';
import { flavored, onEngine } from '../../../../src/benchmark/database/open-database.ts';
import type { Database } from '../../../../src/shared/model/database.ts';
import { FAKE_PASSPORT, FakeRuntime } from '../../fake-runtime.ts';
import { storageOf } from '../../database-builder.ts';
import { makePassport } from '../../plan-builder.ts';
import { firstDatabase, resolved } from '../../shared/compose/resolved.ts';

const database = await databaseOf({ platform: 'linux/arm64/v8' });
type Service = Database['services'][number];

async function databaseOf(fields: object, rest: object = {}): Promise<Database> {
  const db = { image: 'mysql:8.4', ports: [{ target: 3306, published: '3306' }], ...fields };
  return {
    source: { kind: 'compose', files: ['/work/shop/compose.yaml'], project: 'shop' },
    services: [await firstDatabase(resolved({ db }, rest))],
  };
}

/** The database as its container; `fields` replaces parts of the service. */
function inContainer(project: string, fields: Partial<Service> = {}): Database {
  const container = { id: 'c1', running: true };
  const services = database.services.map((one) => ({ ...one, container, ...fields }));
  return { source: { kind: 'container', id: 'c1', name: 'shop-db-1', files: [], project }, services };
}

it('finds the container of a service by project and name', () => {
  const found = onEngine(database, [inContainer('other'), inContainer('shop')], FAKE_PASSPORT);
  expect(found.services[0]?.container).toEqual({ id: 'c1', running: true });
  expect(onEngine(database, [inContainer('other')], FAKE_PASSPORT).services[0]?.container).toBeNull();
});

it('takes the options of an image that starts itself from its container', async () => {
  const image = 'ddev/ddev-dbserver-mariadb-11.8:v1.25.0-shop-built';
  const ddev = await databaseOf({ image });
  const own = { official: { image: 'mariadb:11.8', isAlways: true }, options: ['--max-connections=9'] };
  const [service] = onEngine(ddev, [inContainer('shop', { image, ...own })], FAKE_PASSPORT).services;
  expect(service).toMatchObject({ ...own, refusal: null });
});

it('says first that a platform is emulated', () => {
  expect(onEngine(database, [], FAKE_PASSPORT).services[0]?.warnings[0]?.code).toBe('notice.imageEmulated');
  expect(onEngine(database, [], makePassport({ architecture: 'aarch64' })).services[0]?.warnings).toEqual([]);
});

it('takes the driver of a volume that was made outside Compose from its container', async () => {
  const outside = await databaseOf(
    { volumes: [{ type: 'volume', source: 'outside', target: '/var/lib/mysql' }] },
    { volumes: { outside: { name: 'outside', external: true } } },
  );
  expect(outside.services[0]?.warnings.map(({ code }) => code)).toEqual(['compose.externalVolume']);
  const storage = storageOf('tmpfs', { driver: 'local' });
  const [found] = onEngine(outside, [inContainer('shop', { storage })], FAKE_PASSPORT).services;
  expect(found).toMatchObject({ storage: { kind: 'tmpfs', driver: 'local' }, warnings: [] });
});

it('believes an image that is there, and a container, over a name', async () => {
  const acme = await databaseOf({ image: 'acme/mysql:1' });
  const flavorsOf = ({ services }: Database) => services.map(({ flavor }) => flavor);
  const runtime = new FakeRuntime();
  expect(flavorsOf(await flavored(acme, runtime))).toEqual(['mysql']);
  runtime.addImage('acme/mysql:1', { env: { MARIADB_VERSION: '1:11.4.2+maria~ubu2404' } });
  expect(flavorsOf(await flavored(acme, runtime))).toEqual(['mariadb']);
  const there = inContainer('shop', { flavor: 'percona' });
  expect(flavorsOf(onEngine(acme, [there], FAKE_PASSPORT))).toEqual(['percona']);
});
