import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { copyFiles } from '../build/files.mjs';
import { writeLicenses } from '../build/licenses.mjs';
import { root } from '../build/node-entry.mjs';
import { AppProcess } from './app-process.mjs';
import { followSources } from './bundles.mjs';
import { serveWindow } from './window-server.mjs';

const FAKE_CORE = 'tests/fake/core-entry.ts';

/**
 * Ends the process when the app is closed or a signal comes.
 *
 * @param {{ story?: string, pace?: string, appArgs: string[] }} options
 * @param {Record<string, string>} env
 */
export async function develop({ story, pace, appArgs }, env) {
  const began = performance.now();
  const folder = join(root, '.cache', `dev-${process.pid}`);
  const out = join(folder, 'out');
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(out, { recursive: true });
  copyFiles(out);
  writeLicenses(join(out, 'assets', 'licenses.json'), []);
  writeFileSync(join(folder, 'package.json'), '{ "name": "whalemark", "main": "out/main/main.cjs" }');

  // Otherwise the environment's own would decide whether the page follows.
  process.env['NODE_ENV'] = 'development';
  Object.assign(process.env, env);
  const server = await serveWindow();
  const { default: electron } = await import('electron');
  const app = new AppProcess(
    {
      command: String(electron),
      // Chromium refuses its sandbox to root; other users keep it.
      args: [folder, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...appArgs],
      env: story === undefined ? {} : fakeEnvironment(join(folder, 'home'), story, pace),
    },
    (code) => void end(code),
  );

  let isEnding = false;
  let starting = Promise.resolve();
  /** @param {number} code */
  const end = async (code) => {
    if (isEnding) return;
    isEnding = true;
    // An app that is being replaced still writes to the folder.
    await starting;
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

  let starts = 0;
  const { port, nonce } = server;
  const place = { out, server: { port, nonce }, ...(story === undefined ? {} : { fakeCore: FAKE_CORE }) };
  await followSources(place, () => {
    if (isEnding) return;
    starting = starting.then(() => app.restart());
    const what = story === undefined ? '' : ` with the story “${story}”`;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    starts += 1;
    console.log(
      starts === 1 ? `dev: the app starts${what} (${seconds} s); Ctrl+C ends it` : 'dev: the app restarts',
    );
  });
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
