import { button, type Route } from '../visit.ts';

/** Settings, and what can be read about the program. */
export const house: Route = {
  name: 'settings, licenses and diagnostics',
  start: () => ({ story: 'two-runtimes' }),
  visitors: [
    {
      name: 'settings',
      go: async (visit) => {
        await button(visit, visit.t('app.settings')).click();
        await button(visit, visit.t('settings.removeLeftovers', { count: 3 })).waitFor();
      },
    },
    {
      name: 'leftovers that the user decides on',
      go: async (visit) => {
        await button(visit, visit.t('settings.removeUndecided', { count: 3 })).click();
        await visit.page.getByRole('dialog', { name: visit.t('settings.removeUndecidedTitle') }).waitFor();
      },
    },
    {
      name: 'about',
      go: async (visit) => {
        await visit.page.keyboard.press('Escape');
        await button(visit, visit.t('settings.aboutOpen')).click();
        await visit.page.getByRole('dialog').getByText('Chromium').first().waitFor();
      },
    },
    {
      name: 'licenses',
      isOthersText: true,
      go: async (visit) => {
        await button(visit, visit.t('about.licenses')).click();
        await visit.page
          .getByRole('dialog', { name: visit.t('about.licensesTitle') })
          .getByText('svelte', { exact: true })
          .waitFor();
      },
    },
    {
      name: 'diagnostics',
      go: async (visit) => {
        await visit.page.keyboard.press('Escape');
        await visit.page.keyboard.press('Escape');
        await button(visit, visit.t('diagnostics.open')).click();
        await visit.page.getByText('### Whalemark diagnostics').waitFor();
      },
    },
    {
      name: 'after the core has died',
      go: async (visit) => {
        const { page, t, become } = visit;
        await page.keyboard.press('Escape');
        await button(visit, t('app.home')).click();
        await become({ story: 'dies' });
        await button(visit, t('home.options')).click();
        await button(visit, t('plan.start')).click();
        await button(visit, t('menu.diagnostics')).first().waitFor();
      },
    },
  ],
};
