import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds wrong with the page by all rules, or by those named; a line for each rule. */
export async function axeViolations(page: Page, rules: string[] = []): Promise<string[]> {
  // The other mode opens a second page, which the app forbids. Nobody reads more than what is wrong.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({
    resultTypes: ['violations'],
    ...(rules.length === 0 ? {} : { runOnly: { type: 'rule', values: rules } }),
  });
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}
