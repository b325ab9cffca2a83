import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { copyFiles } from '../build/files.mjs';
import { writeLicenses } from '../build/licenses.mjs';
import { root } from '../build/node-entry.mjs';
import { AppProcess } from './app-process.mjs';
import { Bundles } from './bundles.mjs';
import { oneAfterTheOther } from './changes.mjs';
import { serveWindow } from './window-server.mjs';

const FAKE_CORE = 'tests/fake/core-entry.ts';
/** What everything but the window's page is made of. */
const SOURCES = ['main', 'preload', 'benchmark', 'shared'].map((folder) => join(root, 'src', folder));
const FAKE_SOURCES = ['tests/fake', 'tests/unit'].map((folder) => join(root, folder));

/**
 * Opens the app and follows every change of its sources until it is closed or a signal comes; then ends the process.
 *
 * @param {{ story?: string, pace?: string, appArgs: string[] }} options
 * @param {Record<string, string>} env of the set-up
 */
export async function develop({ story, pace, appArgs }, env) {
  const began = performance.now();
  const folder = join(root, '.cache', `dev-${process.pid}`);
  const out = join(folder, 'out');
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });

  // Otherwise the environment's own would decide whether the page follows.
  process.env['NODE_ENV'] = 'development';
  const server = await serveWindow();
  const { port, nonce } = server;
  const bundles = new Bundles({
    out,
    server: { port, nonce },
    ...(story === undefined ? {} : { fakeCore: FAKE_CORE }),
  });
  await bundles.update();
  copyFiles(out);
  // The texts of licenses are for what ships.
  writeLicenses(join(out, 'assets', 'licenses.json'), []);
  writeFileSync(join(folder, 'package.json'), '{ "name": "whalemark", "main": "out/main/main.cjs" }');

  Object.assign(process.env, env);
  const { default: electron } = await import('electron');
  const app = new AppProcess(
    {
      command: String(electron),
      // Chromium refuses its sandbox to root; everybody else keeps it.
      args: [folder, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...appArgs],
      env: story === undefined ? {} : fakeEnvironment(join(folder, 'home'), story, pace),
    },
    (code) => void end(code),
  );

  const changed = oneAfterTheOther(async (files) => {
    const since = performance.now();
    try {
      const parts = await bundles.update(files);
      if (parts.length === 0) return;
      const coreAlone = parts.every((part) => ['core', 'client', 'reader', 'sweeper'].includes(part));
      if (coreAlone) app.tell('restart-core');
      else await app.restart();
      say(`${parts.join(', ')} built anew, ${coreAlone ? 'the core' : 'the app'} restarts`, since);
    } catch (error) {
      // The app continues as it was.
      console.error(error instanceof Error ? error.message : error);
    }
  });
  server.watcher.add(story === undefined ? SOURCES : [...SOURCES, ...FAKE_SOURCES]);
  server.watcher.on('all', (_event, file) => changed(normalize(file)));

  let isEnding = false;
  /** @param {number} code */
  const end = async (code) => {
    if (isEnding) return;
    isEnding = true;
    await app.stop();
    await server.close();
    process.exit(code);
  };
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]))
    process.on(signal, () => void end(code));
  app.start();
  say(`the app starts${story === undefined ? '' : ` with the story “${story}”`}; Ctrl+C ends it`, began);
}

/**
 * @param {string} home
 * @param {string} story
 * @param {string | undefined} pace
 */
function fakeEnvironment(home, story, pace) {
  mkdirSync(home);
  return {
    WHALEMARK_HOME: home,
    WHALEMARK_FAKE: story,
    ...(pace === undefined ? {} : { WHALEMARK_FAKE_PACE: pace }),
  };
}

/**
 * @param {string} what
 * @param {number} since
 */
function say(what, since) {
  console.log(`dev: ${what} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
}
