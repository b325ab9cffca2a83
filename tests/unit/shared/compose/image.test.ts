import { describe, expect, it } from 'vitest';
import { requestedServer, serverImage } from '../../../../src/shared/compose/image.ts';

describe('the server of an image', () => {
  it.each<[image: string, official: string | null | undefined]>([
    ['acme/mysql:mariadb-10.11-0.4', 'mariadb:10.11'],
    ['acme/mysql:percona-8.0-0.21', 'percona/percona-server:8.0'],
    ['acme/mariadb:mysql-8.4', 'mysql:8.4'],
    ['acme/mysql:v2-mariadb10.6', 'mariadb:10.6'],
    ['acme/db:mariadb_11.4', 'mariadb:11.4'],
    ['acme/mysql:mysql-5.7-0.21', 'mysql:5.7'],
    ['acme/mysql:mariadb', 'mariadb'],
    // The suffix of a tag may name a tool.
    ['acme/mysql:8.0-mariadb-client', 'mysql:8.0'],
    ['acme/mysql:8.4.2', 'mysql:8.4.2'],
    ['acme/app:mysql-8.4', undefined],
    ['acme/db:8.4', undefined],
    ['mysql:8.4', null],
  ])('%s is that of %s', (image, official) => expect(serverImage(image)?.official).toBe(official));

  it('has the version that its tag names', () => {
    const requested = { flavor: 'mariadb', version: '10.11-0.4' };
    expect(requestedServer('acme/mysql:mariadb-10.11-0.4')).toEqual(requested);
    expect(requestedServer('docker.io/mysql:8.4-oracle')).toEqual({ flavor: 'mysql', version: '8.4-oracle' });
  });
});
