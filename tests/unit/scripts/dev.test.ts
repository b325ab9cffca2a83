import { build } from 'vite';
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeEntry } from '../../../scripts/build/node-entry.mjs';
import { onlyOurs } from '../../../scripts/build/only-ours.mjs';
import { Bundles } from '../../../scripts/dev/bundles.mjs';
import { developmentOptions, UsageError } from '../../../scripts/dev/options.mjs';
import { developmentPolicy } from '../../../scripts/dev/policy.mjs';
import { CONTENT_SECURITY_POLICY } from '../../../src/main/window/security.ts';
import { newFolder } from '../../helpers/folders.ts';

describe('what npm run dev takes', () => {
  it('is a story of the fake core and its pace; the rest is the app’s', () => {
    expect(developmentOptions([])).toEqual({ appArgs: [] });
    expect(developmentOptions(['--fake', 'troubled', '--pace=40', '--disable-gpu', 'a.whalemark'])).toEqual({
      story: 'troubled',
      pace: '40',
      appArgs: ['--disable-gpu', 'a.whalemark'],
    });
    expect(developmentOptions(['--inspect=0', '--fake=plain'])).toEqual({
      story: 'plain',
      appArgs: ['--inspect=0'],
    });
  });

  it.each([[['--fake']], [['--fake', 'nobody-told']], [['--fake', 'toString']]])(
    'names the stories to %j',
    (args) => {
      expect(() => developmentOptions(args)).toThrow(UsageError);
      expect(() => developmentOptions(args)).toThrow(/two-runtimes/);
    },
  );

  it.each([[['--pace', '4']], [['--fake', 'plain', '--pace', 'slow']], [['--help']]])('is not %j', (args) => {
    expect(() => developmentOptions(args)).toThrow(UsageError);
  });
});

it('the policy of development lets in styles with a mark and one socket, and nothing else', () => {
  const policy = developmentPolicy(CONTENT_SECURITY_POLICY, { nonce: 'bm9uY2U=', port: 4711 });
  const parts = CONTENT_SECURITY_POLICY.split('; ');
  expect(policy.split('; ').filter((part) => !parts.includes(part))).toEqual([
    "style-src 'self' 'nonce-bm9uY2U='",
    'connect-src ws://127.0.0.1:4711',
  ]);
});

describe('parts', () => {
  let outDir: string;
  beforeEach(() => (outDir = newFolder()));

  it('of development are all built', async () => {
    const bundles = new Bundles({ out: outDir, server: { port: 1, nonce: '' } });
    const built = await bundles.update();
    expect(built.length).toBeGreaterThan(3);
  }, 240_000);

  const made = (entry: string): Promise<unknown> =>
    build({
      ...nodeEntry({ entry, outDir, fileName: 'part.cjs', target: 'node16' }),
      logLevel: 'silent',
      plugins: [onlyOurs()],
    });

  it.each(['scripts/dev/app/core-process.ts', 'tests/fake/core-entry.ts'])(
    'that ship are not built with %s in them',
    async (entry) => {
      await expect(made(entry)).rejects.toThrow(/is not part of the product/);
    },
  );

  it('that ship are built of the sources and of packages', async () => {
    await expect(made('src/preload/preload.ts')).resolves.toBeDefined();
  });
});
