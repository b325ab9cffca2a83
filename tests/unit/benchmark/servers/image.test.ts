import { beforeEach, describe, expect, it } from 'vitest';
import { chooseImage, digestOf, identifyImage } from '../../../../src/benchmark/servers/image.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

describe('identifying an image', () => {
  it.each([
    [{ MYSQL_VERSION: '8.4.10-1.el9' }, { flavor: 'mysql', version: '8.4.10' }],
    [{ MARIADB_VERSION: '1:11.8.6+maria~ubu2404' }, { flavor: 'mariadb', version: '11.8.6' }],
    [{ PS_VERSION: '8.0.36-28.1' }, { flavor: 'percona', version: '8.0.36-28.1' }],
    [{ PATH: '/bin' }, undefined],
  ] as const)('%j', (env, expected) => {
    expect(identifyImage(new FakeRuntime().addImage('x', { env }))).toEqual(expected);
  });
});

describe('the digest of an image', () => {
  const digest = `sha256:${'ab'.repeat(32)}`;
  const other = `sha256:${'cd'.repeat(32)}`;
  it.each([
    ['mysql:8.4', ['mysql:8.4', `mysql@${digest}`], digest],
    ['docker.io/library/mysql:8.4', [`mysql@${digest}`], digest],
    ['mysql:8.4', [`docker.io/library/mysql@${digest}`], digest],
    [`mysql@${digest}`, [`mysql@${digest}`], digest],
    ['localhost:5000/own/mysql', [`mysql@${other}`, `localhost:5000/own/mysql@${digest}`], digest],
    // These images were made here, or are known to another repository alone.
    ['whalemark-test/mysql:debian-sid', ['whalemark-test/mysql:debian-sid'], null],
    ['my/mysql:8.4', [`mysql@${other}`], null],
    // Docker's containerd store and Podman give a digest to what was made here.
    ['test/mysql:sid', ['test/mysql:sid', 'whalemark.invalid/mysql:sid', `test/mysql@${digest}`], null],
    ['test/mysql:sid', ['test/mysql:sid', 'not.invalid.example/mysql:sid', `test/mysql@${digest}`], digest],
  ])('of %s among %j', (used, references, expected) => {
    expect(digestOf(used, { references })).toBe(expected);
  });
});

describe('choosing an image', () => {
  let runtime: FakeRuntime;
  const mysql = (reference: string, MYSQL_VERSION: string) =>
    runtime.addImage(reference, { env: { MYSQL_VERSION } });
  const refuse = (image: string, code: 'REGISTRY_UNREACHABLE' | 'IMAGE_NOT_FOUND', reason: string) =>
    runtime.failing.set(`probeRegistry ${image}`, new BenchmarkError(code, { image, reason, local: '–' }));
  const unreachable = (image: string) => refuse(image, 'REGISTRY_UNREACHABLE', 'no such host');
  beforeEach(() => {
    runtime = new FakeRuntime();
    mysql('old/mysql:8.0', '8.0.40');
    mysql('test/mysql:sid', '9.7.4');
    runtime.addImage('test/mariadb:trixie', { env: { MARIADB_VERSION: '11.8.6' } });
    runtime.addImage('debian:12');
  });

  it('takes the nearest version of the same flavor when the registry is out of reach, and says why', async () => {
    unreachable('mysql:8.4');
    unreachable('mariadb:10.11');
    expect(await chooseImage(runtime, 'mysql:8.4', false)).toMatchObject({
      requested: 'mysql:8.4',
      used: 'old/mysql:8.0',
      substituted: true,
      reason: 'no such host',
    });
    expect((await chooseImage(runtime, 'mariadb:10.11', false)).used).toBe('test/mariadb:trixie');
  });

  it('takes a known image rather than a project’s own, whose version is nearer', async () => {
    unreachable('mysql:8.4');
    mysql('shop/db:1', '8.4.5');
    mysql('mysql:8.0', '8.0.40');
    expect((await chooseImage(runtime, 'mysql:8.4', false)).used).toBe('mysql:8.0');
  });

  it('never takes an image with the data of another run', async () => {
    unreachable('mysql:8.4');
    const tag = 'whalemark-20260601-layer1:data';
    const labels = { 'io.whalemark.image': tag };
    runtime.addImage(tag, { env: { MYSQL_VERSION: '8.4.5' }, labels });
    runtime.addImage('acme/shop-db:1', { env: { MYSQL_VERSION: '8.3.0' }, labels });
    expect((await chooseImage(runtime, 'mysql:8.4', false)).used).toBe('acme/shop-db:1');
  });

  it('replaces an image that the user named only within its major version', async () => {
    unreachable('mysql:9.1');
    unreachable('mysql:5.7');
    expect((await chooseImage(runtime, 'mysql:9.1', true)).used).toBe('test/mysql:sid');
    await expect(chooseImage(runtime, 'mysql:5.7', true)).rejects.toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
      hint: expect.stringContaining('old/mysql:8.0, test/mysql:sid, test/mariadb:trixie') as string,
    });
  });

  it('never replaces what the registry says does not exist, nor what is no server we know', async () => {
    refuse('mysql:nosuch', 'IMAGE_NOT_FOUND', 'manifest unknown');
    unreachable('acme/db:1');
    for (const [reference, namedByUser, code] of [
      ['mysql:nosuch', false, 'IMAGE_NOT_FOUND'],
      ['acme/db:1', false, 'REGISTRY_UNREACHABLE'],
      ['debian:12', true, 'IMAGE_UNKNOWN_FLAVOR'],
    ] as const)
      await expect(chooseImage(runtime, reference, namedByUser)).rejects.toMatchObject({ code });
  });
});
