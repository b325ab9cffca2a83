import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { listPackage, statFile } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { FUSES } from '../../scripts/build/fuses.mjs';
import { t } from '../helpers/words.ts';
import { ENGINE, expect, FULL, test } from './support/app.ts';
import { resourcesOf } from './support/docker.ts';
import { newFolder } from './support/folders.ts';
import { unfold } from './support/visit.ts';
import { makeAndUnpack, removeUnpacked, startPackaged, terminal, type Unpacked } from './support/package.ts';

const root = join(import.meta.dirname, '..', '..');
const MIB = 2 ** 20;
/** A client of this process, and one in a container. */
const PRESET = `whalemark: 1
id: package-check
name: Package check
question: Does the package measure?
server: { image: 'mysql:8.4' }
workload: { kind: oltp_point_select, tables: 1, tableSize: 1000 }
connections: 2
grid: { storages: [named-volume], paths: [published-port, user-bridge] }
baseline: named-volume.published-port
aaCheck: false
schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 }
`;

// macOS and Windows machines would build another archive; the packaging workflow builds those.
test.skip(process.platform !== 'linux', 'packages are started on Linux');
test.describe.configure({ mode: 'serial' });

let unpacked: Unpacked;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  unpacked = await makeAndUnpack();
});
test.afterAll(() => removeUnpacked(unpacked));

const resources = (...parts: string[]): string => join(unpacked.folder, 'resources', ...parts);

test('the package holds what was built and nothing else', { tag: FULL }, () => {
  const built = readdirSync(join(root, 'out'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(root, join(entry.parentPath, entry.name))}`);
  const packed = listPackage(resources('app.asar'), { isPack: false }).filter(
    (file) => 'size' in statFile(resources('app.asar'), file.slice(1)),
  );
  expect(packed.sort()).toEqual([...built, '/LICENSE', '/package.json'].sort());
  expect(readdirSync(resources()).sort()).toEqual(['app.asar', 'bin']);
  expect(readdirSync(resources('bin'))).toEqual(['whalemark']);
  expect(readdirSync(join(unpacked.folder, 'locales')).sort()).toEqual(['en-US.pak', 'zh-CN.pak']);
  expect(readdirSync(unpacked.folder)).not.toContain('version');
});

test('the package is no larger than it has to be', { tag: FULL }, () => {
  // Two fonts for the share picture are half of it.
  expect(statSync(resources('app.asar')).size).toBeLessThan(32 * MIB);
  expect(statSync(unpacked.archive).size).toBeLessThan(120 * MIB);
});

test('every fuse of this Electron is as it was decided', { tag: FULL }, async () => {
  const wire = await getCurrentFuseWire(join(unpacked.folder, 'whalemark-app'));
  const states = Object.entries(wire)
    .filter(([place]) => place !== 'version')
    .map(([place, state]) => [FuseV1Options[Number(place)] ?? place, state === FuseState.ENABLE]);
  expect(states.length).toBeGreaterThanOrEqual(7);
  for (const [name, isOn] of states) {
    const decided = FUSES[String(name).charAt(0).toLowerCase() + String(name).slice(1)];
    expect([name, isOn]).toEqual([name, decided?.value]);
  }
});

test(
  'the terminal twin runs from the package, through a link and without the window',
  { tag: [ENGINE, FULL] },
  async () => {
    test.setTimeout(300_000);
    const home = newFolder('package-cli');
    const link = join(home, 'whalemark');
    symlinkSync(resources('bin', 'whalemark'), link);
    const env = { WHALEMARK_HOME: home };

    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await terminal(link, ['--version'])).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
    const doctor = await terminal(link, ['doctor', '--json'], env);
    expect(JSON.parse(doctor.stdout)).toMatchObject({ chosenId: expect.stringMatching(/./) as unknown });
    expect(await terminal(link, ['plan', 'no-such-preset'], env)).toMatchObject({ exitCode: 2 });

    const preset = join(home, 'package-check.yaml');
    writeFileSync(preset, PRESET);
    const run = await terminal(link, ['run', preset, '--json'], env);
    const summary = JSON.parse(run.stdout) as { result: string; scenarios: { tps: number | null }[] };
    expect(summary.scenarios).toHaveLength(2);
    for (const { tps } of summary.scenarios) expect(tps).toBeGreaterThan(0);
    expect(resourcesOf(home)).toEqual([]);
    // The picture is drawn by WebAssembly with fonts from inside the archive.
    const picture = join(home, 'card.png');
    const drawing = ['report', summary.result, 'png', '--output', picture];
    expect(await terminal(link, drawing, env)).toMatchObject({
      exitCode: 0,
      stderr: `Saved: ${picture}\n`,
    });
    expect(readFileSync(picture).toString('latin1', 1, 4)).toBe('PNG');
  },
);

/** A shell may have set this for other programs: code that Node loads before anything else. */
function strangersOptions(): { NODE_OPTIONS: string } {
  const stranger = join(newFolder('package-stranger'), 'stranger.cjs');
  writeFileSync(stranger, 'console.error("let in")');
  return { NODE_OPTIONS: `--require ${stranger}` };
}

test('no code of somebody else’s shell gets into the terminal twin', { tag: FULL }, async () => {
  const { stderr } = await terminal(resources('bin', 'whalemark'), ['--version'], strangersOptions());
  expect(stderr).not.toContain('let in');
});

test(
  'the window starts from the package and compares this config on the real engine',
  { tag: [ENGINE, FULL] },
  async () => {
    test.setTimeout(900_000);
    const started = await startPackaged(unpacked);
    const { page, home } = started;
    await page.getByRole('button', { name: t('home.options'), exact: true }).click();
    await page.getByText(t('home.options'), { exact: true }).click();
    await page.getByLabel(t('plan.atMost')).selectOption('1');
    await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
    await expect(page.getByRole('button', { name: t('share.button') })).toBeVisible({ timeout: 600_000 });
    await expect(
      (await unfold(page, t('result.numbers'))).getByRole('table').first().getByRole('row'),
    ).toHaveCount(1 + 9);
    expect(await started.close()).toBe(0);
    expect(resourcesOf(home)).toEqual([]);
  },
);

test(
  'the packaged window opens a result file and lets in neither a debugger nor code of somebody else’s shell',
  { tag: [ENGINE, FULL] },
  async () => {
    const file = join(newFolder('package-file'), 'given.whalemark');
    writeFileSync(file, gunzipSync(readFileSync(join(root, 'assets/example/result.json.gz'))));
    const started = await startPackaged(unpacked, { args: ['--inspect=0', file], env: strangersOptions() });
    await expect(started.page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
    expect(started.said()).not.toContain('Debugger listening');
    expect(started.said()).not.toContain('let in');
    expect(await started.close()).toBe(0);
  },
);
