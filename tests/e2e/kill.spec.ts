import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pattern, t } from '../helpers/words.ts';
import { createTranslator } from '../../src/shared/words/i18n.ts';
import { ENGINE, expect, FULL, test } from './support/app.ts';
import { resourcesOf } from './support/docker.ts';
import { homeWithSmallPreset, startSmall } from './support/small-preset.ts';

const CORE_LOST = createTranslator('en')('errors:CORE_LOST.message');
const SESSIONS = createTranslator('en')('messages:notice.continued.sessions', { count: 2 });

test(
  'after kill -9 the next start removes what was left and shows what was measured',
  { tag: ENGINE },
  async ({ launch }) => {
    const { app, page, home } = await launch({ home: homeWithSmallPreset(20) });
    await startSmall(page);
    await expect(page.locator('td.measured')).toHaveCount(2, { timeout: 100_000 });

    const exited = new Promise<void>((resolve) => app.process().once('exit', () => resolve()));
    app.process().kill('SIGKILL');
    await exited;
    expect(resourcesOf(home)).not.toEqual([]);

    const second = await launch({ home });
    await expect(second.page.getByRole('region', { name: t('passport.title') })).toBeVisible();
    await expect.poll(() => resourcesOf(home), { timeout: 20_000 }).toEqual([]);
    await expect.poll(() => readdirSync(join(home, 'bind')), { timeout: 20_000 }).toEqual([]);
    await second.page.getByRole('button', { name: pattern('recent.open') }).click();
    await expect(second.page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
    await expect(second.page.getByText(CORE_LOST).first()).toBeVisible();

    await test.step('from there it goes on: what was measured stays, the next trial gets its number', async () => {
      await second.page.getByRole('button', { name: t('plan.goOn'), exact: true }).click();
      // The plan says how many keep their numbers.
      const text = await second.page.getByText(pattern('plan.continuedText')).textContent();
      const kept = Number(/\d+/.exec(pattern('plan.continuedText').exec(text ?? '')?.[0] ?? '')?.[0]);
      expect(kept).toBeGreaterThanOrEqual(2);
      await second.page.getByRole('button', { name: t('plan.goOn'), exact: true }).click();
      await expect(second.page.locator('td.measured')).toHaveCount(kept);
      await expect(second.page.locator('td.measured')).toHaveCount(kept + 1, { timeout: 60_000 });
      await second.page.getByRole('button', { name: t('live.stop') }).click();
      await expect(second.page.getByText(SESSIONS)).toBeVisible({
        timeout: 60_000,
      });
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
    expect(readdirSync(join(home, 'runs', runId))).toContain('view.ndjson');
  },
);
