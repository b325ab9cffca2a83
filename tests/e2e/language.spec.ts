import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../src/shared/model/language.ts';
import { expect, test } from './support/app.ts';
import { visitOf, VISITORS } from './support/screens.ts';
import { cutOff, englishIn, textsOf } from './support/text-checks.ts';
import { newFolder } from './support/folders.ts';

/** Slow enough for the live screen to stand still while it is looked at. */
const ENV = { WHALEMARK_FAKE: 'troubled', WHALEMARK_FAKE_PACE: '120' };
const SIZES = [
  { width: 1024, height: 640 },
  { width: 1240, height: 820 },
];

/** What is shown as somebody else wrote it: published experiments, Docker, a server, the user of this test. */
const QUOTED = [
  ...publishedTexts(),
  'registry-1.docker.io: no such host',
  'connect ETIMEDOUT',
  'MySQL Community Server - GPL',
  'Compare my setup (compare-my-setup-copy)',
  // What an older version wrote of a kept dataset.
  'mariadb:11.8, tpcc with 2 warehouses',
  'What does Docker cost my MySQL?',
  'default',
];

/** Every text of the published experiments, the longest first: one may stand in another. */
function publishedTexts(): string[] {
  const folder = join(import.meta.dirname, '../../assets/reference');
  const texts = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
  };
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => texts(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
    .filter((text) => text.includes(' '))
    .sort((one, other) => other.length - one.length);
}

function homeIn(language: Language): string {
  const home = newFolder('e2e');
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
        }
        if (language === 'en') return;
        for (const text of await textsOf(page)) {
          const own = QUOTED.reduce((left, quoted) => left.replaceAll(quoted, ''), text);
          const english = englishIn(own);
          if (english.length > 0) wrong.push(`${name}: English: ${english.join(' ')}: ${text.slice(0, 120)}`);
        }
      });
    }
    expect([...new Set(wrong)]).toEqual([]);
  });
}
