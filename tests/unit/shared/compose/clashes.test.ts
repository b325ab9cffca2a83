import { describe, expect, it } from 'vitest';
import { databasesIn } from '../../../../src/shared/compose/service.ts';
import { resolved } from './resolved.ts';

const MYSQL = { image: 'mysql:8.4' };
const volume = (source: string, target = '/var/lib/mysql') => ({ type: 'volume', source, target });

async function toldOf(services: Record<string, object>): Promise<Record<string, string[]>> {
  const around = resolved(services, { volumes: { data: {}, other: {} } });
  const read = await databasesIn({ ...around, locate: () => ({ file: '/work/compose.yaml', line: 7 }) });
  const codes = ['compose.sameData', 'compose.samePort', 'compose.emptyMount'];
  return Object.fromEntries(
    read.map(({ name, warnings }) => [
      name,
      warnings
        .filter(({ code }) => codes.includes(code))
        .map(({ code, params }) =>
          [code.replace('compose.', ''), params?.['other'] ?? params?.['target']].join(' '),
        ),
    ]),
  );
}

describe('services that can’t run at the same time', () => {
  it.each<[told: string[], a: object, b: object]>([
    [['sameData b (compose.yaml:7)'], { volumes: [volume('data')] }, { volumes: [volume('data')] }],
    [[], { volumes: [volume('data')] }, { volumes: [volume('other')] }],
    [[], {}, {}],
    [
      [],
      { volumes: [volume('data')] },
      { volumes: [volume('data')], command: ['--datadir=/var/lib/mysql/b'] },
    ],
    [
      ['sameData b (compose.yaml:7)'],
      { volumes: [{ type: 'bind', source: '/srv/db', target: '/var/lib/mysql' }] },
      { volumes: [{ type: 'bind', source: '/srv/db', target: '/var/lib/mysql' }] },
    ],
    [
      ['samePort b (compose.yaml:7)'],
      { ports: [{ target: 3306, published: '3306' }] },
      { ports: [{ target: 3306, published: '3306', protocol: 'tcp' }] },
    ],
    [
      ['samePort b (compose.yaml:7)'],
      { ports: [{ target: 3306, published: '3306', host_ip: '127.0.0.1' }] },
      { ports: [{ target: 33060, published: '3306', host_ip: '0.0.0.0' }] },
    ],
    [
      [],
      { ports: [{ target: 3306, published: '3306', host_ip: '127.0.0.1' }] },
      { ports: [{ target: 3306, published: '3306', host_ip: '127.0.0.2' }] },
    ],
    [[], { ports: [{ target: 3306, published: '3306' }] }, { ports: [{ target: 3306, published: '3307' }] }],
    [[], { ports: [{ target: 3306 }] }, { ports: [{ target: 3306 }] }],
  ])('%j: %j and %j', async (told, a, b) => {
    expect((await toldOf({ a: { ...MYSQL, ...a }, b: { image: 'mysql:5.7', ...b } }))['a']).toEqual(told);
  });

  it('may be no databases', async () => {
    const ports = [{ target: 80, published: '3306' }];
    const db = { ...MYSQL, ports: [{ target: 3306, published: '3306' }] };
    expect(await toldOf({ db, web: { image: 'nginx', ports } })).toEqual({
      db: ['samePort web (compose.yaml:7)'],
    });
  });
});

describe('a mount that holds no data', () => {
  it.each<[told: string[], mount: object]>([
    [['emptyMount /var/lib/postgresql/data (compose.yaml:7)'], volume('data', '/var/lib/postgresql/data')],
    [['emptyMount /data (compose.yaml:7)'], volume('data', '/data')],
    [
      ['emptyMount /var/lib/mysqldata (compose.yaml:7)'],
      { type: 'bind', source: '/a', target: '/var/lib/mysqldata' },
    ],
    [[], volume('data')],
    [[], volume('data', '/var/lib')],
    [[], volume('data', '/var/log/mysql')],
    [[], volume('data', '/backups')],
    [[], { type: 'bind', source: '/a', target: '/docker-entrypoint-initdb.d' }],
    [[], { type: 'bind', source: '/a/seed.sql', target: '/data/seed.sql' }],
    [[], { type: 'bind', source: '/a', target: '/app' }],
    [[], { type: 'volume', target: '/data' }],
  ])('%j: %j', async (told, mount) => {
    expect(await toldOf({ db: { ...MYSQL, volumes: [mount] } })).toEqual({ db: told });
  });

  it('is one beside a data directory elsewhere', async () => {
    const db = { ...MYSQL, command: ['--datadir=/srv/mysql'], volumes: [volume('data')] };
    expect(await toldOf({ db })).toEqual({ db: ['emptyMount /var/lib/mysql (compose.yaml:7)'] });
  });

  it('is none where the data has its own', async () => {
    const db = { ...MYSQL, volumes: [volume('data'), volume('other', '/data')] };
    expect(await toldOf({ db })).toEqual({ db: [] });
  });
});
