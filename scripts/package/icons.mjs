import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IconIcns, IconIco } from '@shockpkg/icon-encoder';
import { Renderer } from '@takumi-rs/wasm/node';
import { root } from '../build/node-entry.mjs';

export const SIZES = {
  linux: [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024],
  ico: [16, 20, 24, 32, 40, 48, 64, 128, 256],
};

/** Apple's types by their edge; the second of a size is the Retina one of half of it. */
const ICNS = /** @type {const} */ ([
  ['ic04', 16],
  ['ic11', 32],
  ['ic05', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
]);

/**
 * @param {string} file
 * @returns {(size: number) => Promise<Uint8Array>} a PNG for an edge in pixels
 */
export function drawer(file) {
  const src = readFileSync(join(root, 'packaging', file), 'utf8');
  return (size) => {
    const edges = { width: size, height: size };
    return new Renderer().render({ type: 'image', src, ...edges }, edges);
  };
}

/** @param {string} folder made again */
export async function writeIcons(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'linux'), { recursive: true });
  for (const [drawing, name] of /** @type {const} */ ([
    ['icon.svg', 'icon'],
    ['document.svg', 'whalemark'],
  ])) {
    const png = drawer(drawing);
    const icns = new IconIcns();
    icns.toc = true;
    for (const [type, size] of ICNS) await icns.addFromPng(await png(size), [type], true);
    writeFileSync(join(folder, `${name}.icns`), icns.encode());
    const ico = new IconIco();
    // Only the largest as PNG: older readers take the others as bitmaps.
    for (const size of SIZES.ico) await ico.addFromPng(await png(size), size === 256, true);
    writeFileSync(join(folder, `${name}.ico`), ico.encode());
  }
  const png = drawer('icon.svg');
  for (const size of SIZES.linux)
    writeFileSync(join(folder, 'linux', `${size}x${size}.png`), await png(size));
}
