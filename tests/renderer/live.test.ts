import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { pattern, t } from '../helpers/words.ts';
import type { RunEvent } from '../../src/shared/model/events.ts';
import type { RunView } from '../../src/shared/model/run-view.ts';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
import { reduceView, viewOfEvent } from '../../src/shared/run/run-view.ts';
import { makeEvents, type ScenarioShape, type StateShape } from '../unit/builders.ts';
import { inside } from './support/finders.ts';
import { openApp, type OpenApp } from './support/open-app.ts';

const CROSS: ScenarioShape[] = [
  { storage: 'named-volume', path: 'published-port' },
  { storage: 'bind-mount', path: 'published-port' },
  { storage: 'named-volume', path: 'host-network' },
];
const SHAPE: StateShape = { scenarios: CROSS, aaCheck: false, rounds: 8, warmupSeconds: 2, outcome: null };
/** The path is clearly faster; the storage type is too noisy to say. */
const OUTCOMES = {
  'named-volume.published-port': [800, 800, 800, 800],
  'bind-mount.published-port': [700, 820, 760, 740],
  'named-volume.host-network': [1600, 1590, 1610, 1600],
};

/** A run up to the event that `isLast` finds. */
function runUntil(isLast: (event: RunEvent, run: RunView) => boolean, shape: StateShape = {}): RunView {
  let run: RunView | undefined;
  for (const event of makeEvents({ ...SHAPE, outcomes: OUTCOMES, ...shape })) {
    run = reduceView(run, viewOfEvent(event));
    if (run !== undefined && isLast(event, run)) break;
  }
  if (run === undefined) throw new Error('no run');
  return run;
}

const begun = (count: number) => (event: RunEvent, run: RunView) =>
  event.type === 'trial-started' && run.trials.filter(({ startedAt }) => startedAt !== null).length === count;

async function watch(run: RunView): Promise<OpenApp> {
  const app = await openApp();
  // Before, it asks for a run that is there already.
  const compare = await app.button(t('home.options'));
  await waitFor(() => expect(compare).toBeEnabled());
  app.tell({ type: 'run-continues', run });
  await app.button(t('live.stop'));
  return app;
}

const FIRST_VERDICT = ENGLISH('report:effects.state.first-verdict', { round: 3 });
const figures = { name: t('live.now') };
const rowOf = (name: string) => new RegExp(`^${name}`, 'i');

it('says what is being prepared, and how far it is', async () => {
  const run = runUntil(({ type }) => type === 'step-started');
  const loading = reduceView(run, {
    type: 'step-progress',
    at: run.startedAt,
    stepId: 'load dataset',
    fraction: 0.4,
    detail: '',
  });
  const { screen } = await watch(loading ?? run);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(run.plan.preset.name);
  expect(screen.getAllByText(t('live.preparing'))[0]).toBeVisible();
  const step = screen.getByRole('progressbar', { name: rowOf(t('live.step.load')) });
  expect(step).toHaveAttribute('aria-valuenow', '40');
  expect(screen.queryByRole('region', figures)).toBeNull();
  // What will be learned is there already.
  expect(screen.getAllByText(FIRST_VERDICT)).toHaveLength(2);
});

it('shows the first trial’s figures from its first second on, under a title that stays', async () => {
  const { screen, region, tell } = await watch(runUntil(begun(1)));
  const title = screen.getByRole('heading', { level: 1 }).textContent;
  expect(title).toContain(t('live.measuring', { round: 1, rounds: 8 }));
  const now = await region(t('live.now'));
  expect(now.element).toHaveTextContent(t('live.waiting'));
  expect(now.getByRole('progressbar')).toBeInTheDocument();

  const first = runUntil(({ type }) => type === 'window');
  tell({ type: 'run-continues', run: first });
  await waitFor(() => expect(now.element).toHaveTextContent(t('live.warmup')));
  expect(now.element).toHaveTextContent(/^[\d,]+ /);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(title);
  // Nothing is drawn that isn't counted, and nothing can be zoomed into.
  expect(screen.queryByRole('group', { name: t('charts.zoomGroup') })).toBeNull();
});

