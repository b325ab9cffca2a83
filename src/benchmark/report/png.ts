import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import startWasm, { Renderer } from '@takumi-rs/wasm';
import { CARD_STYLES, type CardNode } from '../../shared/pictures/card-node.ts';

export interface PngAssets {
  wasm: Uint8Array;
  fonts: Uint8Array[];
  /** The font is large. */
  hanFont: () => Promise<Uint8Array>;
}

const FONT_FILES = ['Inter-Regular.ttf', 'Inter-Bold.ttf'];
const HAN_FONT_FILE = 'NotoSansSC-Regular.ttf';
const HAN = /[\u0530-\u1dff\u2e80-\ud7ff\uf900-\uffff]|[\u{10000}-\u{10ffff}]/u;

const PNG_SCALE = 2;
const WIDTH = 1200;

/** Assets come from scripts/build/report-assets.mjs. Rejects if one is missing. */
export async function loadPngAssets(directory: string): Promise<PngAssets> {
  const [wasm, ...fonts] = await Promise.all(
    ['takumi.wasm', ...FONT_FILES].map((name) => readFile(join(directory, name))),
  );
  if (wasm === undefined) throw new Error('takumi.wasm was not read');
  return { wasm, fonts, hanFont: () => readFile(join(directory, HAN_FONT_FILE)) };
}

let started: Promise<unknown> | undefined;

/** Only the given fonts are used. */
export async function renderPng(card: CardNode, assets: PngAssets): Promise<Uint8Array> {
  started ??= startWasm({ module_or_path: Uint8Array.from(assets.wasm) }).catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  await started;
  const needsHan = HAN.test(JSON.stringify(card));
  const renderer = new Renderer();
  try {
    for (const data of assets.fonts) await renderer.registerFont({ name: 'Inter', data });
    if (needsHan) await renderer.registerFont({ name: 'Noto Sans SC', data: await assets.hanFont() });
    return await renderer.render(card, {
      width: PNG_SCALE * WIDTH,
      devicePixelRatio: PNG_SCALE,
      css: [CARD_STYLES],
    });
  } finally {
    renderer.free();
  }
}
