import { beforeEach, describe, expect, it } from 'vitest';
import type { RunContext, UntimedEvent } from '../../../../src/benchmark/context/context.ts';
import { fetchServerImages } from '../../../../src/benchmark/start/images.ts';
import { unusedImage } from '../../../../src/benchmark/servers/image.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { makePlan } from '../../plan-builder.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

describe('images whose registry can’t be asked before the pull', () => {
  let runtime: FakeRuntime;
  let events: UntimedEvent[];
  const fetching = () => {
    const plan = makePlan();
    const configs = plan.configs.map((config) => ({ ...config, image: unusedImage('mysql:8.4') }));
    const emit = (event: UntimedEvent): void => void events.push(event);
    const context = { plan: { ...plan, configs }, runtime, signal: new AbortController().signal, emit };
    return fetchServerImages(context as unknown as RunContext);
  };
  beforeEach(() => {
    events = [];
    runtime = new FakeRuntime();
    const params = { image: 'mysql:8.4', reason: 'no such host', local: '–' };
    runtime.failing.set('pullImage mysql:8.4', new BenchmarkError('REGISTRY_UNREACHABLE', params));
  });

  it('are replaced by a known local one of the same major version, and the result shows it', async () => {
    runtime.addImage('mysql:8.0', { env: { MYSQL_VERSION: '8.0.40' } });
    const images = await fetching();
    expect(images.get('mysql:8.4')).toMatchObject({ used: 'mysql:8.0', version: '8.0.40' });
    const found = (wanted: UntimedEvent['type']) => events.filter(({ type }) => type === wanted);
    expect(found('step-finished')).toMatchObject([{ error: null }]);
    expect(found('image-resolved')).toMatchObject([
      { image: { used: 'mysql:8.0', substituted: true, reason: 'no such host' } },
    ]);
    expect(found('notice')).toMatchObject([{ notice: { code: 'IMAGE_SUBSTITUTED' } }]);
  });

  it.each([
    ['of another major version', 'mysql:9.7', '9.7.4'],
    ['of a repository that isn’t known', 'acme/mysql:8.4', '8.4.5'],
  ])('aren’t replaced by one %s, which the error names', async (_, reference, version) => {
    runtime.addImage(reference, { env: { MYSQL_VERSION: version } });
    const unreachable = { code: 'REGISTRY_UNREACHABLE', params: { local: reference } };
    await expect(fetching()).rejects.toMatchObject(unreachable);
  });
});
