import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leftOf, realRuntime, temporaryHome } from '../helpers/bench.ts';

const execute = promisify(execFile);
const manifest = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** A client in a container: its program is a file of the package, too. */
const PRESET = `whalemark: 1
id: npm-check
name: npm check
question: Does the package measure?
server: { image: 'mysql:8.4' }
workload: { kind: oltp_point_select, tables: 1, tableSize: 1000 }
connections: 2
grid: { storages: [named-volume], paths: [user-bridge] }
baseline: named-volume.user-bridge
aaCheck: false
schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 }
`;

describe('the npm package', { tags: ['full'] }, () => {
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  let archive: string;
  beforeAll(async () => {
    home = await temporaryHome();
    const made = join(home.dataDir, 'made');
    await mkdir(made);
    await execute(process.execPath, ['scripts/package-npm.mjs', '--out', made], { maxBuffer: 2 ** 24 });
    archive = join(made, (await readdir(made))[0] ?? '');
  });
  afterAll(() => home.remove());

  /** Installed as its user does, with neither network nor anything of this repository around it. */
  async function installed(): Promise<(args: string[]) => Promise<string>> {
    const prefix = join(home.dataDir, 'prefix');
    const install = ['install', '--global', '--offline', '--no-audit', '--no-fund', '--prefix', prefix];
    await execute(npm, [...install, archive]);
    const link = join(home.dataDir, 'whalemark');
    await symlink(join(prefix, 'bin', 'whalemark'), link);
    const env = { ...process.env, WHALEMARK_HOME: join(home.dataDir, 'data') };
    return async (args) => (await execute(link, args, { env, cwd: home.dataDir, maxBuffer: 2 ** 24 })).stdout;
  }

  it('has nothing of the window and no dependencies', async () => {
    const { stdout } = await execute('tar', ['-tzf', archive]);
    const files = stdout.trim().split('\n');
    expect(files).toEqual(
      expect.arrayContaining([
        'package/out/cli/whalemark.cjs',
        'package/out/main/client.cjs',
        'package/out/main/reader.cjs',
        'package/out/main/sweeper.cjs',
        'package/LICENSE',
        'package/README.md',
      ]),
    );
    expect(
      files.filter((file) => /renderer|preload|main\/(?!client|reader|sweeper)|node_modules/.test(file)),
    ).toEqual([]);
    const inside = await execute('tar', ['-xzOf', archive, 'package/package.json']);
    expect(Object.keys(JSON.parse(inside.stdout) as object)).not.toContain('dependencies');
  });

  it('gives the command, which measures and draws', async () => {
    const whalemark = await installed();
    expect(await whalemark(['--version'])).toBe(`${manifest.version}\n`);
    expect(await whalemark(['licenses'])).toContain('mysql2');
    const preset = join(home.dataDir, 'npm-check.yaml');
    await writeFile(preset, PRESET);
    const summary = JSON.parse(await whalemark(['run', preset, '--json'])) as {
      result: string;
      scenarios: { tps: number }[];
    };
    expect(summary.scenarios.map(({ tps }) => tps > 0)).toEqual([true]);
    const picture = join(home.dataDir, 'card.png');
    await whalemark(['report', summary.result, 'png', '--output', picture]);
    expect((await readFile(picture)).toString('latin1', 1, 4)).toBe('PNG');
    expect(await leftOf(await realRuntime(), basename(dirname(summary.result)))).toEqual([]);
  });
});
