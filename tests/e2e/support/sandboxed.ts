import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/*
 * Chromium has no sandbox as root. An app with one is started as an unprivileged user, who reads neither
 * root's home nor a checkout in it: program and app are linked into that user's folder.
 */

const NOBODY = 65534;
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
const isRoot = process.getuid?.() === 0;

/** Whether all apps of this test run have the sandbox. A normal user's always have it. */
export const IS_SANDBOXED = !isRoot || process.env['WHALEMARK_TEST_SANDBOX'] === '1';

let made: string | undefined;

/** The program that starts an app with the sandbox on, and that app's folder. */
export function sandboxedStart(app: string): { executablePath?: string; folder: string } {
  if (!isRoot) return { folder: app };
  const folder = (made ??= makePrograms());
  const copy = join(folder, `app-${basename(app)}`);
  linkTree(app, copy);
  return { executablePath: join(folder, 'electron'), folder: copy };
}

/** Makes the unprivileged user the owner of a folder and all that is in it. */
export function giveToNobody(folder: string): void {
  if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
}

function makePrograms(): string {
  try {
    execFileSync('setpriv', [...AS_NOBODY, 'unshare', '--user', '--map-root-user', 'true'], {
      stdio: 'pipe',
    });
  } catch (error) {
    throw new Error(
      'This kernel gives a normal user no user namespaces, so Chromium’s sandbox can’t be tested here. ' +
        'On Ubuntu: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
      { cause: error },
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'whalemark-sandboxed-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const load = createRequire(import.meta.url);
  const program = load('electron') as string;
  linkTree(dirname(program), join(folder, 'dist'));
  // Playwright makes Electron load this file first.
  const playwright = dirname(load.resolve('playwright-core/package.json'));
  copyFileSync(join(playwright, 'lib/server/electron/loader.js'), join(folder, 'loader.js'));
  const home = join(folder, 'home');
  mkdirSync(home);
  const display = process.env['XAUTHORITY'];
  if (display !== undefined) copyFileSync(display, join(home, '.Xauthority'));
  giveToNobody(home);
  const script = [
    '#!/bin/sh',
    'for word; do',
    `  case $word in */electron/loader.js) word='${folder}/loader.js' ;; esac`,
    '  shift; set -- "$@" "$word"',
    'done',
    `export HOME='${home}' XAUTHORITY='${home}/.Xauthority'`,
    `cd '${home}'`,
    `exec setpriv ${AS_NOBODY.join(' ')} '${folder}/dist/${basename(program)}' "$@"`,
    '',
  ];
  writeFileSync(join(folder, 'electron'), script.join('\n'), { mode: 0o755 });
  return folder;
}

/** Links files hard, or copies them to another disk. */
function linkTree(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  try {
    execFileSync('cp', ['-al', from, to], { stdio: 'pipe' });
  } catch {
    rmSync(to, { recursive: true, force: true });
    execFileSync('cp', ['-a', from, to]);
  }
  chmodSync(to, 0o755);
}
