import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { button, home, openEverything, resultShown, type Route, type Visit } from '../visit.ts';
import { composeFile, openDialogsWith } from '../databases.ts';

/** Names that a user gives to projects, services, and volumes, and what others call things. */
const NAMES = [
  'wiki-mariadb',
  'mariadb:11.8',
  'wiki-data',
  'shop',
  'db',
  'reports',
  'legacy',
  'orders',
  'archive',
];
const TERMS = ['soft', 'its replicas share one folder', 'your-database', 'no service is a database'];

async function open(visit: Visit, fixture?: string): Promise<void> {
  await openDialogsWith(visit.app, composeFile(fixture));
  await button(visit, visit.t('database.open')).click();
}

export const databases: Route = {
  name: 'databases',
  start: () => ({ story: 'databases', pace: 0 }),
  visitors: [
    {
      name: 'home',
      go: async (visit) => {
        visit.quoted.push(...NAMES, ...TERMS);
        await visit.page.getByRole('heading', { name: visit.t('database.title') }).waitFor();
        await button(visit, visit.t('plan.start')).and(visit.page.locator(':enabled')).waitFor();
      },
    },
    {
      name: 'plan of a container',
      go: async (visit) => {
        await visit.page.getByRole('button', { name: /^wiki-mariadb/ }).click();
        await button(visit, visit.t('plan.start')).and(visit.page.locator(':enabled')).waitFor();
      },
    },
    {
      name: 'several services, one of them refused',
      go: async (visit) => {
        await open(visit, 'several.yaml');
        await visit.page.getByRole('radio', { name: /^legacy/ }).check();
        await visit.page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'a file that is refused',
      go: async (visit) => {
        await open(visit, 'no-database.yaml');
        await button(visit, visit.t('database.again')).waitFor();
      },
    },
    {
      name: 'result with a change',
      go: async (visit) => {
        const { page, t, language } = visit;
        await home(visit);
        await open(visit);
        await button(visit, t('plan.start')).click();
        await resultShown(visit);
        const title = createTranslator(language)('report:advice.title');
        await page
          .getByRole('region', { name: title })
          .getByText(createTranslator(language)('report:override.back'))
          .first()
          .waitFor();
        await openEverything(visit);
      },
    },
  ],
};