it('keeps the last trial’s figures, marked as such, until the next one has its own', async () => {
  const run = runUntil(begun(2));
  const { screen, region } = await watch(run);
  const [last] = run.trials.filter(({ status }) => status === 'measured');
  const { name } = run.plan.scenarios.find(({ id }) => id === last?.scenarioId) ?? { name: '' };
  const now = await region(t('live.now'));
  expect(now.element).toHaveTextContent(t('live.lastTrial', { name }));
  expect(now.element).toHaveTextContent(/^[\d,]+ .* ms /);
  expect(screen.getByText(t('charts.legend'), { selector: 'summary' })).toBeVisible();
  expect(screen.getByRole('group', { name: t('charts.zoomGroup') })).toBeVisible();
  expect(screen.queryByRole('toolbar', { name: t('charts.zoom') })).toBeNull();
});

it('says which factor is conclusive and what the other one needs, and redraws when a trial ends', async () => {
  const { screen, region, tell } = await watch(runUntil(begun(2)));
  const effects = await region(ENGLISH('report:effects.title'));
  expect(effects.getAllByText(FIRST_VERDICT)).toHaveLength(2);

  // Three rounds and the first trial of the fourth.
  tell({ type: 'run-continues', run: runUntil(begun(11)) });
  const row = (factor: 'path' | 'storage') =>
    inside(
      effects.getByRole('rowheader', { name: new RegExp(`^${ENGLISH(`report:effects.factor.${factor}`)}`) }),
    );
  await waitFor(() => expect(row('path').element).toHaveTextContent(/conclusive: 2\.0× as fast$/));
  expect(row('storage').element).not.toHaveTextContent(/conclusive: /);
  expect(effects.getByRole('row', { name: /^Host network 2\.00/ })).toBeInTheDocument();
  expect(screen.getByRole('toolbar', { name: t('charts.zoom') })).toBeVisible();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(
    t('live.measuring', { round: 4, rounds: 8 }),
  );
});

it('names the round alone while a run continues until conclusive', async () => {
  const run = runUntil(begun(4));
  const schedule = { ...run.plan.schedule, untilConclusive: { budgetMinutes: 30 } };
  const { screen } = await watch({ ...run, plan: { ...run.plan, schedule } });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(
    new RegExp(`${t('live.round', { round: 2 })}$`),
  );
});

it('keeps figures, effects, and title during a pause', async () => {
  const run = runUntil(begun(5));
  const at = run.trials.find(({ status }) => status === 'running')?.startedAt ?? 0;
  const between = runUntil(
    (event, { trials }) =>
      event.type === 'trial-finished' && trials.filter(({ status }) => status === 'measured').length === 4,
  );
  const paused = reduceView(between, { type: 'run-paused', at });
  const { screen, region, button } = await watch(paused ?? between);
  expect(screen.getByText(t('live.pausedHint'))).toBeVisible();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(
    t('live.measuring', { round: 2, rounds: 8 }),
  );
  expect((await region(t('live.now'))).element).toHaveTextContent(/^[\d,]+ .* ms /);
  await region(ENGLISH('report:effects.title'));
  expect(await button(t('live.resume'))).toBeEnabled();
});

it('has a result after a stop in the first round, and offers the rest', async () => {
  const { press, screen, region, behavior, button } = await openApp({ pace: 1 });
  await press(t('home.options'));
  await press(t('plan.start'));
  const done = await screen.findByText(pattern('live.trialsDone'));
  await waitFor(() => expect(Number.parseInt(done.textContent, 10)).toBeGreaterThan(3));
  behavior.pace = 1000;
  await press(t('live.stop'));
  await button(pattern('result.measureOn'));
  const effects = await region(ENGLISH('report:effects.title'));
  expect(effects.getAllByText(ENGLISH('messages:verdict.inconclusive'))).not.toHaveLength(0);
  expect(screen.getByRole('heading', { level: 1 })).not.toHaveTextContent(
    ENGLISH('report:headline.no-baseline'),
  );
});
