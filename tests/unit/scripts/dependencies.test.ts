import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { licenseOf } from '../../../scripts/build/licenses.mjs';

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
