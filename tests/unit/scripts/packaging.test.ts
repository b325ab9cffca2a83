import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { builderArguments } from '../../../scripts/package/arguments.mjs';
import { drawer, SIZES, writeIcons } from '../../../scripts/package/icons.mjs';

const root = join(import.meta.dirname, '../../..');

const targetsSchema = z.array(z.object({ target: z.string(), arch: z.array(z.string()) }));
const system = z.object({ target: targetsSchema });
const config = z
  .looseObject({
    directories: z.object({ output: z.string(), buildResources: z.string() }),
    files: z.array(z.string()),
    afterPack: z.string(),
    extraResources: z.array(z.object({ from: z.string(), to: z.string(), filter: z.array(z.string()) })),
    fileAssociations: z.array(z.record(z.string(), z.string())),
    mac: system.extend({
      hardenedRuntime: z.boolean(),
      notarize: z.boolean(),
      entitlements: z.string(),
      entitlementsInherit: z.string(),
    }),
    win: system.extend({ extraResources: z.array(z.object({ filter: z.array(z.string()) })) }),
    linux: system.extend({ executableName: z.string(), maintainer: z.string() }),
    appImage: z.object({ executableArgs: z.array(z.string()) }),
    deb: z.object({ fpm: z.array(z.string()) }),
  })
  .parse(parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')));

describe('what electron-builder is told', () => {
  const plain = { platform: 'linux', repository: '', given: [], testElectron: undefined };

  it('makes no deb without the home page that one needs, and says so', () => {
    const { args, leftOut } = builderArguments(plain);
    expect(args.slice(args.indexOf('--linux'))).toEqual([
      '--linux',
      'AppImage',
      'tar.gz',
      '--x64',
      '--arm64',
    ]);
    expect(leftOut).toContain('WHALEMARK_REPOSITORY');
  });

  it.each([
    ['with a home page', { ...plain, repository: 'somebody/whalemark' }],
    ['on another system', { ...plain, platform: 'darwin' }],
    ['where the user names what to make', { ...plain, given: ['--dir'] }],
  ])('is everything in electron-builder.yml %s', (_, of) => {
    const { args, leftOut } = builderArguments(of);
    expect(args).not.toContain('AppImage');
    expect(args.slice(args.length - of.given.length)).toEqual(of.given);
    expect(args.filter((arg) => arg.includes('homepage'))).toHaveLength(of.repository === '' ? 0 : 1);
    expect(leftOut).toBeUndefined();
  });

  it('names a package with the tests’ Electron as one for tests', () => {
    const { args } = builderArguments({ ...plain, testElectron: { dist: '/electron', version: '22.3.25' } });
    expect(args).toContain('-c.electronDist=/electron');
    expect(args.filter((arg) => arg.includes('artifactName'))).toHaveLength(1);
  });
});

describe('electron-builder.yml', () => {
  it('names only files that are there', () => {
    const files = [
      config.afterPack,
      config.mac.entitlements,
      config.mac.entitlementsInherit,
      ...config.extraResources.flatMap(({ from, filter }) => filter.map((name) => join(from, name))),
      ...config.win.extraResources.flatMap(({ filter }) => filter.map((name) => join('packaging/bin', name))),
      ...config.deb.fpm.map((mapping) => mapping.split('=')[0] ?? ''),
    ];
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  });

  it('asks macOS for a hardened runtime and for nothing but V8’s need', () => {
    expect(config.mac).toMatchObject({ hardenedRuntime: true, notarize: true });
    const entitlements = readFileSync(join(root, config.mac.entitlements), 'utf8');
    expect([...entitlements.matchAll(/<key>(.+?)<\/key>/g)].map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
    ]);
  });

  it('starts an AppImage with Chromium’s sandbox on, as electron-builder does only when told', () => {
    expect(config.appImage.executableArgs).toEqual([]);
  });

  it('starts the program that it makes', () => {
    const launcher = readFileSync(join(root, 'packaging/bin/whalemark'), 'utf8');
    expect(launcher).toContain(`/../${config.linux.executableName}`);
    expect(statSync(join(root, 'packaging/bin/whalemark')).mode & 0o111).not.toBe(0);
    expect(statSync(join(root, 'packaging/linux/whalemark')).mode & 0o111).not.toBe(0);
  });

  // On Linux tests/e2e/package.spec.ts starts the launcher and sees it; Windows' can't be started there.
  it.each([
    ['whalemark', /^unset NODE_OPTIONS$/m],
    ['whalemark.cmd', /^set NODE_OPTIONS=$/m],
  ])('hands nothing of somebody else’s shell to Node: %s', (name, emptied) => {
    const lines = readFileSync(join(root, 'packaging/bin', name), 'utf8');
    expect(lines).toMatch(emptied);
    expect(lines.search(emptied)).toBeLessThan(lines.lastIndexOf('whalemark.cjs'));
  });
});

describe('the icons', { tags: ['full'] }, () => {
  const folder = join(tmpdir(), `whalemark-test-icons-${process.pid}`);
  beforeAll(() => writeIcons(folder));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const bytes = (...name: string[]): Buffer => readFileSync(join(folder, ...name));

  it('are a file for each system, and a PNG of each size for Linux', () => {
    const names = ['icon', 'whalemark'].flatMap((name) => [`${name}.icns`, `${name}.ico`]);
    expect(readdirSync(folder).sort()).toEqual([...names, 'linux'].sort());
    expect(readdirSync(join(folder, 'linux')).sort()).toEqual(
      SIZES.linux.map((size) => `${size}x${size}.png`).sort(),
    );
    for (const size of SIZES.linux) {
      const png = bytes('linux', `${size}x${size}.png`);
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
    }
  });

  it('are drawn: the app’s is not the document’s, and neither is empty', async () => {
    const [app, document] = [await drawer('icon.svg')(256), await drawer('document.svg')(256)];
    expect(app.length).toBeGreaterThan(2_000);
    expect(document.length).toBeGreaterThan(2_000);
    expect(Buffer.from(app).equals(Buffer.from(document))).toBe(false);
  });
});
