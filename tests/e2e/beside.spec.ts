import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, FULL, test } from './support/app.ts';
import { newFolder } from './support/folders.ts';

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

test.describe('on a machine that got another name', { tag: FULL }, () => {
  test.skip(process.platform !== 'linux' || process.getuid?.() !== 0, 'only root may rename a Linux machine');

  test('the app starts after a crash, and while it runs a second one finds it', async ({
    launch,
    fakeApp,
  }) => {
    const { app, page, home } = await launch({ folder: fakeApp });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const executable = app.process().spawnfile;
    const program = renamedApp(executable);

    // The second app hands over and ends by itself. The first stays.
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
