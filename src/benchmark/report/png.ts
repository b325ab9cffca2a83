import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { HAN } from '../../shared/pictures/text.ts';

export interface PngAssets {
  wasm: Uint8Array;
  fonts: Uint8Array[];
  /** East Asian letters; large, so only loaded for pictures that need them. */
  hanFont: () => Promise<Uint8Array>;
}

const FONT_FILES = ['Inter-Regular.ttf', 'Inter-SemiBold.ttf', 'Inter-Bold.ttf'];
const HAN_FONT_FILE = 'NotoSansSC-Regular.ttf';

const PNG_SCALE = 2;

/** Copied by the build (scripts/build/report-assets.mjs). Rejects if one is missing. */
export async function loadPngAssets(directory: string): Promise<PngAssets> {
  const [wasm, ...fonts] = await Promise.all(
    ['resvg.wasm', ...FONT_FILES].map((name) => readFile(join(directory, name))),
  );
  if (wasm === undefined) throw new Error('resvg.wasm was not read');
  return { wasm, fonts, hanFont: () => readFile(join(directory, HAN_FONT_FILE)) };
}

let renderer: Promise<void> | undefined;

function startRenderer(wasm: Uint8Array): Promise<void> {
  // Copied: a pooled Buffer shares memory.
  renderer ??= initWasm(Uint8Array.from(wasm)).catch((error: unknown) => {
    renderer = undefined;
    throw error;
  });
  return renderer;
}

/** Uses only the given fonts, so it looks the same everywhere. */
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
