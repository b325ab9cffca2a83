import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { isStale } from '../../../scripts/build/stale.mjs';
import { newFolder } from './folders.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const run = promisify(execFile);

/** The archive that users unpack, unpacked. */
export interface Unpacked {
  folder: string;
  archive: string;
  /** The folder of everything that was made. */
  made: string;
}

/** Makes the tar.gz of this machine's architecture and unpacks it elsewhere, as its user would. */
export async function makeAndUnpack(): Promise<Unpacked> {
  const made = mkdtempSync(join(tmpdir(), 'whalemark-package-'));
  // The build of this run, which other tests use at the same time.
  const built = isStale('out/main/main.cjs', root, ['src', 'assets', 'presets', 'scripts/build'])
    ? []
    : ['--as-built'];
  const args = ['scripts/package.mjs', ...built, '--linux', 'tar.gz', `--${process.arch}`];
  await run(process.execPath, [...args, `-c.directories.output=${join(made, 'dist')}`], {
    cwd: root,
    maxBuffer: 2 ** 26,
    // The best compression takes minutes, for a twentieth of the size.
    env: { ...process.env, ELECTRON_BUILDER_COMPRESSION_LEVEL: '3' },
  });
  const name = readdirSync(join(made, 'dist')).find((file) => file.endsWith('.tar.gz')) ?? '';
  const archive = join(made, 'dist', name);
  const installed = join(made, 'installed');
  mkdirSync(installed);
  await run('tar', ['-xzf', archive, '-C', installed]);
  return { folder: join(installed, readdirSync(installed)[0] ?? ''), archive, made };
}

export function removeUnpacked(unpacked: Unpacked): void {
  rmSync(unpacked.made, { recursive: true, force: true });
}

/** The packaged app in its window. Its fuses keep Playwright's own door closed: it is driven through Chromium's. */
export interface PackagedApp {
  page: Page;
  home: string;
  /** The app's stderr so far. */
  said(): string;
  /** Closes the window, which ends the app; resolves with the exit code. */
  close(): Promise<number | null>;
}

export async function startPackaged(
  { folder }: Unpacked,
  { env = {}, args = [] }: { env?: Record<string, string>; args?: string[] } = {},
): Promise<PackagedApp> {
  const home = newFolder('package-home');
  // Chromium refuses its sandbox to root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(
    join(folder, 'whalemark-app'),
    ['--remote-debugging-port=0', '--disable-gpu', ...asRoot, ...args],
    {
      cwd: home,
      env: { ...process.env, WHALEMARK_HOME: home, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const said: string[] = [];
  const endpoint = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      said.push(line);
      const found = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then((code) => reject(new Error(`the package ended with ${code}:\n${said.join('\n')}`)));
  });
  // Electron has no management of browser contexts, which the defaults would use.
  const browser = await chromium.connectOverCDP(endpoint, { noDefaults: true });
  const context = browser.contexts()[0];
  if (context === undefined) throw new Error('the package has no window');
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  await page.waitForLoadState();
  return {
    page,
    home,
    said: () => said.join('\n'),
    close: async () => {
      await page.close({ runBeforeUnload: true }).catch(() => undefined);
      const code = await exited;
      await browser.close().catch(() => undefined);
      return code;
    },
  };
}

/** Runs a terminal twin to its end. */
export async function terminal(
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  return run(program, args, {
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 26,
  }).then(
    ({ stdout, stderr }) => ({ exitCode: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      exitCode: error.code,
      stdout: error.stdout,
      stderr: error.stderr,
    }),
  );
}
