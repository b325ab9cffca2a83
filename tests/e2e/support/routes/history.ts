import { homeWithTwo, OTHERS, OURS } from '../stored-runs.ts';
import { button, type Route } from '../visit.ts';

export const history: Route = {
  name: 'history and comparison',
  start: () => ({ prepare: homeWithTwo }),
  visitors: [
    {
      name: 'two runs chosen, and the menu of one',
      go: async (visit) => {
        const { page, t, pattern } = visit;
        visit.quoted.push(OURS, OTHERS, 'train');
        await button(visit, t('app.history')).click();
        for (const name of [OURS, OTHERS]) {
          await page.getByRole('checkbox', { name: pattern('history.select', { name }) }).check();
        }
        await page.getByRole('button', { name: pattern('history.actions', { name: OTHERS }) }).click();
        await page.getByRole('menu').waitFor();
      },
    },
    {
      name: 'name and note',
      go: async ({ page, t }) => {
        await page.getByRole('menuitem', { name: t('history.edit') }).click();
        await page.getByRole('textbox', { name: t('history.dialog.note') }).fill('train');
      },
    },
    {
      name: 'comparison',
      go: async (visit) => {
        const { page, t, pattern } = visit;
        await button(visit, t('common.save')).click();
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
        await button(visit, t('history.compare')).click();
        await page.getByText(pattern('compare.equal')).click();
      },
    },
    {
      name: 'a run that no trash takes',
      go: async (visit) => {
        const { app, page, t, pattern } = visit;
        await app.evaluate(({ shell }) => {
          shell.trashItem = () => Promise.reject(new Error('no trash'));
        });
        await button(visit, t('app.history')).click();
        await page.getByRole('button', { name: pattern('history.actions', { name: OURS }) }).click();
        await page.getByRole('menuitem', { name: t('history.delete') }).click();
        await button(visit, t('history.deleteConfirm')).waitFor();
      },
    },
  ],
};
