import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { licenceOf, packageFolder } from '../../../scripts/build/licences.mjs';
import { reportAssets } from '../../../scripts/build/report-assets.mjs';

const { devDependencies, dependencies } = z
  .object({ devDependencies: z.record(z.string(), z.string()), dependencies: z.undefined().optional() })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const page = readFileSync('docs/architecture.md', 'utf8');

/** Packages that the app's own code imports, and those whose files the build copies. */
function shipped(): Set<string> {
  const found = new Set<string>();
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.(ts|svelte)$/.test(file)) continue;
    const code = readFileSync(join('src', file), 'utf8');
    for (const [, from = ''] of code.matchAll(/^ *(?:import|} from|export .* from)[^'\n]*'([^'\n]+)'/gm)) {
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '';
      if (!from.startsWith('.') && !from.startsWith('node:')) found.add(name);
    }
  }
  for (const { from } of reportAssets()) found.add(/node_modules\/(@[^/]+\/[^/]+)/.exec(from)?.[1] ?? from);
  return found;
}

describe('dependencies', () => {
  it('that ship stand in docs/architecture.md, each with its reason', () => {
    const table = page.split('## Libraries, and why')[1]?.split('\n## ')[0] ?? '';
    const rows = table.split('\n').filter((line) => /^\| [^|]+ \| [^|]+ \| [^|]{10,} \|$/.test(line));
    const named = new Set(
      rows.flatMap((row) => (row.split('|')[1] ?? '').split(',').map((name) => name.trim())),
    );
    const ships = [...shipped()].filter((name) => name in devDependencies);
    expect(ships).toEqual(expect.arrayContaining(['dockerode', 'mysql2', 'svelte', 'zod']));
    expect(ships.filter((name) => !named.has(name))).toEqual([]);
  });

  it('that only build and test stand there, too', () => {
    const ships = shipped();
    const tools = Object.keys(devDependencies).filter((name) => !ships.has(name));
    expect(tools.filter((name) => !page.includes(name))).toEqual([]);
  });

  it('are all of exact versions, and bundled: an installed app has no node_modules', () => {
    expect(dependencies).toBeUndefined();
    for (const [name, version] of Object.entries(devDependencies)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });
});

describe('the list of licences', () => {
  it('finds the package of a module, also of the bundler’s own helpers', () => {
    expect(packageFolder('/a/node_modules/zod/v4/x.js')).toBe('/a/node_modules/zod');
    expect(packageFolder('\0/a/node_modules/@grpc/grpc-js/b/node_modules/long/i.js?x')).toBe(
      '/a/node_modules/@grpc/grpc-js/b/node_modules/long',
    );
    expect(packageFolder('\0rolldown/runtime.js')).toMatch(/node_modules\/rolldown$/);
    expect(packageFolder('/work/src/shared/words/units.ts')).toBeUndefined();
  });

  it('has the text that a package brings, else the licence’s own with its author', () => {
    expect(licenceOf('node_modules/ssh2')).toMatchObject({ name: 'ssh2', licence: 'MIT' });
    expect(licenceOf('node_modules/@resvg/resvg-wasm').text).toContain('Mozilla Public License');
    // Its licence alone, not those of all that it is made of.
    expect(licenceOf('node_modules/vite').text.length).toBeLessThan(2_000);
  });

  it('ends the build for a licence that nobody has agreed to', () => {
    expect(() => licenceOf('tests/fixtures/unlicensed-package')).toThrow('which is not on the list');
  });
});
