import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { licenseSchema } from '../../../src/shared/contract/requests/app.ts';

const run = promisify(execFile);
const whalemark = async (...args: string[]): Promise<string> =>
  (await run(process.execPath, ['out/cli/whalemark.cjs', ...args], { maxBuffer: 16 * 2 ** 20 })).stdout;

/** Licenses that may ship; any other one ends the build. */
const ALLOWED = /^(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|Zlib|Unlicense|MPL-2\.0|OFL-1\.1)$/;

describe('the licenses of what ships', () => {
  it('name every package that the bundles are made of, by the bundles themselves', async () => {
    const listed = z.array(licenseSchema).parse(JSON.parse(await whalemark('licenses', '--json')));
    const names = new Set(listed.map(({ name }) => name));
    const bundled = new Set<string>();
    for (const folder of ['out/main', 'out/cli', 'out/preload']) {
      for (const file of await readdir(folder)) {
        const code = await readFile(join(folder, file), 'utf8');
        // The bundler writes each module's path above its code.
        for (const [, module = ''] of code.matchAll(/^\/\/(?:#region)? (.*)$/gm)) {
          const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1];
          if (name !== undefined) bundled.add(name);
        }
      }
    }
    expect([...bundled]).toEqual(expect.arrayContaining(['dockerode', 'mysql2', 'zod', 'ssh2']));
    expect([...bundled].filter((name) => !names.has(name))).toEqual([]);
    // The window's, whose bundle has no such lines; the picture's renderer and fonts; what all of it runs in.
    for (const name of ['svelte', 'chart.js', '@takumi-rs/wasm', '@expo-google-fonts/inter', 'electron']) {
      expect(names).toContain(name);
    }
    for (const { name, license, text } of listed) {
      for (const one of license.replace(/[()]/g, '').split(/ (?:AND|OR) /))
        expect(one, name).toMatch(ALLOWED);
      expect(text.length, name).toBeGreaterThan(400);
    }
    const font = listed.find(({ name }) => name === '@expo-google-fonts/noto-sans-sc');
    expect(font?.text).toContain('SIL OPEN FONT LICENSE Version 1.1');
  });

  it('are printed with all their texts', async () => {
    const text = await whalemark('licenses');
    expect(text).toMatch(/^ {2}mysql2 [\d.]+ +MIT$/m);
    expect(text).toContain('Copyright (c) Kane Wang');
  });
});
