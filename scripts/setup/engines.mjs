import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { ENGINE_NAMES } from '../engines/inside.mjs';
import { runBeside } from '../engines/rig.mjs';
import { diskFile, makeDisk } from '../engines/vm-disk.mjs';
import { run, tryRun } from './command.mjs';
import { findImages, imageId } from './images.mjs';
import { step } from './report.mjs';
import { enginesDir, hasSid, provideSid, sidDir } from './sid.mjs';
import { repository } from './repository.mjs';

/** @typedef {import('../engines/inside.mjs').EngineName} EngineName */

/** @param {EngineName} engine @returns {import('../setup.mjs').Need} */
export const needOf = (engine) => (engine === 'vm' ? 'vm' : 'engines');

const NATIVE = ENGINE_NAMES.filter((name) => needOf(name) === 'engines');

export const ENGINE_PACKAGES = ['debootstrap', 'debian-archive-keyring', 'iproute2', 'openssh-client'];

/** @param {EngineName} engine */
const stampOf = (engine) => join(enginesDir(), engine, 'ready');

/** @param {EngineName} engine @param {string} state */
const isReady = (engine, state) =>
  existsSync(stampOf(engine)) && readFileSync(stampOf(engine), 'utf8') === state;

/** @returns {Promise<Record<string, string> | undefined>} */
export async function findEngines() {
  const state = await nativeState();
  return hasSid() && state !== undefined && NATIVE.every((name) => isReady(name, state)) ? {} : undefined;
}

/** @returns {Promise<Record<string, string>>} */
export async function provideEngines() {
  if (!hasSid()) await provideSid();
  const images = await wantedImages();
  if (images === undefined) throw new Error('Other engines load the test images; there are none.');
  const archive = join(enginesDir(), 'images.tar');
  await step('saving the test images for other engines', async () => {
    for (const image of images) if ((await imageId(image)) === '') await run('docker', ['pull', image]);
    await run('docker', ['save', '--output', archive, ...(await namesOf(images))]);
  });
  const state = String(await nativeState());
  for (const name of NATIVE.filter((one) => !isReady(one, state))) {
    await step(`loading them into ${name}`, async () => {
      const load = ['docker', 'load', '--quiet', '--input', archive];
      if ((await runBeside([name], load, { fresh: true })) !== 0)
        throw new Error(`${name} loaded no images.`);
      writeFileSync(stampOf(name), state);
    });
  }
  rmSync(archive);
  return {};
}

/** @returns {Promise<Record<string, string> | undefined>} */
export async function findVm() {
  const state = await vmState();
  return state !== undefined && isReady('vm', state) && existsSync(diskFile()) ? {} : undefined;
}

/** @returns {Promise<Record<string, string>>} */
export async function provideVm() {
  await step('making the disk of a virtual machine', () => makeDisk(join(enginesDir(), 'docker-28', 'data')));
  writeFileSync(stampOf('vm'), String(await vmState()));
  return {};
}

/** Changes with Debian sid's packages and with the images; undefined without images. */
async function nativeState() {
  const images = await wantedImages();
  if (images === undefined) return undefined;
  const ids = await Promise.all(images.map(imageId));
  return [sidDir(), ...ids, ...(await namesOf(images))].join(' ');
}

async function vmState() {
  const state = await nativeState();
  if (state === undefined) return undefined;
  const parts = ['vm-disk.mjs', 'guest-init.sh'].map((name) =>
    readFileSync(join(repository, 'scripts/engines', name), 'utf8'),
  );
  return createHash('sha256')
    .update([state, ...parts].join('\0'))
    .digest('hex');
}

/** The servers, and Node for the client; undefined before set-up has provided any. */
async function wantedImages() {
  const images = await findImages();
  if (images === undefined) return undefined;
  return ['MYSQL', 'MARIADB', 'NODE'].map((name) => String(images[`WHALEMARK_TEST_${name}_IMAGE`]));
}

/** @param {string[]} images */
async function namesOf(images) {
  const format = '{{range .RepoTags}}{{println .}}{{end}}';
  const { stdout } = await tryRun('docker', ['image', 'inspect', '--format', format, ...images]);
  return stdout.split('\n').filter(Boolean);
}
