import { describe, expect, it } from 'vitest';
import { BuildProgress, PullProgress } from '../../../../../src/benchmark/runtime/engine/image-progress.ts';
import { saying } from '../../../../helpers/saying.ts';

describe('PullProgress', () => {
  it('adds layers up by their size and never goes back', () => {
    const pull = new PullProgress();
    const seen = [
      { status: 'Pulling from library/mysql', id: '8.4' },
      { status: 'Pulling fs layer', id: 'aaa' },
      { status: 'Pulling fs layer', id: 'bbb' },
      { status: 'Already exists', id: 'ccc' },
      { status: 'Downloading', id: 'aaa', progressDetail: { current: 0, total: 30_000_000 } },
      { status: 'Downloading', id: 'aaa', progressDetail: { current: 15_000_000, total: 30_000_000 } },
      { status: 'Downloading', id: 'bbb', progressDetail: { current: 10_000_000, total: 90_000_000 } },
      { status: 'Download complete', id: 'aaa', progressDetail: {} },
      { status: 'Extracting', id: 'aaa', progressDetail: { current: 15_000_000, total: 30_000_000 } },
      { status: 'Pull complete', id: 'aaa' },
      { status: 'Verifying Checksum', id: 'bbb' },
      { status: 'Pull complete', id: 'bbb' },
      { status: 'Digest: sha256:abc' },
    ].flatMap((line) => pull.read(line) ?? []);
    expect(seen[0]).toEqual({ fraction: null, detail: 'Pulling from library/mysql' });
    const fractions = seen.map(({ fraction }) => fraction ?? 0);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
    expect(seen.map(({ detail }) => detail)).toContainEqual(saying('1 of 3 layers, 25 of 120 MB'));
    expect(seen.at(-1)?.detail).toEqual(saying('3 of 3 layers, 120 of 120 MB'));
  });
});

describe('BuildProgress', () => {
  it('turns steps into a fraction and keeps the tail', () => {
    const build = new BuildProgress();
    expect(build.read({ stream: 'Step 3/4 : RUN apt-get update\n' })).toEqual({
      fraction: 0.5,
      detail: saying('3 of 4: RUN apt-get update'),
    });
    expect(build.read({ stream: '\n' })).toBeUndefined();
    expect(build.read({ stream: 'Get:1 http://deb.debian.org\n' })).toBeUndefined();
    expect(build.read({ error: 'exit code 100' })).toBeUndefined();
    expect(build.tail).toEqual([
      'Step 3/4 : RUN apt-get update',
      'Get:1 http://deb.debian.org',
      'exit code 100',
    ]);
  });
});
