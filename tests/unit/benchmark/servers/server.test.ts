import { describe, expect, it } from 'vitest';
import { fileSystemOf } from '../../../../src/benchmark/servers/storage/mount-info.ts';
import { readyPort } from '../../../../src/benchmark/servers/server-log.ts';
import { initialization, startEnv } from '../../../../src/benchmark/servers/server-options.ts';

describe('environment of official images', () => {
  const account = { rootPassword: 'r', database: 'sbtest', user: 'whalemark', password: 'p' };

  it('keeps Percona from calling home at every start, not only the first', () => {
    expect(startEnv('percona')).toEqual({ PERCONA_TELEMETRY_DISABLE: '1' });
    expect(initialization('percona', account).env).toMatchObject({
      MYSQL_USER: 'whalemark',
      ...startEnv('percona'),
    });
    expect(startEnv('mysql')).toEqual({});
  });
});

describe('server log', () => {
  it.each([
    [
      "2026-01-01T00:00:00Z 0 [System] [MY-010931] [Server] /usr/sbin/mysqld: ready for connections. Version: '8.4.10'  socket: '/var/run/mysqld/mysqld.sock'  port: 3306  MySQL Community Server - GPL.",
      3306,
    ],
    [
      "Version: '11.8.6-MariaDB-ubu2404'  socket: '/run/mysqld/mysqld.sock'  port: 3306  mariadb.org binary",
      3306,
    ],
    [
      "mysqld: ready for connections. Version: '8.4.10'  socket: '/var/run/mysqld/mysqld.sock'  port: 0  MySQL",
      0,
    ],
    [
      "X Plugin ready for connections. Bind-address: '::' port: 33060, socket: /var/run/mysqld/mysqlx.sock",
      undefined,
    ],
    ['mariadbd: ready for connections.', undefined],
  ])('%s', (line, port) => {
    expect(readyPort(line)).toBe(port);
  });

  it('finds the mount that really holds the datadir', () => {
    const mounts = [
      '22 1 0:21 / / rw,relatime - overlay overlay rw,lowerdir=x',
      '30 22 0:25 / /proc rw - proc proc rw',
      '40 22 254:0 /docker/volumes/v/_data /var/lib/mysql rw,relatime - ext4 /dev/vda rw',
    ].join('\n');
    expect(fileSystemOf(mounts, '/var/lib/mysql')).toBe('ext4');
    expect(fileSystemOf(mounts, '/var/lib/mysql/sbtest')).toBe('ext4');
    expect(fileSystemOf(mounts, '/var/lib/mysql-files')).toBe('overlay');
    expect(fileSystemOf(mounts, '/srv/mysql')).toBe('overlay');
    expect(fileSystemOf('', '/srv')).toBeUndefined();
  });
});
