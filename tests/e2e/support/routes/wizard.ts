import { asSentence } from '../../../../src/shared/words/effect-wording.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { button, type Route, type Visit, type Visitor } from '../visit.ts';

const WIZARD_STEPS = ['what', 'load', 'review', 'yaml'] as const;

async function goTo({ page, t }: Visit, step: (typeof WIZARD_STEPS)[number]): Promise<void> {
  const name = t(`wizard.steps.${step}`);
  await page
    .getByRole('navigation', { name: t('wizard.stepper') })
    .getByRole('button', { name })
    .click();
  await page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
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
      name: 'what, with two servers and ingress',
      go: async (visit) => {
        const { page, t, language } = visit;
        await goTo(visit, 'what');
        await page.getByRole('checkbox', { name: 'MariaDB 11.8' }).check();
        await page.getByText(t('wizard.more'), { exact: true }).last().click();
        const words = createTranslator(language);
        const name = asSentence(words('messages:path.ingress'), words);
        await page.getByRole('checkbox', { name }).check();
      },
    },
  ],
};
