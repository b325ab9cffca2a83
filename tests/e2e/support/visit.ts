import type { Locator, Page } from '@playwright/test';
import type { Language } from '../../../src/shared/model/settings.ts';
import type { TextParams } from '../../../src/shared/words/i18n.ts';
import { pattern, say, t, type UiKey } from '../../helpers/words.ts';
import type { FakeStart, FakeWindow } from './fake-window.ts';

/** The window of a visitor, and the words of its language. */
export interface Visit extends FakeWindow {
  language: Language;
  t: (key: UiKey, params?: TextParams) => string;
  pattern: (key: UiKey, params?: TextParams) => RegExp;
  /** Texts of others that the screen quotes. The screen's visitor adds to them. */
  quoted: string[];
  /** The words of the core (names of presets) in this language. */
  say: (english: string) => string;
}

/** A screen, or a state of one: how to get there from the one before. A new screen is one more entry. */
export interface Visitor {
  name: string;
  /** The screen shows mostly texts of others, so its language isn't checked. */
  isOthersText?: boolean;
  go: (visit: Visit) => Promise<void>;
}

/** Screens that are visited one after the other in the same window. */
export interface Route {
  name: string;
  /** How the window begins. */
  start: () => FakeStart;
  visitors: Visitor[];
}

export function visitOf(window: FakeWindow, language: Language): Visit {
  return {
    ...window,
    language,
    quoted: [],
    t: (key, params) => t(key, params, language),
    pattern: (key, params) => pattern(key, params, language),
    say: (english) => say(english, language),
  };
}

export const button = ({ page }: Visit, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

export const home = (visit: Visit): Promise<void> => button(visit, visit.t('app.home')).click();

/** Opens the groups of presets on a home screen that was just opened. */
export async function unfoldPresets({ page }: Visit): Promise<void> {
  const closed = page.locator('details:not([open]):has(li.preset) > summary');
  await page.locator('li.preset').first().waitFor({ state: 'attached' });
  while ((await closed.count()) > 0) await closed.first().click();
}

/** Opens the plan of a preset from its card. */
export async function openPreset(visit: Visit, english: string): Promise<void> {
  await home(visit);
  await unfoldPresets(visit);
  const name = visit.say(english);
  const card = visit.page.locator('li.preset', {
    has: visit.page.getByRole('heading', { name, exact: true }),
  });
  await card.getByText(visit.t('presets.open'), { exact: true }).click();
  await visit.page.getByRole('heading', { name: visit.t('plan.willRun') }).waitFor();
}

/** Waits until the result is shown. */
export async function resultShown({ page, t: words }: Visit): Promise<void> {
  await page.getByRole('region', { name: words('result.numbers'), exact: true }).waitFor();
}

/** Opens a part of the result that is folded. */
export async function unfold(page: Page, name: string): Promise<Locator> {
  const fold = page.getByRole('region', { name, exact: true });
  await fold.locator('summary').first().click();
  return fold;
}

/** Opens whatever can be opened on the screen. */
export async function openEverything({ page }: { page: Page }): Promise<void> {
  const closed = page.locator('main details:not([open]) > summary:visible');
  const click = (summaries: { click(): void }[]): void => summaries.forEach((one) => one.click());
  while ((await closed.count()) > 0) await closed.evaluateAll(click);
}
