import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import {
  button,
  home,
  openEverything,
  openPreset,
  resultShown,
  unfoldPresets,
  type Route,
} from '../visit.ts';

export const plansAndRuns: Route = {
  name: 'plans and runs',
  start: () => ({ story: 'troubled', pace: 4 }),
  visitors: [
    {
      name: 'home',
      go: async (visit) => {
        const { page, t, say } = visit;
        await page.getByRole('heading', { name: t('passport.title') }).waitFor();
        await button(visit, t('home.review')).waitFor();
        await unfoldPresets(visit);
        await page.getByRole('heading', { name: say('Connection sweep') }).waitFor();
      },
    },
    {
      name: 'plan with groups',
      go: (visit) => openPreset(visit, 'Storage types × network (Oracle 2016)'),
    },
    {
      name: 'plan with consents',
      go: async (visit) => {
        await openPreset(visit, 'Overlay network');
        await visit.page.getByRole('checkbox').first().waitFor();
      },
    },
    {
      name: 'plan of a preset that is not complete',
      go: async (visit) => {
        await home(visit);
        await unfoldPresets(visit);
        const card = visit.page.locator('li.preset', { hasText: visit.say('NFS or local disk') });
        await card.getByText(visit.t('presets.open'), { exact: true }).click();
        await visit.page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'one-click plan',
      go: async (visit) => {
        await home(visit);
        await button(visit, visit.t('home.options')).click();
        await button(visit, visit.t('plan.start')).and(visit.page.locator(':enabled')).waitFor();
      },
    },
    {
      name: 'live, on battery, about to pause',
      go: async (visit) => {
        const { app, page, t, become } = visit;
        await become({ holdAfter: 50 });
        await button(visit, t('plan.start')).click();
        await page.locator('td.measured').nth(4).waitFor({ state: 'attached' });
        await page.locator('td.running').waitFor({ state: 'attached' });
        await openEverything(visit);
        await app.evaluate(({ powerMonitor }) => powerMonitor.emit('on-battery'));
        await page.getByText(t('live.battery')).waitFor();
        await button(visit, t('live.pause')).click();
        await page.getByText(t('live.pausing'), { exact: true }).waitFor();
      },
    },
    {
      name: 'settings beside a run',
      go: async (visit) => {
        await button(visit, visit.t('app.settings')).click();
        await visit.page.getByRole('heading', { name: visit.t('settings.leftovers'), exact: true }).waitFor();
      },
    },
    {
      name: 'result of a run that was stopped',
      go: async (visit) => {
        const { page, t, pattern } = visit;
        await page
          .getByRole('button', { name: pattern('app.runGoesOn') })
          .or(page.getByRole('button', { name: pattern('app.runPaused') }))
          .click();
        await button(visit, t('live.stop')).click();
        await resultShown(visit);
        await openEverything(visit);
      },
    },
    {
      name: 'the finished result of another run',
      go: async (visit) => {
        await home(visit);
        await visit.page.locator('li button:has(.headline)').last().click();
        await resultShown(visit);
        await openEverything(visit);
      },
    },
    {
      name: 'how a number is made',
      isOthersText: true,
      go: async (visit) => {
        const { page, t, language } = visit;
        const label = createTranslator(language)('report:table.interval', { confidence: '95' });
        await button(visit, t('method.link', { label })).first().click();
        await page.getByRole('dialog', { name: t('method.title') }).waitFor();
      },
    },
  ],
};
