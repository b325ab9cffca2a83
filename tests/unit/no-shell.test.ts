import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cloneDataset } from '../../src/benchmark/dataset/clone.ts';
import { lookerSpec } from '../../src/benchmark/dataset/volume-contents.ts';
import type { ContainerSpec } from '../../src/benchmark/runtime/container-runtime.ts';
import { emptyAsRoot } from '../../src/benchmark/target/helper-container.ts';
import { FakeRuntime } from './fake-runtime.ts';

const ROOT = join(import.meta.dirname, '..', '..', 'src');
const sources = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && /\.(ts|svelte)$/.test(file.name))
  .map((file) => ({
    name: join(file.parentPath, file.name).slice(ROOT.length + 1),
    text: readFileSync(join(file.parentPath, file.name), 'utf8'),
  }));

it('nothing in src starts a program through a shell of this machine', () => {
  const found = sources.flatMap(({ name, text }) => [
    ...[...text.matchAll(/\bshell\s*:(?!\s*(?:false|string)\b)/g)].map(([what]) => `${name}: ${what}`),
    ...[...text.matchAll(/import\s*(?:type\s*)?\{([^}]*)\}\s*from\s*'(?:node:)?child_process'/g)].flatMap(
      ([, names = '']) =>
        names
          .split(',')
          .map((one) => one.trim())
          .filter((one) => /^exec(?:Sync)?\b(?!File)/.test(one))
          .map((one) => `${name}: ${one}`),
    ),
    ...[
      ...text.matchAll(
        /(?:import\s+\*?\s*(?:as\s+)?\w+\s+from|(?<!\{ spawn \} = )require\(|import\()\s*'(?:node:)?child_process'/g,
      ),
    ].map(([what]) => `${name}: ${what}`),
  ]);
  expect(found).toEqual([]);
});

it('a shell in a container gets a script that is a constant, and everything else as arguments behind it', () => {
  const uses = sources.flatMap(({ name, text }) =>
    [...text.matchAll(/['"](?:\/bin\/)?(?:ba|da)?sh['"]\s*,\s*['"]-\w*c['"]\s*,\s*([^\s,\]]+)/g)].map(
      ([, script = '']) => ({
        name,
        text,
        script,
      }),
    ),
  );
  expect(uses.map(({ name }) => name).sort()).toEqual([
    'benchmark/dataset/clone.ts',
    'benchmark/dataset/volume-contents.ts',
    'benchmark/target/helper-container.ts',
  ]);
  for (const { name, text, script } of uses) {
    expect([name, script]).toEqual([name, expect.stringMatching(/^[A-Z]+$/)]);
    const body = new RegExp(`^const ${script} = \`([^\`]*)\`;`, 'm').exec(text)?.[1] ?? '${missing}';
    // Another constant is all that may be put into it.
    for (const [, inner = ''] of body.matchAll(/\$\{([^}]*)\}/g)) {
      expect(text).toMatch(new RegExp(`^const ${inner} = '[\\w: ]+';`, 'm'));
    }
    // Unquoted, an argument would be split and expanded; what is set in the script itself may be.
    expect(body.replace(/"[^"]*"/g, '')).not.toMatch(/\$[\d@*]/);
  }
});

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
      runtime.createContainer = (spec) => {
        created.push(spec);
        return Promise.reject(new Error('no engine here'));
      };
      const helper = { runtime, name: 'n', image, labels: {} };
      await emptyAsRoot(helper, path).catch(() => undefined);
      const storage = {
        ...{ parent: path, datadir: path, mounts: [], volumesFrom: path, holder: undefined },
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
