import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { HAN } from './svg.ts';

/** What drawing needs beside the program. */
export interface PngAssets {
  /** The SVG renderer as WebAssembly. */
  wasm: Uint8Array;
  /** TrueType fonts of the family Inter. */
  fonts: Uint8Array[];
  /** A font with the letters of East Asia; only asked for by a picture that needs it, since it is large. */
  hanFont: () => Promise<Uint8Array>;
}

const FONT_FILES = ['Inter-Regular.ttf', 'Inter-SemiBold.ttf', 'Inter-Bold.ttf'];
const HAN_FONT_FILE = 'NotoSansSC-Regular.ttf';

/** Pixels per unit of the SVG: sharp on dense screens. */
const PNG_SCALE = 2;

/** Reads the assets that the build copied to `directory` (scripts/build/report-assets.mjs). Rejects if one is missing. */
export async function loadPngAssets(directory: string): Promise<PngAssets> {
  const [wasm, ...fonts] = await Promise.all(
    ['resvg.wasm', ...FONT_FILES].map((name) => readFile(join(directory, name))),
  );
  if (wasm === undefined) throw new Error('resvg.wasm was not read');
  return { wasm, fonts, hanFont: () => readFile(join(directory, HAN_FONT_FILE)) };
}

let renderer: Promise<void> | undefined;

/** The module may be initialised only once in a process; after a failure it may be tried again. */
function startRenderer(wasm: Uint8Array): Promise<void> {
  // Copied: a Buffer of a pool shares its memory with others.
  renderer ??= initWasm(Uint8Array.from(wasm)).catch((error: unknown) => {
    renderer = undefined;
    throw error;
  });
  return renderer;
}

/**
 * Draws an SVG at twice its size. Texts are set in the given fonts only, so it looks the same everywhere; a letter that none
 * of them has becomes a crossed box.
 */
export async function renderPng(svg: string, assets: PngAssets): Promise<Uint8Array> {
  await startRenderer(assets.wasm);
  const fonts = HAN.test(svg) ? [...assets.fonts, await assets.hanFont()] : assets.fonts;
  const picture = new Resvg(svg, {
    font: { fontBuffers: fonts, defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' },
    fitTo: { mode: 'zoom', value: PNG_SCALE },
  });
  try {
    const image = picture.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    picture.free();
  }
}
