import type { Page } from '@playwright/test';
import { ENGLISH as english } from '../../src/shared/words/i18n.ts';
import { t } from '../helpers/words.ts';
import { openRecent } from './support/recent.ts';
import { expect, test } from './support/app.ts';

interface Located {
  getClientRects(): Iterable<{ top: number; bottom: number; left: number; width: number }>;
}
interface InWindow {
  innerHeight: number;
  document: {
    querySelector(selector: string): unknown;
    createTreeWalker(root: unknown, what: number): { nextNode(): TextNode | null };
    createRange(): Located & {
      setStart(node: TextNode, at: number): void;
      setEnd(node: TextNode, at: number): void;
    };
  };
}
interface TextNode {
  data: string;
  parentElement: { closest(selector: string): { getBoundingClientRect(): { bottom: number } } | null };
}

/** The screen's words that are seen without scrolling. */
function wordsSeen(page: Page): Promise<string[]> {
  return page.evaluate((hidden) => {
    const { document, innerHeight } = globalThis as unknown as InWindow;
    const walker = document.createTreeWalker(document.querySelector('main'), 4);
    const seen: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement } = node;
      if (parentElement.closest(hidden) !== null) continue;
      const end = Math.min(
        innerHeight,
        parentElement.closest('pre')?.getBoundingClientRect().bottom ?? Infinity,
      );
      for (const { 0: word, index } of node.data.matchAll(/\S*[\p{L}\p{N}]\S*/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const isSeen = [...range.getClientRects()].some(({ bottom, width }) => width > 0 && bottom <= end);
        if (isSeen) seen.push(word);
      }
    }
    return seen;
  }, '.visually-hidden, svg, details:not([open]) > :not(summary)');
}

test('answer, certainty, and what to change are seen at once, in 120 words', async ({ openFake }) => {
  const { page } = await openFake({ settings: { appPlace: 'host' } });
  await page.setViewportSize({ width: 900, height: 650 });
  await openRecent(page);
  const words = await wordsSeen(page);
  expect(words.length, words.join(' ')).toBeLessThanOrEqual(120);
  for (const size of [
    { width: 1024, height: 640 },
    { width: 900, height: 650 },
  ]) {
    await page.setViewportSize(size);
    for (const whole of [
      page.getByRole('heading', { level: 1 }),
      page.getByRole('button', { name: english('report:advice.sure') }),
      page.getByText(english('report:aaCheck.short.imprecise')).first(),
      page.getByRole('button', { name: t('share.button') }),
      page.getByRole('group', { name: 'compose.yaml' }).first(),
    ]) {
      await expect(whole).toBeInViewport({ ratio: 1 });
    }
  }
  const { scrollHeight, clientHeight } = await page
    .locator('main')
    .evaluate(({ scrollHeight, clientHeight }: { scrollHeight: number; clientHeight: number }) => ({
      scrollHeight,
      clientHeight,
    }));
  expect(scrollHeight).toBeLessThanOrEqual(2 * clientHeight);
});

test('bars have the width of their axis', async ({ openFake }) => {
  const { page } = await openFake({ settings: { appPlace: 'host' } });
  await openRecent(page);
  const tables = await page.locator('.plots:has(tfoot):visible').all();
  expect(tables.length).toBeGreaterThan(0);
  for (const table of tables) {
    const [bar, axis] = await Promise.all(
      ['tbody .plot svg', 'tfoot .plot svg'].map((svg) => table.locator(svg).first().boundingBox()),
    );
    expect([axis?.x, axis?.width]).toEqual([bar?.x, bar?.width]);
  }
});
