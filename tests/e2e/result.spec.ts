import { ENGLISH as english } from '../../src/shared/words/i18n.ts';
import { t } from '../helpers/words.ts';
import { openRecent } from './support/recent.ts';
import { expect, test } from './support/app.ts';
import { wordsAboveTheFold } from './support/text-checks.ts';

test('answer, action, and certainty of a conclusive run are seen at once, in 120 words', async ({
  openFake,
}) => {
  const { page } = await openFake();
  await page.setViewportSize({ width: 900, height: 650 });
  await openRecent(page);
  const words = await wordsAboveTheFold(page);
  expect(words.length, words.join(' ')).toBeLessThanOrEqual(120);
  for (const size of [
    { width: 1024, height: 640 },
    { width: 900, height: 650 },
  ]) {
    await page.setViewportSize(size);
    for (const whole of [
      page.getByRole('heading', { level: 1 }),
      page.getByRole('region', { name: english('report:advice.sure') }),
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
