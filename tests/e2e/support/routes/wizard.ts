import { WIZARD_STEPS } from '../../../../src/renderer/wizard/problems.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { button, type Route, type Visit, type Visitor } from '../visit.ts';

async function goTo({ page, t }: Visit, step: (typeof WIZARD_STEPS)[number]): Promise<void> {
  const name = t(`wizard.steps.${step}`);
  await page
    .getByRole('navigation', { name: t('wizard.stepper') })
    .getByRole('button', { name })
    .click();
  await page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
}

function openMore({ page, t }: Visit): Promise<void> {
  return page.getByText(t('wizard.more'), { exact: true }).click();
}

export const wizard: Route = {
  name: 'wizard',
  start: () => ({ story: 'troubled', pace: 0 }),
  visitors: [
    ...WIZARD_STEPS.map((step): Visitor => ({
      name: step,
      go: async (visit) => {
        const { page, t } = visit;
        if (step === WIZARD_STEPS[0]) await button(visit, t('app.newComparison')).click();
        await goTo(visit, step);
        await page.getByText(t('plan.disk'), { exact: true }).first().waitFor();
      },
    })),
    {
      name: 'storage, with NFS',
      go: async (visit) => {
        await goTo(visit, 'storage');
        await openMore(visit);
        await button(visit, visit.t('wizard.storage.addNfs')).click();
        await visit.page.getByRole('textbox', { name: visit.t('wizard.storage.address') }).waitFor();
      },
    },
    {
      name: 'network, with ingress',
      go: async (visit) => {
        await goTo(visit, 'network');
        await openMore(visit);
        const name = createTranslator(visit.language)('messages:choice.path.ingress.name');
        await visit.page.getByRole('checkbox', { name }).check();
      },
    },
  ],
};
