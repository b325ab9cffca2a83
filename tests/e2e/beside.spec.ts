import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunStore } from '../../src/benchmark/runs/run-store.ts';
import { pattern, t } from '../helpers/words.ts';
import { ENGINE, expect, FULL, test } from './support/app.ts';
import { resourcesOf } from './support/docker.ts';
import { newFolder } from './support/folders.ts';

const root = join(import.meta.dirname, '..', '..');

/** A run of the terminal twin of two trials; its client is in a container, so that there is something to sweep. */
const RUN = [
  ...[
    'run',
    'compare-my-setup',
    '--image',
    'mariadb:11.8',
    '--rounds',
    '2',
    '--duration',
    '1',
    '--warmup',
    '0',
  ],
  ...['--connections', '2', '--set', 'workload={"tables":1,"tableSize":1000}', '--set', 'aaCheck=false'],
  ...['--set', 'server.settings.bufferPool=64', '--set', 'server.settings.redoLogMiB=64'],
  ...['--set', 'grid={"storages":["bind-mount"],"paths":["published-port"]}'],
  ...['--set', 'baseline=bind-mount.published-port'],
];

test(
  'the app beside a run of the terminal sweeps and recovers nothing of it, and shows it when it has ended',
  { tag: [ENGINE, FULL] },
  async ({ launch }) => {
    const home = newFolder('beside');
    const child = spawn(process.execPath, ['out/cli/whalemark.cjs', ...RUN], {
      cwd: root,
      env: { ...process.env, WHALEMARK_HOME: home },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    try {
      await expect.poll(() => said, { timeout: 90_000 }).toMatch(/^\[1\] /m);
      // Held still until the app has had its look: what goes now was swept.
      child.kill('SIGSTOP');
      const before = [...resourcesOf(home), ...readdirSync(join(home, 'bind'))];
      expect(before.length).toBeGreaterThanOrEqual(3);

      const { page } = await launch({ home });
      await expect(page.getByRole('region', { name: t('passport.title') })).toBeVisible();
      await expect(page.getByRole('button', { name: pattern('recent.open') })).toHaveCount(0);
      expect([...resourcesOf(home), ...readdirSync(join(home, 'bind'))]).toEqual(before);
      child.kill('SIGCONT');
      expect(await ended, said).toBe(0);

      const [runId = ''] = readdirSync(join(home, 'runs'));
      const run = await new RunStore(home).load(runId);
      expect([run.outcome, run.error]).toEqual(['completed', null]);
      expect(run.trials.map(({ status }) => status)).toEqual(['measured', 'measured']);
      expect(resourcesOf(home)).toEqual([]);
      // Coming back from the terminal is what makes the window look.
      await page.evaluate(() => {
        const inPage = globalThis as unknown as { dispatchEvent(event: Event): void };
        inPage.dispatchEvent(new Event('focus'));
      });
      await expect(page.getByRole('button', { name: pattern('recent.open') })).toHaveCount(1);
    } finally {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await ended;
    }
  },
);

/**
 * A program that starts the app on a machine of another name. The X server knows the one name only, so its cookie is given
 * to any.
 */
function renamedApp(executable: string): string {
  const folder = newFolder('renamed');
  const [cookies, program] = [join(folder, 'cookies'), join(folder, 'renamed-app')];
  spawnSync('sh', [
    '-c',
    `xauth nlist "$DISPLAY" | sed 's/^..../ffff/' | xauth -f '${cookies}' nmerge - 2>/dev/null`,
  ]);
  writeFileSync(
    program,
    `#!/bin/sh\nXAUTHORITY='${cookies}' exec unshare --uts sh -c 'hostname renamed && exec "$@"' sh '${executable}' "$@"\n`,
  );
  chmodSync(program, 0o755);
  return program;
}

test.describe('on a machine that got another name', () => {
  test.skip(process.platform !== 'linux' || process.getuid?.() !== 0, 'only root may rename a Linux machine');

  test('the app starts after a crash, and while it runs a second one finds it', async ({
    launch,
    fakeApp,
  }) => {
    const { app, page, home } = await launch({ folder: fakeApp });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const executable = app.process().spawnfile;
    const program = renamedApp(executable);

    // It hands over and ends by itself; the first stays.
    const env = { ...process.env, WHALEMARK_HOME: home };
    const second = spawn(program, [fakeApp, '--no-sandbox', '--disable-gpu'], { env, stdio: 'ignore' });
    expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

    const exited = new Promise<void>((resolve) => app.process().once('exit', () => resolve()));
    app.process().kill('SIGKILL');
    await exited;
    const third = await launch({ folder: fakeApp, home, executablePath: program });
    await expect(third.page.getByRole('heading', { level: 1 })).toBeVisible();
  });
});
