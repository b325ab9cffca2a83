import type { Page } from '@playwright/test';
import type { Language } from '../../../src/shared/model/language.ts';
import { WIZARD_STEPS } from '../../../src/shared/wizard/problems.ts';
import { say, t, type UiKey } from '../../helpers/words.ts';
import { sysbenchText } from './sysbench-text.ts';

/** What a visitor is given: the page, and the words of its language. */
export interface Visit {
  page: Page;
  t: (key: UiKey, params?: Record<string, string | number>) => string;
  /** The same words of the core (names of presets) in this language. */
  say: (english: string) => string;
}

/** A screen, or a state of one: how to get there from the one before. A new screen is one more entry. */
export interface Visitor {
  name: string;
  go: (visit: Visit) => Promise<void>;
}

export function visitOf(page: Page, language: Language): Visit {
  return {
    page,
    t: (key, params) => t(key, params, language),
    say: (english) => say(english, language),
  };
}

const button = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true });
const home = (visit: Visit): Promise<void> => button(visit, visit.t('app.home')).click();

/** Every screen of the app, in an order in which each can be reached. The story is `troubled`, the pace slow. */
export const VISITORS: Visitor[] = [
  {
    name: 'home',
    go: async (visit) => {
      await visit.page.getByRole('heading', { name: visit.t('passport.title') }).waitFor();
      await visit.page.getByRole('heading', { name: visit.say('Thread ramp') }).waitFor();
    },
  },
  {
    name: 'a preset’s menu',
    go: async (visit) => {
      await button(visit, visit.t('common.moreActions', { name: visit.say('Compare my setup') })).click();
      await visit.page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'preset editor',
    go: async (visit) => {
      await visit.page.getByRole('menuitem', { name: visit.t('presets.duplicate') }).click();
      const text = visit.page.getByRole('textbox', { name: visit.t('editor.text') });
      await text.fill(
        'whalemark: 1\nid: Wrong\nschedule: { rounds: 0 }\nramp: [2, 1]\ncolour: blue\nbaseline: nowhere\n',
      );
      await visit.page.getByRole('button', { name: visit.t('editor.goToLine', { line: 2 }) }).waitFor();
    },
  },
  {
    name: 'deleting a preset',
    go: async (visit) => {
      await button(visit, visit.t('editor.revert')).click();
      await home(visit);
      await visit.page
        .getByRole('region', { name: visit.t('presets.group.yours'), exact: true })
        .getByRole('button')
        .first()
        .click();
      await visit.page.getByRole('menuitem', { name: visit.t('presets.delete') }).click();
      await visit.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'plan with groups',
    go: async (visit) => {
      await button(visit, visit.t('presets.deleteConfirm')).click();
      await openPreset(visit, 'Storage options × network (Oracle 2016)');
    },
  },
  {
    name: 'plan with consents',
    go: async (visit) => {
      await home(visit);
      await openPreset(visit, 'Overlay network');
      await visit.page.getByRole('checkbox').first().waitFor();
    },
  },
  {
    name: 'plan of a preset that is not complete',
    go: async (visit) => {
      await home(visit);
      const card = visit.page.locator('li.card', { hasText: visit.say('NFS or local disk') });
      await card.getByText(visit.t('presets.open'), { exact: true }).click();
      await visit.page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'one-click plan',
    go: async (visit) => {
      await home(visit);
      await button(visit, visit.t('home.compare')).click();
      await button(visit, visit.t('plan.start')).and(visit.page.locator(':enabled')).waitFor();
    },
  },
  {
    name: 'live',
    go: async (visit) => {
      await button(visit, visit.t('plan.start')).click();
      await visit.page.getByRole('heading', { name: visit.t('live.trials') }).waitFor();
      await visit.page.locator('td.running').waitFor();
    },
  },
  {
    name: 'live, one trial',
    go: async (visit) => {
      await visit.page.getByRole('tab', { name: visit.t('live.view.focus') }).click();
      await visit.page.getByRole('tabpanel', { name: visit.t('live.view.focus') }).waitFor();
    },
  },
  {
    name: 'result',
    go: async (visit) => {
      await visit.page.getByRole('tab', { name: visit.t('live.view.overview') }).click();
      await visit.page.locator('td.measured').nth(4).waitFor();
      await button(visit, visit.t('live.stop')).click();
      await visit.page.getByRole('heading', { name: visit.t('result.numbers'), exact: true }).waitFor();
      for (const summary of await visit.page.locator('main details > summary').all()) await summary.click();
    },
  },
  {
    name: 'the finished result of another run',
    go: async (visit) => {
      await home(visit);
      await visit.page.locator('li button:has(.headline)').last().click();
      await visit.page.getByRole('heading', { name: visit.t('result.numbers'), exact: true }).waitFor();
      for (const summary of await visit.page.locator('main details > summary').all()) await summary.click();
    },
  },
  {
    name: 'sharing',
    go: async (visit) => {
      await button(visit, visit.t('share.button')).click();
      await visit.page.getByRole('img', { name: visit.t('share.picture') }).waitFor();
    },
  },
  {
    name: 'import, refused',
    go: async (visit) => {
      await button(visit, visit.t('share.close')).click();
      await home(visit);
      await button(visit, visit.t('home.importSysbench')).click();
      await visit.page.getByRole('textbox', { name: visit.t('imports.text') }).fill('12345\n67890');
      await button(visit, visit.t('imports.parse')).click();
      await visit.page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'import',
    go: async (visit) => {
      await visit.page.getByRole('textbox', { name: visit.t('imports.text') }).fill(sysbenchText());
      await button(visit, visit.t('imports.parse')).click();
      await visit.page.getByRole('heading', { name: visit.t('imports.runs'), exact: true }).waitFor();
      for (const summary of await visit.page.locator('main details > summary').all()) await summary.click();
    },
  },
  {
    name: 'settings',
    go: async (visit) => {
      await button(visit, visit.t('app.settings')).click();
      await visit.page.getByRole('heading', { name: visit.t('settings.leftovers'), exact: true }).waitFor();
    },
  },
  {
    name: 'diagnostics',
    go: async (visit) => {
      await button(visit, visit.t('diagnostics.open')).click();
      await visit.page.getByText('### Whalemark diagnostics').waitFor();
    },
  },
  {
    name: 'history',
    go: async (visit) => {
      await button(visit, visit.t('diagnostics.close')).click();
      await button(visit, visit.t('app.history')).click();
      await visit.page.getByRole('heading', { level: 1, name: visit.t('history.title') }).waitFor();
    },
  },
  {
    name: 'wizard',
    go: async (visit) => {
      await button(visit, visit.t('app.newComparison')).click();
      await visit.page.getByRole('heading', { level: 1 }).waitFor();
    },
  },
  ...WIZARD_STEPS.map((step): Visitor => ({
    name: `wizard, ${step}`,
    go: async (visit) => {
      const steps = visit.page.getByRole('navigation', { name: visit.t('wizard.stepper') });
      await steps.getByRole('button', { name: visit.t(`wizard.steps.${step}`) }).click();
      await visit.page.getByText(visit.t('plan.disk'), { exact: true }).first().waitFor();
    },
  })),
];

async function openPreset(visit: Visit, english: string): Promise<void> {
  const name = visit.say(english);
  const card = visit.page.locator('li.card', { has: visit.page.getByRole('heading', { name, exact: true }) });
  await card.getByText(visit.t('presets.open'), { exact: true }).click();
  await visit.page.getByRole('heading', { name: visit.t('plan.willRun') }).waitFor();
}
