import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ClientKind,
  ensureClientImage,
  NODE_IMAGE,
  planClientImage,
  sysbenchTag,
} from '../../../../src/benchmark/load/client-image.ts';
import { IMAGE_LABEL } from '../../../../src/benchmark/runtime/labels.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const files = { Dockerfile: 'FROM ${BASE}' };
const tag = sysbenchTag(files);
const MISSING = { image: NODE_IMAGE, reason: 'no such host' };
const offline = new BenchmarkError('REGISTRY_UNREACHABLE', { ...MISSING, local: '–' });

let runtime: FakeRuntime;
beforeEach(() => {
  runtime = new FakeRuntime();
});
const plan = (kind: ClientKind) => planClientImage(runtime, kind, files);
const ensure = (kind: ClientKind, planned?: string) => {
  const spec = { files, planned };
  return ensureClientImage(runtime, kind, spec, () => undefined, new AbortController().signal);
};
const goOffline = (): void => {
  runtime.failing.set(`pullImage ${NODE_IMAGE}`, offline);
  runtime.failing.set(`probeRegistry ${NODE_IMAGE}`, offline);
};
const asked = (): string[] => runtime.calls.filter((call) => /^(pull|build|probe)/.test(call));
const node = (reference: string, version = '20.1.0'): void => {
  runtime.addImage(reference, { env: { NODE_VERSION: version } });
};

describe('sysbenchTag', () => {
  it('changes with names, content and base, and with nothing else', () => {
    expect(tag).toMatch(/^whalemark-client:[0-9a-f]{12}$/);
    expect(sysbenchTag({ b: '2', a: '1' })).toBe(sysbenchTag({ a: '1', b: '2' }));
    const names = [
      sysbenchTag({ a: '1', b: '2' }),
      sysbenchTag({ a: '1', c: '2' }),
      sysbenchTag({ a: '1b', '': '2' }),
    ];
    const others = [sysbenchTag({ a: '1', b: '3' }), sysbenchTag({ a: '1', b: '2' }, 'node:20')];
    expect(new Set([...names, ...others]).size).toBe(5);
  });
});

describe('the client image', () => {
  it('is taken from the engine when it is there', async () => {
    runtime.addImage(NODE_IMAGE);
    runtime.addImage(tag);
    for (const [kind, reference] of [['builtin', NODE_IMAGE] as const, ['sysbench', tag] as const]) {
      expect(await plan(kind)).toEqual({ reference: NODE_IMAGE, reason: null, toPrepare: [] });
      expect(await ensure(kind)).toBe(reference);
    }
    expect(asked()).toEqual([]);
  });

  it('is pulled and needs no build, unless sysbench was chosen', async () => {
    const pull = { kind: 'pull', reference: NODE_IMAGE };
    const build = { kind: 'build', reference: tag, base: NODE_IMAGE };
    expect((await plan('builtin')).toPrepare).toMatchObject([pull]);
    expect((await plan('sysbench')).toPrepare).toMatchObject([pull, build]);
    expect(await ensure('builtin')).toBe(NODE_IMAGE);
    expect(runtime.calls.filter((call) => call.startsWith('build'))).toEqual([]);
    expect(await ensure('sysbench')).toBe(tag);
    const made = runtime.imagesMade.find(({ references }) => references.includes(tag));
    expect(made?.labels).toEqual({ [IMAGE_LABEL]: tag });
  });

  it('is replaced by the newest local image of that name when the registry can’t be reached', async () => {
    goOffline();
    node('our-app:1', '24.1.0');
    node('node:14', '14.21.3');
    node('node:18-slim', '18.20.0');
    node('mirror.example/library/node:22', '22.3.0');
    const reference = 'mirror.example/library/node:22';
    expect(await plan('builtin')).toEqual({ reference, reason: 'no such host', toPrepare: [] });
    const other = sysbenchTag(files, reference);
    const build = { kind: 'build', reference: other, base: reference };
    expect((await plan('sysbench')).toPrepare).toMatchObject([build]);
    expect(await ensure('builtin')).toBe(reference);
    // A run asks no registry for the image that its plan found here.
    runtime.calls.length = 0;
    expect(await ensure('builtin', reference)).toBe(reference);
    expect(await ensure('sysbench', reference)).toBe(other);
    expect(asked()).toEqual([`buildImage ${other}`]);
  });

  it('is not to be had when nothing replaces it', async () => {
    goOffline();
    node('our-app:1', '24.1.0');
    // This Node is too old for the client.
    node('node:14', '14.21.3');
    for (const kind of ['builtin', 'sysbench'] as const) {
      const missing = { code: 'CLIENT_IMAGE_MISSING', params: MISSING };
      await expect(plan(kind)).rejects.toMatchObject(missing);
      await expect(ensure(kind)).rejects.toMatchObject(missing);
    }
  });

  it.each([
    [`pullImage ${NODE_IMAGE}`, new BenchmarkError('STOPPED')],
    [`buildImage ${tag}`, new BenchmarkError('IMAGE_BUILD_FAILED', { reason: 'no mirror' })],
  ])('passes on why there is none: %s', async (call, error) => {
    node('node:20');
    runtime.failing.set(call, error);
    await expect(ensure('sysbench')).rejects.toBe(error);
  });
});

describe('assets/client-image/Dockerfile', () => {
  it('has the base that the code counts on, and no root', () => {
    const text = readFileSync('assets/client-image/Dockerfile', 'utf8');
    expect(text).toContain(`ARG BASE=${NODE_IMAGE}\nFROM \${BASE}\n`);
    expect(text).toMatch(/^USER (?!root)/m);
    expect(text).not.toMatch(/^(COPY|ADD) /m);
  });
});
