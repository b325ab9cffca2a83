import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/*
 * Electron-builder itself makes the AppImage, by Whalemark's electron-builder.yml. Its tools can't be fetched everywhere, and pack what is
 * looked at here: the folder that they are given.
 */

const root = join(import.meta.dirname, '../../..');
/** Made by the first test: a tier without these tests makes none. */
const work = join(tmpdir(), `whalemark-appimage-${process.pid}`);
const project = join(work, 'project');
const packed = join(work, 'packed');

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

// AppImages are made and run on Linux.
describe.runIf(process.platform === 'linux')('the AppImage', { tags: ['full'] }, () => {
  beforeAll(() => {
    cpSync(join(root, 'packaging'), join(project, 'packaging'), { recursive: true });
    for (const name of ['package.json', 'LICENSE']) cpSync(join(root, name), join(project, name));
    // Fuses are in a real Electron only.
    const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8').replace(/^afterPack:.*$/m, '');
    write(join(project, 'electron-builder.yml'), config);
    write(join(project, 'out/main/main.cjs'), '// of the package');
    const electron = join(work, 'electron');
    write(join(electron, 'electron'), '#!/bin/sh\n', 0o755);
    for (const language of ['en-US', 'zh-CN']) write(join(electron, 'locales', `${language}.pak`), '');
    for (const name of ['LICENSE', 'LICENSES.chromium.html']) write(join(electron, name), 'none');
    const tools = join(work, 'tools');
    const host = join(tools, `linux-${process.arch}`);
    write(join(host, 'mksquashfs'), `#!/bin/sh\nset -e\ncp -a "$1" '${packed}'\n: > "$2"\n`, 0o755);
    write(join(host, 'desktop-file-validate'), '#!/bin/sh\n', 0o755);
    write(join(tools, `runtime-${process.arch}`), 'none');
    mkdirSync(join(tools, 'lib/x64'), { recursive: true });
    const icons = join(project, '.cache/icons');
    for (const name of ['linux/512x512.png', 'whalemark.png']) {
      cpSync(join(root, 'docs/screenshots/home-light.png'), join(icons, name));
    }
    execFileSync(
      process.execPath,
      [
        join(root, 'node_modules/electron-builder/cli.js'),
        ...['--linux', 'AppImage', `--${process.arch}`, '--publish', 'never', '--projectDir', project],
        ...[
          `-c.electronDist=${electron}`,
          '-c.electronVersion=45.0.0',
          '-c.extraMetadata.homepage=https://example.org',
        ],
      ],
      { env: { ...process.env, APPIMAGE_TOOLS_PATH: tools }, stdio: 'pipe' },
    );
  }, 60_000);
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  it('is started from its desktop entry with Chromium’s sandbox on', () => {
    const name = readdirSync(packed).find((file) => file.endsWith('.desktop')) ?? '';
    const command = /^Exec=(.*)$/m.exec(readFileSync(join(packed, name), 'utf8'))?.[1];
    expect(command).toMatch(/^AppRun\b/);
    expect(command).not.toContain('sandbox');
  });
});
