import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cloneDataset } from '../../src/benchmark/servers/dataset/clone.ts';
import { lookerSpec } from '../../src/benchmark/servers/dataset/volume-contents.ts';
import type { ContainerSpec } from '../../src/benchmark/runtime/container-runtime.ts';
import { emptyAsRoot } from '../../src/benchmark/servers/helper-container.ts';
import { FakeRuntime } from './fake-runtime.ts';

it('no name, path or image changes what a shell runs', async () => {
  const scripts = new Set<string>();
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('$(reboot)', '`reboot`', "'; reboot; '", '"; reboot #', '--', '-c', '\n reboot'),
  );
  await fc.assert(
    fc.asyncProperty(text, text, async (path, image) => {
      const runtime = new FakeRuntime();
      const created: ContainerSpec[] = [];
      runtime.containers.create = (spec) => {
        created.push(spec);
        return Promise.reject(new Error('no engine here'));
      };
      const helper = { runtime, name: 'n', image, labels: {} };
      await emptyAsRoot(helper, path).catch(() => undefined);
      const storage = {
        ...{ parent: path, datadir: path, container: { volumesFrom: [path] } },
        dispose: () => Promise.resolve(),
      };
      const dataset = { containerId: path, datadir: path, volume: path } as unknown as Parameters<
        typeof cloneDataset
      >[0];
      await cloneDataset(
        dataset,
        { containerId: path, storage, storageName: 'x', helper },
        new AbortController().signal,
      ).catch(() => undefined);
      const specs = [lookerSpec({ name: 'n', image, labels: {} }, path, path), ...created];
      expect(specs.length).toBe(3);
      for (const { entrypoint = [] } of specs) {
        expect(entrypoint.slice(0, 2)).toEqual(['sh', '-c']);
        scripts.add(entrypoint[2] ?? '');
      }
    }),
    { numRuns: 200 },
  );
  expect(scripts.size).toBe(3);
});
