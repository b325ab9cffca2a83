import { writeContext } from '../integration/helpers/docker-contexts.ts';
import { startSecondEngine } from '../integration/helpers/second-engine.ts';
import { t } from '../helpers/words.ts';
import { ENGINE, expect, FULL, test } from './support/app.ts';
import { resourcesOf } from './support/docker.ts';
import { newFolder } from './support/folders.ts';
import { unfold } from './support/visit.ts';

const IMAGE = process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'mysql:8.4';

test(
  'home compares the two engines of this machine, and the result has both',
  { tag: [ENGINE, FULL] },
  async ({ launch }) => {
    test.setTimeout(300_000);
    const second = await startSecondEngine({ isApart: false, subnet: '172.29.6' });
    try {
      await second.load(IMAGE);
      const contexts = newFolder('contexts');
      await writeContext(contexts, 'second', second.endpoint);
      const { page, home } = await launch({ env: { DOCKER_CONFIG: contexts } });
      await page.getByRole('button', { name: t('home.engines', { engines: '2' }) }).click();
      await page.getByText(t('plan.moreOptions'), { exact: true }).click();
      await page.getByLabel(t('plan.atMost')).selectOption('1');
      await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
      await expect(page.getByRole('button', { name: t('share.button') })).toBeVisible({ timeout: 200_000 });
      const numbers = await unfold(page, t('result.numbers'));
      for (const name of [
        /^Docker Engine .+ \(default\): named volume/,
        /^Docker Engine .+ \(second\): named volume/,
      ]) {
        const row = numbers.getByRole('row').filter({ has: page.getByText(name) });
        await expect(row.first()).toContainText(/\d{2,}/);
      }
      expect(resourcesOf(home)).toEqual([]);
      expect(await second.docker('ps', '--all', '--quiet')).toBe('');
    } finally {
      await second.remove();
    }
  },
);
