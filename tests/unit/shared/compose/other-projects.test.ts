import { describe, expect, it } from 'vitest';
import { composeFileOf } from '../../../../src/shared/compose/other-projects.ts';

const CONFIG =
  'name: shop\ndatabase:\n  type: mariadb\n  version: "10.11"\nomit_containers: [ddev-ssh-agent]\n';

describe('the configuration of DDEV', () => {
  const db = (fields: object) => ({ services: { db: fields } });

  it.each<[over: string[], expected: object]>([
    [['{ broken'], { name: 'ddev-shop', ...db({ image: 'ddev/ddev-dbserver-mariadb-10.11' }) }],
    [['database: { type: mysql, version: "8.4" }'], db({ image: 'ddev/ddev-dbserver-mysql-8.4' })],
    [['database: { version: "11.4" }'], db({ image: 'ddev/ddev-dbserver-mariadb-11.4' })],
    [['name: a', 'name: b\nhost_db_port: 3307'], db({ ports: ['127.0.0.1:3307:3306'] })],
    [['name: a', 'name: b'], { name: 'ddev-b', volumes: { database: { name: 'b-mariadb' } } }],
  ])('is overridden by %j', (over, expected) => {
    expect(composeFileOf('/p/.ddev/config.yaml', CONFIG, over)).toMatchObject(expected);
  });

  it.each([
    [['omit_containers: [db]\n'], ['web']],
    [['omit_containers: [db]\n', 'omit_containers: []\n'], ['web']],
    [
      ['omit_containers: [db]\n', 'override_config: true\nomit_containers: []\n'],
      ['db', 'web'],
    ],
  ])('adds to its lists, unless one overrides: %j', (over, services) => {
    const read = composeFileOf('/p/.ddev/config.yaml', CONFIG, over);
    expect(Object.keys(read?.services ?? {})).toEqual(services);
  });
});
