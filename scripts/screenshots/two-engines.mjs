import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CHINESE, ENGLISH, home, launch, screenOf, shoot } from './window.mjs';

/**
 * A stored result with two engines, as its file was opened.
 *
 * @param {string} file
 */
export async function shootEngines(file) {
  for (const t of [ENGLISH, CHINESE]) {
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ language: t === CHINESE ? 'zh-CN' : 'en' }));
    const { app, page } = await launch({});
    try {
      const { button } = screenOf(page);
      await app.evaluate(({ dialog }, path) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
      }, resolve(file));
      await button(t('home.openResult')).click();
      await page.getByRole('region', { name: t('result.numbers'), exact: true }).waitFor();
      await shoot(page, 'engines', t, page.locator('main .screen'));
    } finally {
      await app.close();
    }
  }
}
