import { button, home, unfoldPresets, type Route } from '../visit.ts';

export const presets: Route = {
  name: 'presets',
  start: () => ({ story: 'troubled', pace: 0 }),
  visitors: [
    {
      name: 'a preset’s menu',
      go: async (visit) => {
        await unfoldPresets(visit);
        await button(
          visit,
          visit.t('common.moreActions', { name: visit.say('Docker storage and network') }),
        ).click();
        await visit.page.getByRole('menu').waitFor();
      },
    },
    {
      name: 'editor with problems',
      go: async ({ page, t }) => {
        await page.getByRole('menuitem', { name: t('presets.duplicate') }).click();
        await page
          .getByRole('navigation', { name: t('wizard.stepper') })
          .getByRole('button', { name: t('wizard.steps.yaml') })
          .click();
        await page
          .getByRole('textbox', { name: t('editor.text') })
          .fill(
            'whalemark: 1\nid: Wrong\nschedule: { rounds: 0 }\nsweep: [2, 1]\ncolor: blue\nbaseline: nowhere\n',
          );
        await page.getByRole('button', { name: t('editor.goToLine', { line: 2 }) }).waitFor();
      },
    },
    {
      name: 'deleting a preset',
      go: async (visit) => {
        const { page, t, pattern } = visit;
        await home(visit);
        await page
          .getByRole('region', { name: t('presets.group.yours'), exact: true })
          .getByRole('button', { name: pattern('common.moreActions') })
          .click();
        await page.getByRole('menuitem', { name: t('presets.delete') }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
  ],
};
