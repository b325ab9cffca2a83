import { describe, expect, it } from 'vitest';
import { mayMakeSchemas, parseDsn, probeExternal } from '../../../../src/benchmark/servers/external-probe.ts';
import { freePort } from '../../../../src/benchmark/servers/start/container-servers.ts';

describe('DSN', () => {
  it.each([
    ['mysql://me:pw@db.example', { host: 'db.example', port: 3306, user: 'me', password: 'pw' }],
    [
      'mariadb://m%40e:p%2Fw%3A@10.0.0.1:3310/',
      { host: '10.0.0.1', port: 3310, user: 'm@e', password: 'p/w:' },
    ],
    ['mysql://me@[::1]:3307', { host: '::1', port: 3307, user: 'me', password: '' }],
  ])('%s', (dsn, target) => expect(parseDsn(dsn)).toEqual(target));

  it.each([
    'postgres://me:hush@db',
    'mysql://me:hush%zz@db',
    'mysql://:hush@db',
    'mysql://me:hush@db/shop',
    'mysql://me:hush@db?ssl=1',
    'mysql://me:hush@db:99999',
    'me:hush@db',
  ])('refuses %s without quoting it', (dsn) => {
    const answer = parseDsn(dsn);
    expect(answer).toHaveProperty('reason');
    expect(JSON.stringify(answer)).not.toContain('hush');
  });
});

describe('grants', () => {
  it.each([
    ["GRANT ALL PRIVILEGES ON *.* TO 'a'@'%'", true],
    ['GRANT SELECT, INSERT, CREATE, DROP ON *.* TO `a`@`%`', true],
    ['GRANT ALL PRIVILEGES ON `whalemark\\_%`.* TO `a`@`%`', true],
    ['GRANT CREATE USER, CREATE VIEW ON *.* TO `a`@`%`', false],
    ['GRANT USAGE ON *.* TO `a`@`%`', false],
    ['GRANT ALL PRIVILEGES ON `shop`.* TO `a`@`%`', false],
  ])('%s: %s', (grant, may) => expect(mayMakeSchemas(grant)).toBe(may));
});

describe('probe', () => {
  it('says that nothing is named, and that nothing answers', async () => {
    expect(await probeExternal(undefined)).toMatchObject({ reason: { code: 'external.unnamed' } });
    const found = await probeExternal(`mysql://me:hush@127.0.0.1:${await freePort()}`);
    expect(found).toMatchObject({ reason: { text: expect.stringContaining('ECONNREFUSED') } });
    expect(JSON.stringify(found)).not.toContain('hush');
  });
});
