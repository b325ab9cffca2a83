import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pattern, t } from '../helpers/words.ts';
import { createTranslator } from '../../src/shared/words/i18n.ts';
import { ENGINE, expect, FULL, test } from './support/app.ts';
import { openEverything } from './support/visit.ts';
import { resourcesOf } from './support/docker.ts';
import { homeWithSmallPreset, startSmall } from './support/small-preset.ts';

const CORE_LOST = createTranslator('en')('errors:CORE_LOST.message');
const SESSIONS = createTranslator('en')('messages:notice.continued', { count: 2 });

test(
  'after kill -9 nothing is left, and the next start shows what was measured',
  { tag: ENGINE },
  async ({ launch }) => {
    const { app, page, home } = await launch({ home: homeWithSmallPreset(20) });
    await startSmall(page);
    await expect(page.locator('td.measured')).toHaveCount(2, { timeout: 100_000 });

    expect(resourcesOf(home)).not.toEqual([]);
    const exited = new Promise<void>((resolve) => app.process().once('exit', () => resolve()));
    app.process().kill('SIGKILL');
    await exited;
    await expect.poll(() => resourcesOf(home), { timeout: 30_000 }).toEqual([]);
    await expect.poll(() => readdirSync(join(home, 'bind')), { timeout: 30_000 }).toEqual([]);

    const second = await launch({ home });
    await expect(second.page.getByRole('region', { name: t('passport.title') })).toBeVisible();
    await second.page.getByRole('button', { name: pattern('recent.open') }).click();
    await expect(second.page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
    await expect(second.page.getByText(CORE_LOST).first()).toBeVisible();

    await test.step('from there it goes on: what was measured stays, the next trial gets its number', async () => {
      const measured = second.page.locator('td.measured');
      await second.page.getByRole('button', { name: pattern('result.measureOn') }).click();
      await expect.poll(() => measured.count()).toBeGreaterThanOrEqual(2);
      const kept = await measured.count();
      await expect(measured).toHaveCount(kept + 1, { timeout: 60_000 });
      await second.page.getByRole('button', { name: t('live.stop') }).click();
      await expect(second.page.getByRole('button', { name: t('share.button') })).toBeVisible({
        timeout: 60_000,
      });
      await openEverything(second);
      await expect(second.page.getByText(SESSIONS)).toBeVisible();
      expect(resourcesOf(home)).toEqual([]);
    });
  },
);

test(
  'after the measuring process has crashed the app shows what was measured, and nothing is left',
  { tag: [ENGINE, FULL] },
  async ({ launch }) => {
    const { app, page, home } = await launch({ home: homeWithSmallPreset(20) });
    await startSmall(page);
    await expect(page.locator('td.measured')).toHaveCount(2, { timeout: 100_000 });

    const pids = await app.evaluate(({ app: electron }) =>
      electron
        .getAppMetrics()
        .filter(({ name, serviceName }) => [name, serviceName].includes('whalemark-core'))
        .map(({ pid }) => pid),
    );
    expect(pids).toHaveLength(1);
    expect(resourcesOf(home)).not.toEqual([]);
    for (const pid of pids) process.kill(pid, 'SIGKILL');

    await expect.poll(() => resourcesOf(home), { timeout: 60_000 }).toEqual([]);
    await expect.poll(() => readdirSync(join(home, 'bind')), { timeout: 20_000 }).toEqual([]);
    await expect(page.getByText(CORE_LOST).first()).toBeVisible();
    const [runId = ''] = readdirSync(join(home, 'runs'));
    expect(readdirSync(join(home, 'runs', runId))).toContain('listed.json');
  },
);
