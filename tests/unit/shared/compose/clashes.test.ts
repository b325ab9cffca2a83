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
  const on = (...volumes: object[]) => ({ volumes });
  const folder = { type: 'bind', source: '/srv/db', target: '/var/lib/mysql' };
  const at = (published?: string, host_ip?: string, target = 3306) => ({
    ports: [{ target, published, host_ip }],
  });

  it.each<[told: string, a: object, b: object]>([
    ['sameData b (compose.yaml:7)', on(volume('data')), on(volume('data'))],
    ['sameData b (compose.yaml:7)', on(folder), on(folder)],
    ['', on(volume('data')), on(volume('other'))],
    ['', {}, {}],
    ['', on(volume('data')), { ...on(volume('data')), command: ['--datadir=/var/lib/mysql/b'] }],
    ['samePort b (compose.yaml:7)', at('3306'), at('3306')],
    ['samePort b (compose.yaml:7)', at('3306', '127.0.0.1'), at('3306', '0.0.0.0', 33_060)],
    ['', at('3306', '127.0.0.1'), at('3306', '127.0.0.2')],
    ['', at('3306'), at('3307')],
    ['', at(), at()],
  ])('are told %j: %j and %j', async (told, a, b) => {
    const all = await toldOf({ a: { ...MYSQL, ...a }, b: { image: 'mysql:5.7', ...b } });
    expect(all['a']?.join()).toBe(told);
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
  const bind = (target: string) => ({ type: 'bind', source: '/a', target });

  it.each<[isTold: boolean, mount: { target: string }, more?: object]>([
    [true, volume('data', '/var/lib/postgresql/data')],
    [true, volume('data', '/data')],
    [true, bind('/var/lib/mysqldata')],
    [true, volume('data'), { command: ['--datadir=/srv/mysql'] }],
    [false, volume('data')],
    [false, volume('data', '/var/lib')],
    [false, volume('data', '/var/log/mysql')],
    [false, volume('data', '/backups')],
    [false, bind('/docker-entrypoint-initdb.d')],
    [false, bind('/data/seed.sql')],
    [false, bind('/app')],
  ])('is told of, %j: %j %j', async (isTold, mount, more = {}) => {
    const told = isTold ? [`emptyMount ${mount.target} (compose.yaml:7)`] : [];
    expect(await toldOf({ db: { ...MYSQL, ...more, volumes: [mount] } })).toEqual({ db: told });
  });

  it('is not told of without a name, or where the data has its own', async () => {
    const unnamed = { ...MYSQL, volumes: [{ type: 'volume', target: '/data' }] };
    const own = { ...MYSQL, volumes: [volume('data'), volume('other', '/data')] };
    expect(await toldOf({ unnamed, own })).toEqual({ unnamed: [], own: [] });
  });
});
