import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { LocalImage, VolumeFacts } from '../../../../src/benchmark/runtime/container-runtime.ts';
import { tarOf } from '../../../../src/benchmark/runtime/engine/tar.ts';
import { NAME_LABEL } from '../../../../src/benchmark/runtime/labels.ts';
import { hostPath } from '../../../../src/benchmark/database/container-places.ts';
import {
  describeContainer,
  findDatabases,
  databaseOfContainer,
  type ContainerSurroundings,
} from '../../../../src/benchmark/database/container-databases.ts';
import { databaseSchema, type DatabaseService } from '../../../../src/shared/model/database.ts';
import { FAKE_PASSPORT, FakeRuntime } from '../../fake-runtime.ts';
import { CONTAINER_ID, examined, IMAGE_ID, inspectAnswer, listed, SECRET } from './inspected.ts';

const MYSQL: LocalImage = {
  id: IMAGE_ID,
  references: ['mysql:8.4'],
  labels: {},
  env: { MYSQL_VERSION: '8.4.6-1.el9' },
  architecture: 'amd64',
  bytes: 1,
};

function around(fields: Partial<ContainerSurroundings> = {}): ContainerSurroundings {
  return {
    image: MYSQL,
    namedImageId: IMAGE_ID,
    volumes: new Map<string, VolumeFacts>(),
    others: [],
    passport: FAKE_PASSPORT,
    platform: 'linux',
    exists: () => true,
    optionTexts: [],
    ...fields,
  };
}

function service(
  fields: Parameters<typeof inspectAnswer>[0] = {},
  surroundings: Partial<ContainerSurroundings> = {},
): DatabaseService {
  const [only] = describeContainer(examined(fields), around(surroundings)).services;
  if (only === undefined) throw new Error('a service was expected');
  return only;
}

const codes = ({ warnings }: DatabaseService): string[] => warnings.map(({ code }) => code);

const bind = (Source: string, Destination = '/var/lib/mysql') => ({
  ...{ Type: 'bind', Source, Destination, Mode: 'rw', RW: true },
});
const volume = (Name: string) => ({
  ...{ Type: 'volume', Name, Source: `/v/${Name}/_data`, Destination: '/var/lib/mysql', Driver: 'local' },
});

describe('the storage of a container', () => {
  it.each([
    ['a named volume', [volume('shop_db')], {}, 'named-volume', 'shop_db'],
    ['a volume without a name', [volume('f0'.repeat(32))], {}, 'anonymous-volume', null],
    ['a folder', [bind('/srv/shop/data')], {}, 'bind-mount', '/srv/shop/data'],
    ['nothing', [], {}, 'container-layer', null],
    ['memory', [], { Tmpfs: { '/var/lib/mysql': 'rw,size=512m' } }, 'tmpfs', null],
    ['a folder above the data', [bind('/srv/lib', '/var/lib')], {}, 'bind-mount', '/srv/lib'],
    ['another container', [volume('e1'.repeat(32))], { VolumesFrom: ['data'] }, 'data-container', null],
  ])('is %s', (_, Mounts, HostConfig, kind, place) => {
    expect(service({ Mounts, HostConfig }).storage).toMatchObject({ kind, place, spec: { kind } });
  });

  it('is what holds the datadir of its command', () => {
    const { storage } = service({
      Config: { Cmd: ['mysqld', '--datadir=/data/mysql/'] },
      Mounts: [volume('unused'), { ...bind('/srv/db'), Destination: '/data' }],
    });
    expect(storage).toMatchObject({ kind: 'bind-mount', place: '/srv/db', datadir: '/data/mysql' });
  });

  const withOptions = (options: Record<string, string>): DatabaseService =>
    service(
      { Mounts: [volume('shop_db')] },
      { volumes: new Map([['shop_db', { driver: 'local', options }]]) },
    );

  it('is what a volume’s options mount', () => {
    const { storage } = withOptions({ type: 'nfs', o: 'addr=nas,nfsvers=4.1,nolock', device: ':/db' });
    const nfs = { address: 'nas', path: '/db', version: '4.1', soft: false, lock: false };
    expect(storage.spec).toEqual({ kind: 'nfs', nfs });
  });

  it('is refused for a login in the options', () => {
    const o = `addr=nas,username=ada,password=${SECRET}`;
    const share = withOptions({ type: 'cifs', o, device: '//nas/db' });
    expect([share.refusal?.code, share.storage.spec]).toEqual(['compose.volumeOptions', null]);
    expect(JSON.stringify(share)).not.toContain(SECRET);
  });

  it.each([
    ['darwin', '/host_mnt/Users/ada/shop/data', '/Users/ada/shop/data'],
    ['win32', '/run/desktop/mnt/host/c/Users/ada/shop', 'C:\\Users\\ada\\shop'],
    ['win32', '/host_mnt/d/shop', 'D:\\shop'],
    ['win32', '/c/Users/ada', 'C:\\Users\\ada'],
    ['win32', '\\\\wsl.localhost\\Debian\\home\\ada', '\\\\wsl.localhost\\Debian\\home\\ada'],
    ['linux', '/host_mnt/Users/ada', '/host_mnt/Users/ada'],
  ] as const)('on %s is the machine’s own folder for %s', (platform, source, expected) => {
    expect(hostPath(source, platform)).toBe(expected);
  });
});

