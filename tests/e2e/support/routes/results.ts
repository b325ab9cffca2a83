import { button, home, openEverything, openPreset, resultShown, type Route } from '../visit.ts';

export const results: Route = {
  name: 'results',
  start: () => ({ story: 'disturbed', pace: 0 }),
  visitors: [
    {
      name: 'everything open, with another baseline',
      go: async (visit) => {
        const { page, t } = visit;
        await page.locator('li button:has(.headline)').first().click();
        await resultShown(visit);
        await openEverything(visit);
        await page.getByLabel(t('result.baseline'), { exact: true }).selectOption('bind-mount.host-network');
        await page
          .getByRole('region', { name: t('reproduce.title') })
          .getByRole('heading', { name: t('reproduce.command') })
          .waitFor();
      },
    },
    {
      name: 'beside published numbers',
      go: async (visit) => {
        await openPreset(visit, 'Storage types × network (Oracle 2016)');
        await button(visit, visit.t('plan.start')).click();
        await resultShown(visit);
      },
    },
    {
      name: 'of a sweep',
      go: async (visit) => {
        const { page, t } = visit;
        await openPreset(visit, 'Connection sweep');
        await button(visit, t('plan.start')).click();
        const sweep = page.getByRole('region', { name: t('sweep.title') });
        await sweep.getByText(t('charts.showTable')).click();
      },
    },
  ],
};

export const sharing: Route = {
  name: 'sharing',
  start: () => ({ story: 'private', pace: 0 }),
  visitors: [
    {
      name: 'picture',
      go: async (visit) => {
        const { page, t } = visit;
        await home(visit);
        await page.locator('li button:has(.headline)').first().click();
        await button(visit, t('share.button')).click();
        await page.getByRole('img', { name: t('share.picture') }).waitFor();
      },
    },
    ...(['html', 'csv'] as const).map(
      (format) =>
        ({
          name: format,
          go: async ({ page, t }) => {
            await page.getByRole('radio', { name: t(`share.formats.${format}`), exact: false }).check();
            await page.getByText(t('share.making')).waitFor({ state: 'hidden' });
          },
        }) satisfies Route['visitors'][number],
    ),
  ],
};
