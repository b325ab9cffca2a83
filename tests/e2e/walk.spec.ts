import AxeBuilder from '@axe-core/playwright';
import type { ConsoleMessage, Page } from '@playwright/test';
import { IS_FULL, sampled } from '../helpers/tier.ts';
import { expect, test } from './support/app.ts';
import { docker } from './support/routes/docker.ts';
import { history } from './support/routes/history.ts';
import { house } from './support/routes/house.ts';
import { live } from './support/routes/live.ts';
import { plansAndRuns } from './support/routes/plans-and-runs.ts';
import { presets } from './support/routes/presets.ts';
import { results, sharing } from './support/routes/results.ts';
import { databases } from './support/routes/databases.ts';
import { wizard } from './support/routes/wizard.ts';
import { cutOff, englishIn, textsOf, withoutQuotes } from './support/text-checks.ts';
import { visitOf } from './support/visit.ts';

/*
 * Every screen and state is visited twice. At each: no accessibility violation, nothing cut off, nothing to scroll
 * sideways for, every screen at the same distance from the left, no error in the console, and in Chinese no English. The gate
 * looks at the smallest window of each look, where all that is cut off is.
 */

const ROUTES = [plansAndRuns, live, results, sharing, presets, databases, wizard, history, house, docker];

const SMALLEST = { width: 1024, height: 640 };
const INTERIM_CHECKS = [
  {
    name: 'light, English, 100 %',
    settings: { theme: 'light', language: 'en' },
    sizes: sampled([SMALLEST, { width: 1240, height: 820 }], 2),
  },
  {
    name: 'dark, Chinese, 200 %',
    settings: { theme: 'dark', language: 'zh-CN' },
    // 1024×640 at 200% is what a page of 512×320 sees.
    sizes: sampled([{ width: 512, height: 320 }, SMALLEST], 2),
  },
] as const;

/** Charts take their new size a moment after the window. */
async function sidewaysOverflow(page: Page): Promise<number> {
  const main = page.locator('main');
  const now = (): Promise<number> => main.evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect
    .poll(now)
    .toBe(0)
    .catch(() => undefined);
  return now();
}

for (const { name: look, settings, sizes } of INTERIM_CHECKS) {
  /** Left edges of screens by the window's width. */
  const lefts: Partial<Record<number, number | undefined>> = {};
  for (const { name: route, start, visitors } of ROUTES) {
    test(`${route}: ${look}`, async ({ openFake }) => {
      const visit = visitOf(await openFake({ ...start(), settings }), settings.language);
      const { page } = visit;
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: null });
      await expect(page.locator('html')).toHaveAttribute('lang', settings.language);
      const wrong: string[] = [];
      const complain = (message: ConsoleMessage): void => {
        if (message.type() === 'error') wrong.push(`console: ${message.text()}`);
      };
      page.on('console', complain);
      for (const { name, go, isOthersText = false } of visitors) {
        await test.step(name, async () => {
          // A smaller window has less in view to click.
          await page.setViewportSize(SMALLEST);
          await go(visit);
          for (const size of sizes) {
            await page.setViewportSize(size);
            const at = `${name} at ${size.width}×${size.height}`;
            wrong.push(...(await cutOff(page)).map((text) => `${at}: cut off: ${text}`));
            const overflow = await sidewaysOverflow(page);
            if (overflow > 0) wrong.push(`${at}: ${overflow} px to scroll sideways`);
            const left = (await page.locator('.screen').first().boundingBox())?.x;
            if (left !== (lefts[size.width] ??= left)) wrong.push(`${at}: begins at ${left} px`);
          }
          // Between the two looks, what axe can see differs in the contrast; the full run takes all rules twice.
          const rules = settings.theme === 'dark' && !IS_FULL ? ['color-contrast'] : [];
          wrong.push(...(await axeViolations(page, rules)).map((violation) => `${name}: ${violation}`));
          if (settings.language === 'en' || isOthersText) return;
          for (const text of await textsOf(page)) {
            const english = englishIn(withoutQuotes(text, visit.quoted));
            if (english.length > 0)
              wrong.push(`${name}: English: ${english.join(' ')}: ${text.slice(0, 120)}`);
          }
        });
      }
      page.off('console', complain);
      expect([...new Set(wrong)]).toEqual([]);
    });
  }
}

/** A line for each violated rule, of all or of those named. */
async function axeViolations(page: Page, rules: string[] = []): Promise<string[]> {
  // Sending axe takes as long as a small screen's check, so a page gets it once.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  // The default mode opens a second page, which the app forbids.
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: ';' } : {}) }).setLegacyMode(true).options({
    resultTypes: ['violations'],
    ...(rules.length === 0 ? {} : { runOnly: { type: 'rule', values: rules } }),
  });
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}