describe('the network paths of a container', () => {
  const published = { '3306/tcp': [{ HostIp: '0.0.0.0', HostPort: '3307' }] };
  const unfixed = { '3306/tcp': [{ HostPort: '' }] };
  const project = { 'com.docker.compose.project': 'shop', 'com.docker.compose.service': 'db' };
  const app = { 'com.docker.compose.project': 'shop', 'com.docker.compose.service': 'app' };

  it('begin with the project’s application, and end with the host', () => {
    const { path, otherPaths, name } = service(
      { Config: { Labels: project }, HostConfig: { PortBindings: published } },
      { others: [listed('tool'), listed('shop-app-1', { labels: app })] },
    );
    expect(name).toBe('db');
    expect([path, ...otherPaths].map(({ kind, client, port }) => [kind, client, port])).toEqual([
      ['user-bridge', 'app', null],
      ['user-bridge', 'tool', null],
      ['published-port', null, 3307],
    ]);
  });

  it.each([
    ['a published port', { NetworkMode: 'bridge', PortBindings: published }, 'published-port', 3307],
    ['a port that the engine chooses', { PortBindings: unfixed }, 'published-port', null],
    ['the host’s network', { NetworkMode: 'host' }, 'host-network', 3306],
    ['no network', { NetworkMode: 'none' }, 'unix-socket', null],
    ['another container’s network', { NetworkMode: `container:${'a1'.repeat(32)}` }, 'shared-netns', null],
    ['its own network only', {}, 'user-bridge', null],
  ])('are %s', (_, HostConfig, kind, port) => {
    expect(service({ HostConfig }).path).toMatchObject({ kind, port, client: null });
  });

  it('are its address on Docker’s own bridge, and another port where its command says so', () => {
    const NetworkSettings = { Ports: {}, Networks: { bridge: {} } };
    const alone = service({ HostConfig: { NetworkMode: 'bridge' }, NetworkSettings });
    expect(alone.path.kind).toBe('container-ip');
    const { path } = service({
      Config: { Cmd: ['--port', '3310'] },
      HostConfig: { PortBindings: { '3310/tcp': [{ HostPort: '3310' }], ...published } },
    });
    expect(path).toMatchObject({ kind: 'published-port', port: 3310 });
  });

  it('leave out Whalemark’s own containers, and those of other networks, unless they share its own', () => {
    const others = [
      listed('whalemark-client', { labels: { [NAME_LABEL]: 'whalemark-client' } }),
      listed('elsewhere', { networks: ['other'] }),
      listed('itself', { id: CONTAINER_ID }),
    ];
    const { path, otherPaths } = service({ HostConfig: { PortBindings: published } }, { others });
    expect([path.kind, otherPaths]).toEqual(['published-port', []]);
    const inside = listed('sidecar', { networkMode: `container:${CONTAINER_ID}`, networks: [] });
    expect(service({}, { others: [inside] }).path).toMatchObject({ kind: 'shared-netns', client: 'sidecar' });
  });
});

