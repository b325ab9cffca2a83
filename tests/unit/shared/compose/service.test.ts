import { describe, expect, it } from 'vitest';
import { databasesIn, noDatabase } from '../../../../src/shared/compose/service.ts';
import { firstDatabase, resolved } from './resolved.ts';

const MYSQL = { image: 'mysql:8.4' };
const DATADIR = '/var/lib/mysql';

const mount = (type: string, more: object = {}) => ({ type, target: DATADIR, ...more });

const databaseOf = (service: object, rest: object = {}) =>
  firstDatabase(resolved({ db: { ...MYSQL, ...service } }, rest));

describe('the storage of a service', () => {
  const volumes = { data: { name: 'shop_data' } };
  const above = mount('bind', { source: '/srv/all', target: '/var/lib' });

  it.each<[kind: string, place: string | null, service: object]>([
    ['anonymous-volume', null, { volumes: [mount('volume', { source: '' })] }],
    ['named-volume', 'shop_data', { volumes: [mount('volume', { source: 'data' })] }],
    ['bind-mount', '/srv/data', { volumes: [above, mount('bind', { source: '/srv/data' })] }],
    ['tmpfs', null, { volumes: [mount('tmpfs', { tmpfs: { size: '1073741824' } })] }],
    ['tmpfs', null, { tmpfs: [`${DATADIR}:size=512m`] }],
    ['container-layer', null, { command: ['--datadir=/srv/mysql'] }],
    ['data-container', null, { volumes_from: ['data'] }],
  ])('is %s in %j with %o', async (kind, place, service) => {
    expect((await databaseOf(service, { volumes })).storage).toMatchObject({ kind, place });
  });
});

describe('who uses a database', () => {
  const pathOf = async (clients: Record<string, object>, db: object = {}) =>
    (await firstDatabase(resolved({ db: { ...MYSQL, ...db }, ...clients }))).path;

  it.each([
    { depends_on: { db: { condition: 'service_started' } } },
    { links: ['db:mysql'] },
    { environment: { DSN: 'mysql://user:secret@db:3306/shop' } },
  ])('is found by %o', async (client) => {
    expect(await pathOf({ app: { image: 'app', ...client } })).toMatchObject({
      kind: 'user-bridge',
      client: 'app',
    });
  });

  it('comes before programs of the host, and these before tools', async () => {
    const depends_on = { db: {} };
    const ports = [{ target: 3306, published: '3307', protocol: 'tcp' }];
    const tool = { image: 'phpmyadmin', depends_on };
    expect(await pathOf({ app: { image: 'app', depends_on }, tool }, { ports })).toMatchObject({
      client: 'app',
    });
    expect(await pathOf({ tool }, { ports })).toMatchObject({ kind: 'published-port', port: 3307 });
  });

  it('is no service that only has the server’s own variables', async () => {
    const environment = { DB_HOST: 'db' };
    const path = await pathOf(
      { cache: { image: 'redis', environment } },
      { environment, ports: [{ target: 3306 }] },
    );
    expect(path).toMatchObject({ kind: 'published-port', port: null });
  });
});

describe('what a service says', () => {
  it('keeps options with a variable only if their value can’t be a secret', async () => {
    const command = ['--innodb-buffer-pool-size=1G', '--default-time-zone=canary', '--max-connections=9'];
    const db = { ...MYSQL, command };
    const written = {
      command: ['--innodb-buffer-pool-size=${POOL}', '--default-time-zone=${TZ}', '--max-connections=9'],
    };
    const { options, warnings } = await firstDatabase(resolved({ db }, {}, written));
    expect(options).toEqual(['--innodb-buffer-pool-size=1G', '--max-connections=9']);
    expect(warnings.map(({ code }) => code)).toContain('compose.variableOption');
    expect(JSON.stringify(warnings)).not.toContain('canary');
  });

  it('shows no image that a secret names', async () => {
    const around = resolved(
      { db: { ...MYSQL, image: 'mysql:canary' } },
      {},
      { image: 'mysql:${DB_PASSWORD}' },
    );
    const database = await firstDatabase(around);
    expect(database.refusal?.code).toBe('compose.secretImage');
    expect(JSON.stringify(database)).not.toContain('canary');
  });

  it('has limits of either form', async () => {
    const limitsOf = async (service: object) => (await databaseOf(service)).limits;
    const limits = { cpus: 2, memory: '1073741824' };
    expect(await limitsOf({ deploy: { resources: { limits } } })).toEqual({ cpus: 2, memoryMiB: 1024 });
    const small = { cpus: 0.5, memoryMiB: 512 };
    expect(await limitsOf({ cpu_quota: 50_000, mem_limit: '536870912' })).toEqual(small);
    expect(await limitsOf({ cpus: 0, mem_limit: '0' })).toEqual({ cpus: null, memoryMiB: null });
  });

  it.each([
    ['compose.notApplied', { ulimits: { nofile: 9 } }],
    ['compose.innerMount', { volumes: [mount('bind', { source: '/a', target: `${DATADIR}/logs` })] }],
    ['compose.otherPort', { ports: [{ target: 9, published: '9' }] }],
    ['compose.entrypoint', { entrypoint: ['/own.sh'], volumes: [mount('bind', { source: '/a' })] }],
  ])('warns of %s', async (code, service) => {
    expect((await databaseOf(service)).warnings).toContainEqual(expect.objectContaining({ code }));
  });

  it.each([
    ['compose.replicas', { deploy: { replicas: 2 } }],
    ['compose.cluster', { image: 'percona/percona-xtradb-cluster:8.0' }],
    ['compose.provider', { provider: { type: 'cloud' } }],
    ['compose.badImage', { image: 'mysql:' }],
    ['compose.control', { volumes: [mount('bind', { source: '/srv/\u001b[2Jdata' })] }],
  ])('is refused for %s', async (code, service) => {
    expect((await databaseOf(service)).refusal?.code).toBe(code);
  });
});

it('takes no dump that runs in a server’s image for a database', async () => {
  expect(await databasesIn(resolved({ dump: { ...MYSQL, command: ['mysqldump', 'shop'] } }))).toEqual([]);
});

it('names services that may be a database after all', () => {
  const environment = { MYSQL_ROOT_PASSWORD: 'canary' };
  const said = noDatabase(resolved({ store: { image: 'acme/store', environment }, web: { image: 'nginx' } }));
  expect(said.map(({ code }) => code)).toEqual(['compose.maybeDatabase', 'compose.noDatabase']);
  expect(said[1]?.text).toMatch(/store \(acme\/store\).*web \(nginx\)/);
  expect(JSON.stringify(said)).not.toContain('canary');
});
