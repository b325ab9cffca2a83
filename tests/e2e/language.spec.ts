import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Language } from '../../src/shared/i18n.ts';
import { expect, test } from './support/app.ts';
import { visitOf, VISITORS } from './support/screens.ts';
import { cutOff, englishIn, textsOf } from './support/text-checks.ts';

/** Slow enough for the live screen to stand still while it is looked at. */
const ENV = { WHALEMARK_FAKE: 'troubled', WHALEMARK_FAKE_PACE: '25' };
const SIZES = [
  { width: 1024, height: 640 },
  { width: 1240, height: 820 },
];

/** Words that are shown as somebody else wrote them: a published experiment, a machine, the system. */
const QUOTED = [
  /Smash MySQL on Docker for Mac|MySQL with Docker – Performance characteristics|MySQL Benchmarks – NFS vs Local Storage|Measuring Percona Server Docker CPU\/network overhead/g,
];

function homeIn(language: Language): string {
  const home = mkdtempSync(join(tmpdir(), 'whalemark-e2e-'));
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ language }));
  return home;
}

for (const language of ['zh-CN', 'en'] as const) {
  test(`nothing is cut off on any screen, and all of it is in the language: ${language}`, async ({
    launch,
    fakeApp,
  }) => {
    const { page } = await launch({ folder: fakeApp, home: homeIn(language), env: ENV });
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    const visit = visitOf(page, language);
    const wrong: string[] = [];
    for (const { name, go } of VISITORS) {
      await test.step(name, async () => {
        await go(visit);
        for (const size of SIZES) {
          await page.setViewportSize(size);
          const at = `${name} at ${size.width}×${size.height}`;
          wrong.push(...(await cutOff(page)).map((text) => `${at}: cut off: ${text}`));
          const shot = process.env['WHALEMARK_SHOTS'];
          if (shot !== undefined) {
            const file = `${language}-${String(VISITORS.findIndex((one) => one.name === name)).padStart(2, '0')}-${size.width}.png`;
            await page.screenshot({ path: join(shot, file) });
          }
        }
        if (language === 'en') return;
        for (const text of await textsOf(page)) {
          const own = QUOTED.reduce((left, quoted) => left.replace(quoted, ''), text);
          const english = englishIn(own);
          if (english.length > 0) wrong.push(`${name}: English: ${english.join(' ')}: ${text.slice(0, 120)}`);
        }
      });
    }
    expect([...new Set(wrong)]).toEqual([]);
  });
}
