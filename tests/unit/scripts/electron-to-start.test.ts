import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

/*
 * `npm start` in a copy of the tree, on a machine where an earlier test run left its old Electron. The programs that an Electron
 * consists of note with which version they were started; nothing else of the system is touched.
 */

const root = join(import.meta.dirname, '../../..');
const OLD = '22.3.25';
const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
const WANTED = (JSON.parse(lock) as { packages: Record<string, { version: string }> }).packages[
  'node_modules/electron'
]?.version;
/** An address at which nothing listens. */
const NOWHERE = 'http://127.0.0.1:9/';
const PERSON = { WHALEMARK_SETUP: 'no' };
const THROWN_AWAY = { CI: 'true' };

/** Made by the first test: a tier without these tests makes none. */
const work = join(tmpdir(), `whalemark-start-${process.pid}`);
const kept = join(work, 'whalemark-dev', `electron-${OLD}-for-tests`);
const dist = join(work, 'node_modules/electron/dist');
const note = join(work, 'started');

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
}

function electronIn(folder: string, version: string): void {
  write(join(folder, 'electron'), `#!/bin/sh\necho "${version} old=$WHALEMARK_OLD_ELECTRON" > '${note}'\n`);
  write(join(folder, 'version'), version);
}

const environment = (more: Record<string, string>): Record<string, string> => ({
  PATH: `${join(work, 'bin')}:${process.env['PATH'] ?? ''}`,
  HOME: work,
  XDG_CACHE_HOME: work,
  DISPLAY: ':99',
  ELECTRON_MIRROR: NOWHERE,
  DOCKER_HOST: 'tcp://127.0.0.1:9',
  ...more,
});

interface Start {
  code: number;
  said: string;
  /** Output of the started Electron; undefined if none was started. */
  started: string | undefined;
}

const start = (more: Record<string, string>): Promise<Start> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['scripts/start.mjs'],
      { cwd: work, env: environment(more) },
      (_, stdout, stderr) =>
        resolve({
          code: child.exitCode ?? -1,
          said: stdout + stderr,
          started: existsSync(note) ? readFileSync(note, 'utf8').trim() : undefined,
        }),
    );
    child.stdin?.end();
  });

// Only there is an old Electron to fall back on.
describe.runIf(process.platform === 'linux')('npm start', { tags: ['full'] }, () => {
  beforeAll(() => {
    cpSync(join(root, 'scripts'), join(work, 'scripts'), { recursive: true });
    cpSync(join(root, 'tests/rig'), join(work, 'tests/rig'), { recursive: true });
    write(join(work, 'scripts/build.mjs'), '');
    write(join(work, 'package-lock.json'), lock);
    write(join(work, 'package.json'), '{"type":"module"}');
    const modules = join(work, 'node_modules');
    write(join(modules, '.whalemark-lock-hash'), createHash('sha256').update(lock).digest('hex'));
    symlinkSync(join(root, 'node_modules/@electron'), join(modules, '@electron'));
    for (const name of ['docker', 'dockerd', 'apt-get', 'sudo']) {
      write(join(work, 'bin', name), '#!/bin/sh\nexit 1\n');
    }
    write(join(work, 'bin/dpkg-query'), '#!/bin/sh\nfor name; do echo "installed $name"; done\n');
  });
  beforeEach(() => {
    for (const made of [note, join(work, 'node_modules/electron')])
      rmSync(made, { recursive: true, force: true });
    for (const name of ['index.js', 'install.js', 'package.json', 'checksums.json']) {
      const file = join('node_modules/electron', name);
      write(join(work, file), readFileSync(join(root, file), 'utf8'));
    }
    electronIn(kept, OLD);
  });
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  it.each([
    ['', {}, [NOWHERE, 'ELECTRON_MIRROR', 'HTTPS_PROXY', 'npm config']],
    [' that a variable names', { ELECTRON_OVERRIDE_DIST_PATH: kept }, ['ELECTRON_OVERRIDE_DIST_PATH']],
  ])('starts no old Electron%s on a person’s machine, and says what to do', async (_, more, words) => {
    const { code, said, started } = await start({ ...PERSON, ...more });
    expect(started).toBeUndefined();
    expect(code).toBe(1);
    for (const word of words) expect(said).toContain(word);
  });

  it('starts the old one on a machine that is thrown away, with a banner', async () => {
    const { code, said, started } = await start(THROWN_AWAY);
    expect(started).toBe(`${OLD} old=${OLD}`);
    expect(code).toBe(0);
    expect(said).toMatch(new RegExp(`Electron ${OLD} .*security`));
  });

  it('prefers the wanted one as soon as it can be had', async () => {
    electronIn(join(work, 'fetched'), String(WANTED));
    const fetch = `require('fs').cpSync('${join(work, 'fetched')}', '${dist}', { recursive: true });
      require('fs').writeFileSync('${dist}/../path.txt', 'electron');`;
    write(join(work, 'node_modules/electron/install.js'), fetch);
    expect((await start(THROWN_AWAY)).started).toBe(`${WANTED} old=`);
  });

  it.each(['HTTP_PROXY', 'npm_config_proxy'])(
    'downloads from the mirror through the proxy of %s',
    async (name) => {
      const asked: string[] = [];
      const proxy = createServer((request, response) => {
        asked.push(String(request.url));
        response.writeHead(502).end();
      }).on('connect', (request, socket) => {
        asked.push(String(request.url));
        socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      const { port } = proxy.address() as AddressInfo;
      try {
        const mirror = { ELECTRON_MIRROR: 'http://mirror.invalid/' };
        await start({ ...PERSON, ...mirror, [name]: `http://127.0.0.1:${port}` });
      } finally {
        proxy.closeAllConnections();
        await new Promise((resolve) => proxy.close(resolve));
      }
      expect(asked.join(' ')).toContain('mirror.invalid');
    },
  );
});
