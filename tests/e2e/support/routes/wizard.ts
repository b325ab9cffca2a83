import { WIZARD_STEPS } from '../../../../src/shared/wizard/problems.ts';
import { button, type Route, type Visitor } from '../visit.ts';

export const wizard: Route = {
  name: 'wizard',
  start: () => ({ story: 'troubled', pace: 0 }),
  visitors: WIZARD_STEPS.map((step): Visitor => ({
    name: step,
    go: async (visit) => {
      const { page, t } = visit;
      if (step === WIZARD_STEPS[0]) await button(visit, t('app.newComparison')).click();
      await page
        .getByRole('navigation', { name: t('wizard.stepper') })
        .getByRole('button', { name: t(`wizard.steps.${step}`) })
        .click();
      if (step === 'storage') await button(visit, t('wizard.storage.addNfs')).click();
      if (step === 'network') {
        await page.getByRole('checkbox', { name: t('wizard.path.ingress.name') }).check();
      }
      await page.getByText(t('plan.disk'), { exact: true }).first().waitFor();
    },
  })),
};
