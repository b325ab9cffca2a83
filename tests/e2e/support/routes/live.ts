import { button, home, openEverything, type Route } from '../visit.ts';

export const live: Route = {
  name: 'live, side by side',
  start: () => ({ story: 'side-by-side', pace: 0, holdAfter: 1 }),
  visitors: [
    {
      name: 'getting ready',
      go: async (visit) => {
        await button(visit, visit.t('home.options')).click();
        await button(visit, visit.t('plan.start')).click();
        await visit.page.getByRole('heading', { name: visit.t('live.ready') }).waitFor();
      },
    },
    {
      name: 'slices',
      go: async (visit) => {
        const { page, t, become } = visit;
        await become({ holdAfter: 60 });
        await page
          .getByRole('region', { name: t('live.answer') })
          .locator('.verdict.slower')
          .first()
          .waitFor();
        await openEverything(visit);
      },
    },
    {
      name: 'paused',
      go: async (visit) => {
        await button(visit, visit.t('live.pause')).click();
        await visit.become({ holdAfter: 80 });
        await visit.page.getByText(visit.t('live.pausedHint')).waitFor();
      },
    },
    { name: 'home next to a paused run', go: home },
  ],
};