describe('a container', () => {
  it('says its options, limits, and files, and no value of its environment', () => {
    const database = describeContainer(
      examined({
        Config: {
          Cmd: [
            'mysqld',
            '--innodb-buffer-pool-size=1G',
            '--max-connections',
            '500',
            `--init-connect=${SECRET}`,
          ],
          Labels: {
            'com.docker.compose.project': 'shop',
            'com.docker.compose.service': 'db',
            'com.docker.compose.project.config_files':
              '/srv/shop/compose.yaml,/srv/shop/compose.override.yaml',
            'com.docker.compose.project.working_dir': '/srv/shop',
          },
        },
        HostConfig: { CpuQuota: 150_000, CpuPeriod: 100_000, Memory: 512 * 2 ** 20 },
        Mounts: [bind('/srv/shop/my.cnf', '/etc/my.cnf')],
      }),
      around({ optionTexts: [{ path: '/etc/my.cnf', text: '[mysqld]\nsync_binlog=0\n' }] }),
    );
    expect(databaseSchema.parse(database)).toEqual(database);
    expect(JSON.stringify(database)).not.toContain(SECRET);
    expect(database.source).toEqual({
      kind: 'container',
      id: CONTAINER_ID,
      name: 'shop-db-1',
      files: ['/srv/shop/compose.yaml', '/srv/shop/compose.override.yaml'],
      project: 'shop',
    });
    expect(database.services[0]).toMatchObject({
      flavor: 'mysql',
      image: 'mysql:8.4',
      options: ['--sync_binlog=0', '--innodb-buffer-pool-size=1G', '--max-connections=500'],
      limits: { cpus: 1.5, memoryMiB: 512 },
      configFiles: ['/etc/my.cnf'],
      container: { id: CONTAINER_ID, running: true },
      platform: null,
      refusal: null,
      warnings: [{ code: 'compose.droppedOption' }],
    });
  });

  it('that starts in its own way is read with the options of its files', async () => {
    const runtime = new FakeRuntime();
    const image = 'bitnami/mysql:8.0.40-debian-12-r4';
    const { id } = runtime.addImage(image, { env: { APP_VERSION: '8.0.40' } });
    const one = listed('shop-db-1', { imageId: id });
    const custom = '/opt/bitnami/mysql/conf/my_custom.cnf';
    const inspected = inspectAnswer({
      ...{ Id: one.id, Image: id, Config: { Image: image, Cmd: ['/opt/bitnami/scripts/mysql/run.sh'] } },
      Mounts: [bind('/srv/shop/data', '/bitnami/mysql'), bind('/srv/shop/my.cnf', custom)],
    });
    runtime.others.push({ listed: one, inspected });
    const texts: Record<string, string> = {
      '/opt/bitnami/mysql/conf/my.cnf': '[mysqld]\nmax_connections = 9\nplugin_dir = /opt\n',
      [custom]: `[mysqld]\nsort_buffer_size = 1M\ninit_connect = ${SECRET}\n`,
    };
    runtime.containers.getArchive = async (_, path) => {
      const text = texts[path];
      if (text === undefined) throw new Error('no such file');
      return Readable.from([await tarOf({ [posix.basename(path)]: text })]);
    };
    const [found] = await findDatabases(runtime);
    expect(JSON.stringify(found)).not.toContain(SECRET);
    expect(found?.services[0]).toMatchObject({
      flavor: 'mysql',
      official: { image: 'mysql:8.0.40', isAlways: true },
      options: ['--max_connections=9', '--sort_buffer_size=1M'],
      configFiles: ['/opt/bitnami/mysql/conf/my.cnf', custom],
      storage: { kind: 'bind-mount', place: '/srv/shop/data', datadir: '/bitnami/mysql/data' },
      warnings: [{ code: 'compose.ownStartRead' }, { code: 'yourDatabase.leftOut' }],
      refusal: null,
    });
  });

  it('of another processor, or whose tag means another image by now, says so', () => {
    const emulated = service({}, { image: { ...MYSQL, architecture: 'arm64' } });
    expect([emulated.platform, ...codes(emulated)]).toEqual(['linux/arm64', 'notice.imageEmulated']);
    const moved = service({}, { namedImageId: 'sha256:new' });
    expect([moved.image, ...codes(moved)]).toEqual([IMAGE_ID, 'yourDatabase.movedTag']);
  });

  it('warns of a script, of chosen CPUs, and of Compose files that are gone', () => {
    const odd = service(
      {
        Config: { Cmd: ['sh', '-c', 'exec mysqld'], Labels: { 'com.docker.compose.project': 'shop' } },
        HostConfig: { CpusetCpus: '0-1' },
      },
      { exists: () => false },
    );
    expect(codes(odd)).toEqual(['compose.otherProgram', 'yourDatabase.cpuset', 'yourDatabase.filesGone']);
    expect(odd.options).toEqual([]);
  });
});

describe('the databases of an engine', () => {
  function engine(): FakeRuntime {
    const runtime = new FakeRuntime();
    runtime.imagesMade.push(MYSQL);
    const web = runtime.addImage('nginx:1', { id: 'sha256:web' });
    const add = (name: string, fields: Parameters<typeof listed>[1], inspected: object): void => {
      const one = listed(name, fields);
      runtime.others.push({
        listed: one,
        inspected: inspectAnswer({ Id: one.id, Name: `/${name}`, ...inspected }),
      });
    };
    add('shop-db-1', {}, {});
    add('old-db', { running: false }, { State: { Running: false } });
    add('web', { imageId: web.id }, { Image: web.id, Config: { Image: 'nginx:1' } });
    add('whalemark-s1', { labels: { [NAME_LABEL]: 'whalemark-s1' } }, {});
    add('whalemark-s2.1.x', { labels: { [NAME_LABEL]: 'whalemark-s2' } }, {});
    add('db-of-a-committed-image', { labels: { [NAME_LABEL]: 'whalemark-s1' } }, {});
    return runtime;
  }

  it('are the databases, running or not, without Whalemark’s own', async () => {
    const databases = await findDatabases(engine());
    expect(databases.map(({ source }) => source.kind === 'container' && source.name)).toEqual([
      'shop-db-1',
      'old-db',
      'db-of-a-committed-image',
    ]);
    expect(databases.map(({ services }) => services[0]?.container?.running)).toEqual([true, false, true]);
  });

  it('are found by name or ID, whatever the container is; undefined without one', async () => {
    const runtime = engine();
    expect((await databaseOfContainer(runtime, 'id-of-old-db'))?.source).toMatchObject({ name: 'old-db' });
    expect((await databaseOfContainer(runtime, 'web'))?.services[0]?.refusal?.code).toBe(
      'yourDatabase.noDatabase',
    );
    expect(await databaseOfContainer(runtime, 'none')).toBeUndefined();
  });
});
