import { join } from 'node:path';
import { flipFuses, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';
import { Arch } from 'electron-builder';
import { FUSES } from '../scripts/build/fuses.mjs';

/**
 * The wire's place of a fuse; the wire calls `runAsNode` `RunAsNode`.
 * @param {string} name
 * @returns {number}
 */
const placeOf = (name) => {
  const place = /** @type {Record<string, unknown>} */ (FuseV1Options)[
    name.charAt(0).toUpperCase() + name.slice(1)
  ];
  if (typeof place !== 'number') throw new Error(`@electron/fuses knows no fuse “${name}”`);
  return place;
};

/**
 * Electron-builder's hook between packing and signing. Sets every fuse that this Electron has; one that
 * scripts/build/fuses.mjs does not decide ends the build.
 *
 * @param {import('electron-builder').AfterPackContext} context
 */
export default async function afterPack({ appOutDir, arch, electronPlatformName, packager }) {
  const product = packager.appInfo.productFilename;
  const isMac = electronPlatformName === 'darwin';
  const executable = join(
    appOutDir,
    isMac ? `${product}.app` : electronPlatformName === 'win32' ? `${product}.exe` : packager.executableName,
  );

  const wire = await getCurrentFuseWire(executable);
  const known = new Map(Object.entries(FUSES).map(([name, { value }]) => [placeOf(name), value]));
  const places = Object.keys(wire)
    .filter((key) => key !== 'version')
    .map(Number);
  const undecided = places.filter((place) => !known.has(place));
  if (undecided.length > 0)
    throw new Error(
      `Electron has fuses that scripts/build/fuses.mjs does not decide: ${undecided.join(', ')}`,
    );
  await flipFuses(executable, {
    version: FuseVersion.V1,
    // Changing the program breaks the signature that Apple silicon asks for; a real one comes later, if there is one.
    resetAdHocDarwinSignature: isMac && arch === Arch.arm64,
    ...Object.fromEntries(places.map((place) => [place, known.get(place)])),
  });
}
