import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE, expect, test } from './support/app.ts';
import { resourcesOf } from './support/docker.ts';

test(
  'after kill -9 the next start removes what was left and shows what was measured',
  { tag: ENGINE },
  async ({ launch }) => {
    test.setTimeout(420_000);
    const env = { WHALEMARK_TEST_SCHEDULE: '{"rounds":3,"warmupSeconds":0,"durationSeconds":1}' };
    const { app, page, home } = await launch({ env });
    await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(page.getByText(/^[2-9] of 30 trials/)).toBeVisible({ timeout: 180_000 });

    const exited = new Promise<void>((resolve) => app.process().once('exit', () => resolve()));
    app.process().kill('SIGKILL');
    await exited;
    expect(resourcesOf(home)).not.toEqual([]);

    const second = await launch({ home });
    await expect(second.page.getByRole('region', { name: 'Passport of this setup' })).toBeVisible();
    await expect.poll(() => resourcesOf(home), { timeout: 20_000 }).toEqual([]);
    await expect.poll(() => readdirSync(join(home, 'bind')), { timeout: 20_000 }).toEqual([]);
    await second.page.getByRole('button', { name: /^Open the run of/ }).click();
    await expect(second.page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
    await expect(second.page.getByText(/measuring process ended unexpectedly/).first()).toBeVisible();

    await test.step('from there it goes on: what was measured stays, the next trial gets its number', async () => {
      await second.page.getByRole('button', { name: /^Go on: \d+ trials left$/ }).click();
      const text = await second.page.getByText(/trials keep their numbers/).textContent();
      const kept = Number(/(\d+) of 30 trials keep/.exec(text ?? '')?.[1]);
      expect(kept).toBeGreaterThanOrEqual(2);
      await second.page.getByRole('button', { name: 'Go on', exact: true }).click();
      await expect(second.page.getByText(new RegExp(`^${kept} of 30 trials`))).toBeVisible();
      await expect(second.page.getByText(new RegExp(`^${kept + 1} of 30 trials`))).toBeVisible({
        timeout: 120_000,
      });
      await second.page.getByRole('button', { name: 'Stop' }).click();
      await expect(second.page.getByText(/its numbers come from 2 sittings/)).toBeVisible({
        timeout: 60_000,
      });
      expect(resourcesOf(home)).toEqual([]);
    });
  },
);

test(
  'after the measuring process has crashed the app shows what was measured, and nothing is left',
  { tag: ENGINE },
  async ({ launch }) => {
    test.setTimeout(240_000);
    const env = { WHALEMARK_TEST_SCHEDULE: '{"rounds":3,"warmupSeconds":0,"durationSeconds":1}' };
    const { app, page, home } = await launch({ env });
    await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(page.getByText(/^[2-9] of 30 trials/)).toBeVisible({ timeout: 180_000 });

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
    await expect(page.getByText(/measuring process ended unexpectedly/).first()).toBeVisible();
    const [runId = ''] = readdirSync(join(home, 'runs'));
    expect(readdirSync(join(home, 'runs', runId))).toContain('result.json');
  },
);
