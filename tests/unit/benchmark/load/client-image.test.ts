import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  CLIENT_BASE,
  clientImageTag,
  ensureClientImage,
  planClientImage,
} from '../../../../src/benchmark/load/client-image.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const files = { Dockerfile: 'FROM ${BASE}' };
const tag = clientImageTag(files);
const offline = new BenchmarkError('REGISTRY_UNREACHABLE', {
  image: CLIENT_BASE,
  reason: 'no such host',
  local: '–',
});

let runtime: FakeRuntime;
beforeEach(() => {
  runtime = new FakeRuntime();
});
const plan = () => planClientImage(runtime, files);
const ensure = () =>
  ensureClientImage(runtime, { files, labels: { l: '1' } }, () => undefined, new AbortController().signal);
const goOffline = (): void => {
  runtime.failing.set(`pullImage ${CLIENT_BASE}`, offline);
  runtime.failing.set(`probeRegistry ${CLIENT_BASE}`, offline);
};

describe('clientImageTag', () => {
  it('changes with names, content and base, and with nothing else', () => {
    expect(tag).toMatch(/^whalemark-client:[0-9a-f]{12}$/);
    expect(clientImageTag({ b: '2', a: '1' })).toBe(clientImageTag({ a: '1', b: '2' }));
    const tags = [
      clientImageTag({ a: '1', b: '2' }),
      clientImageTag({ a: '1', b: '3' }),
      clientImageTag({ a: '1', c: '2' }),
      clientImageTag({ a: '1b', '': '2' }),
      clientImageTag({ a: '1', b: '2' }, 'debian:12'),
    ];
    expect(new Set(tags).size).toBe(tags.length);
  });
});

describe('the client image', () => {
  it('is built on a base that is named by its content', () => {
    expect(CLIENT_BASE).toMatch(/^debian@sha256:[0-9a-f]{64}$/);
  });

  it('is taken from the engine when it is there', async () => {
    runtime.addImage(tag);
    expect(await plan()).toEqual([]);
    expect(await ensure()).toBe(tag);
    expect(runtime.calls.filter((call) => /^(pull|build|probe)/.test(call))).toEqual([]);
  });

  it('is built on a base that is there without asking a registry', async () => {
    runtime.addImage(CLIENT_BASE);
    expect(await plan()).toMatchObject([{ kind: 'build', reference: tag }]);
    expect(await ensure()).toBe(tag);
    expect(runtime.calls.filter((call) => /^(pull|probe)/.test(call))).toEqual([]);
    expect(runtime.imagesMade.find(({ references }) => references.includes(tag))?.labels).toEqual({ l: '1' });
  });

  it('gets its base from the registry', async () => {
    expect(await plan()).toMatchObject([
      { kind: 'pull', reference: CLIENT_BASE },
      { kind: 'build', reference: tag },
    ]);
    expect(await ensure()).toBe(tag);
    expect(runtime.calls).toContain(`pullImage ${CLIENT_BASE}`);
  });

  it('is built on the smallest image that says it is Debian trixie when the registry can’t be reached', async () => {
    goOffline();
    const labels = { 'io.whalemark.base': 'debian-trixie' };
    runtime.addImage('server-made-from-it:1', { labels, bytes: 300 });
    runtime.addImage('our-debian:trixie', { labels, bytes: 100 });
    runtime.addImage('debian:bookworm', { bytes: 10 });
    const standIn = clientImageTag(files, 'our-debian:trixie');
    expect(await plan()).toMatchObject([{ kind: 'build', reference: standIn }]);
    expect(await ensure()).toBe(standIn);
    // And found again, without asking the registry.
    runtime.calls.length = 0;
    expect(await plan()).toEqual([]);
    expect(await ensure()).toBe(standIn);
    expect(runtime.calls.filter((call) => /^(pull|build|probe)/.test(call))).toEqual([]);
  });

  it('is built on another Debian, the newest that is there', async () => {
    goOffline();
    runtime.addImage('debian:bookworm-slim');
    runtime.addImage('debian:13');
    runtime.addImage('mydebian:trixie');
    expect(await ensure()).toBe(clientImageTag(files, 'debian:13'));
  });

  it('is not to be had when there is nothing to build on', async () => {
    goOffline();
    // Its Node can't run the client.
    runtime.addImage('debian:bullseye');
    await expect(plan()).rejects.toBe(offline);
    await expect(ensure()).rejects.toBe(offline);
  });

  it('passes on that the engine is gone or the user stopped it', async () => {
    runtime.addImage('debian:13');
    const stopped = new BenchmarkError('STOPPED');
    runtime.failing.set(`pullImage ${CLIENT_BASE}`, stopped);
    await expect(ensure()).rejects.toBe(stopped);
  });

  it('passes on why it could not be built', async () => {
    runtime.addImage(CLIENT_BASE);
    const failed = new BenchmarkError('IMAGE_BUILD_FAILED', { reason: 'no mirror' });
    runtime.failing.set(`buildImage ${tag}`, failed);
    await expect(ensure()).rejects.toBe(failed);
  });
});

describe('assets/client-image/Dockerfile', () => {
  it('has the base that the code counts on, and no root', () => {
    const text = readFileSync('assets/client-image/Dockerfile', 'utf8');
    expect(text).toContain(`ARG BASE=${CLIENT_BASE}\nFROM \${BASE}\n`);
    expect(text).toMatch(/^USER (?!root)/m);
    expect(text).not.toMatch(/^(COPY|ADD) /m);
  });
});
