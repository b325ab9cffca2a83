import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientKinds, NODE_IMAGE, sysbenchTag } from '../../../../src/benchmark/load/client-image.ts';
import { fetchClientImages } from '../../../../src/benchmark/context/client-images.ts';
import type { UntimedEvent } from '../../../../src/benchmark/context/context.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { FakeRuntime } from '../../fake-runtime.ts';
import { mysqlEngine, planned, presetWith } from '../../planned.ts';
import { sharedFolder } from '../../../helpers/folders.ts';

const files = { Dockerfile: 'FROM scratch' };
const failed = new BenchmarkError('IMAGE_BUILD_FAILED', { reason: 'no mirror' });
const PROXY = 'http://me:s3cret@proxy.example:3128';

const home = sharedFolder();
beforeAll(async () => {
  await writeFile(join(home, 'config.json'), JSON.stringify({ proxies: { default: { httpProxy: PROXY } } }));
  vi.stubEnv('DOCKER_CONFIG', home);
});
afterAll(() => vi.unstubAllEnvs());

let runtime: FakeRuntime;
let hidden: string[];
let built: Record<string, string>[];
beforeEach(() => {
  runtime = mysqlEngine();
  [hidden, built] = [[], []];
  const { build } = runtime.images;
  runtime.images.build = (spec, ...rest) => {
    built.push(spec.buildArgs);
    return build(spec, ...rest);
  };
});

async function fetched(loadGenerator = ['builtin', 'sysbench']) {
  const preset = presetWith({
    grid: { storages: ['named-volume'], paths: ['published-port', 'user-bridge'] },
    loadGenerator,
    baseline: 'named-volume.user-bridge',
  });
  const plan = await planned(preset, runtime, { clientImageFiles: files });
  const events: UntimedEvent[] = [];
  const context = {
    ...{ plan, runtime, clientImageFiles: files, signal: new AbortController().signal },
    ...{ hide: (word: string) => hidden.push(word), emit: (event: UntimedEvent) => events.push(event) },
  };
  const images = await fetchClientImages(context, plan.scenarios, (scenario) =>
    clientKinds(plan.engines[0].passport, scenario),
  );
  return { images, events, plan };
}

it('pulls Node, and builds sysbench with the proxies of the Docker configuration, which it hides', async () => {
  const { images, events, plan } = await fetched();
  expect(images).toEqual({ builtin: NODE_IMAGE, sysbench: sysbenchTag(files) });
  expect(built).toEqual([{ HTTP_PROXY: PROXY, http_proxy: PROXY, BASE: NODE_IMAGE }]);
  expect(hidden).toContain(PROXY);
  expect(JSON.stringify([events, plan, runtime.calls])).not.toContain('s3cret');
});

it('loses only what needs the image that can’t be had', async () => {
  runtime.failing.set(`buildImage ${sysbenchTag(files)}`, failed);
  expect((await fetched()).images).toEqual({ builtin: NODE_IMAGE, sysbench: failed });
});

it('fails when the baseline needs it, and tries again', async () => {
  const call = `buildImage ${sysbenchTag(files)}`;
  runtime.failing.set(call, failed);
  await expect(fetched(['sysbench', 'builtin'])).rejects.toBe(failed);
  runtime.failing.delete(call);
  expect((await fetched(['sysbench', 'builtin'])).images.sysbench).toBe(sysbenchTag(files));
});
