import process from 'node:process';
import { cpSync, mkdtempSync, writeFileSync, existsSync, readFileSync } from 'node:fs';
import { _electron } from '@playwright/test';
import { setup } from './scripts/setup.mjs';
const { env } = await setup({ needs: ['modules', 'electron', 'display'] });
Object.assign(process.env, env);
for (const [look, lang, theme, size] of [['light','en','light',[1240,820]],['dark-zh','zh-CN','dark',[1024,640]]]) {
  const home = mkdtempSync('/tmp/exp/shot-');
  cpSync('/tmp/exp/home', home, { recursive: true });
  writeFileSync(home + '/settings.json', JSON.stringify({ language: lang, theme }));
  const app = await _electron.launch({ cwd: '/root/wt/experiments', args: ['.', '--disable-gpu', '/tmp/exp/overlay.whalemark'], env: { ...process.env, WHALEMARK_HOME: home } });
  const page = await app.firstWindow();
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: null });
  await app.evaluate(({ BrowserWindow }, [w, h]) => BrowserWindow.getAllWindows()[0].setContentSize(w, h), size);
  const region = page.locator('section[aria-labelledby="published-title"]');
  try { await region.waitFor({ timeout: 60000 }); } catch { await page.screenshot({ path: `/tmp/exp/shots/fail-${look}.png` }); console.log('not found'); await app.close(); continue; }
  for (const id of ['published', 'steadiness', 'transactions', 'why']) {
    const one = page.locator(`section[aria-labelledby="${id}-title"]`);
    await one.scrollIntoViewIfNeeded();
    await one.screenshot({ path: `/tmp/exp/shots/${look}-${id}.png` });
  }
  await app.close();
}
process.exit(0);
