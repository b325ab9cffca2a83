import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { licenseOf, packageFolder } from '../../../scripts/build/licenses.mjs';

const { devDependencies, dependencies } = z
  .object({ devDependencies: z.record(z.string(), z.string()), dependencies: z.undefined().optional() })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

describe('dependencies', () => {
  it('are all of exact versions, and bundled: an installed app has no node_modules', () => {
    expect(dependencies).toBeUndefined();
    for (const [name, version] of Object.entries(devDependencies)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });
});

describe('the list of licenses', () => {
  it('finds the package of a module, also of the bundler’s own helpers', () => {
    expect(packageFolder('/a/node_modules/zod/v4/x.js')).toBe('/a/node_modules/zod');
    expect(packageFolder('\0/a/node_modules/@grpc/grpc-js/b/node_modules/long/i.js?x')).toBe(
      '/a/node_modules/@grpc/grpc-js/b/node_modules/long',
    );
    expect(packageFolder('\0rolldown/runtime.js')).toMatch(/node_modules\/rolldown$/);
    expect(packageFolder('/work/src/shared/words/units.ts')).toBeUndefined();
  });

  it('has the text that a package brings, else the license’s own with its author', () => {
    expect(licenseOf('node_modules/ssh2')).toMatchObject({ name: 'ssh2', license: 'MIT' });
    expect(licenseOf('node_modules/@takumi-rs/wasm').text).toMatch(
      /^Copyright \(c\) Kane Wang\n\nPermission is/,
    );
    // Vite’s own license, without those of its parts.
    expect(licenseOf('node_modules/vite').text.length).toBeLessThan(2_000);
  });

  it('ends the build for a license that nobody has agreed to', () => {
    expect(() => licenseOf('tests/fixtures/unlicensed-package')).toThrow('which is not on the list');
  });
});
