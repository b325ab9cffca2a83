import { Renderer } from '@takumi-rs/wasm/node';
import { MOST_BYTES } from './texts.mjs';
import { linesIn } from './window.mjs';

/** Small, so that its texts can be read in the width of a GitHub page. */
const SIZE = { width: 1024, height: 720 };
const FRAMES_PER_SECOND = 2;
const EVERY_MS = 4000;
const LONGEST_MS = 900_000;
const LAST_MS = 5000;

/**
 * The last frame shows `end`.
 *
 * @param {import('@playwright/test').Page} page
 * @param {import('@playwright/test').Locator} end
 * @param {() => Promise<void>} [meanwhile] after each frame
 * @returns {Promise<{ bytes: Uint8Array, lines: string[] }>} an animated WebP, and the texts in it
 */
export async function film(page, end, meanwhile) {
  /** @type {Buffer[]} */
  const frames = [];
  /** @type {string[]} */
  const lines = [];
  const take = async () => {
    await page.setViewportSize(SIZE);
    frames.push(await page.screenshot());
    lines.push(...(await linesIn(page)));
  };
  while (!(await end.isVisible())) {
    await take();
    await meanwhile?.();
    await end.waitFor({ timeout: EVERY_MS }).catch(() => undefined);
    if (frames.length * EVERY_MS > LONGEST_MS) throw new Error('the run has no result');
  }
  const live = frames.length;
  await take();
  for (let step = 1; ; step++) {
    const chosen = frames.filter((_, index) => index >= live || index % step === 0);
    const bytes = await animated(chosen);
    if (bytes.length <= MOST_BYTES) return { bytes, lines };
  }
}

/** @param {readonly Buffer[]} frames the last one stays longer */
function animated(frames) {
  const images = frames.map((data, index) => ({ src: String(index), data }));
  return new Renderer().renderAnimation({
    images,
    scenes: images.map(({ src }, index) => ({
      node: { type: 'image', src, ...SIZE },
      durationMs: index === images.length - 1 ? LAST_MS : 1000 / FRAMES_PER_SECOND,
    })),
    ...SIZE,
    fps: FRAMES_PER_SECOND,
    format: 'webp',
  });
}
