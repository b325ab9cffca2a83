import { waitFor } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import { pattern, t } from '../helpers/words.ts';
import type { RunEvent } from '../../src/shared/model/events.ts';
import { isCurrent, type RunState, type TrialState } from '../../src/shared/model/run-state.ts';
import { formatRate } from '../../src/shared/units.ts';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
import { tps } from '../../src/shared/model/measurements.ts';
import { effectText } from '../../src/shared/words/effect-wording.ts';
import { labelText } from '../../src/shared/words/labels.ts';
import { reduce } from '../../src/shared/run/reduce.ts';
import { makeEvents, makeEvidence, type ScenarioShape, type StateShape } from '../unit/builders.ts';
import { says } from './support/finders.ts';
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
function runUntil(isLast: (event: RunEvent, run: RunState) => boolean, shape: StateShape = {}): RunState {
  let run: RunState | undefined;
  for (const event of makeEvents({ ...SHAPE, outcomes: OUTCOMES, ...shape })) {
    run = reduce(run, event);
    if (run !== undefined && isLast(event, run)) break;
  }
  if (run === undefined) throw new Error('no run');
  return run;
}

const begun = (count: number) => (event: RunEvent, run: RunState) =>
  event.type === 'trial-started' && run.trials.filter(({ startedAt }) => startedAt !== null).length === count;

const lastRate = ({ windows }: TrialState): number => windows.slice(-1).map(tps)[0] ?? NaN;

async function watch(run: RunState): Promise<OpenApp> {
  const app = await openApp();
  // The window first asks for a run in progress.
  const compare = await app.button(t('home.options'));
  await waitFor(() => expect(compare).toBeEnabled());
  app.tell({ type: 'run-continues', run });
  await app.button(t('live.stop'));
  return app;
}

const nameOf = (run: RunState, trialId: string): string => {
  const scenarioId = run.trials.find(({ id }) => id === trialId)?.scenarioId;
  const label = run.plan.scenarios.find(({ id }) => id === scenarioId)?.label;
  return label === undefined ? '' : labelText(label, ENGLISH);
};
const announced = (screen: OpenApp['screen']): string =>
  screen
    .getAllByRole('status')
    .map((one: HTMLElement) => one.textContent.replace(/\s+/g, ' ').trim())
    .join('|');

it('says in words what is being prepared, how far it is, and why', async () => {
  const run = runUntil(({ type }) => type === 'step-started');
  const loading = reduce(run, {
    type: 'step-progress',
    at: run.startedAt,
    stepId: 'load dataset',
    fraction: 0.4,
    detail: '',
  });
  const { screen, region } = await watch(loading ?? run);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(t('live.comparing', { count: 3 }));
  const ready = await region(t('live.ready'));
  expect(ready.element).toHaveTextContent(`${t('live.doing.load', { rows: '100,000' })} 40%`);
  expect(ready.element).toHaveTextContent(t('live.why.data'));
  expect(ready.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
  for (const { serverId } of run.plan.scenarios) expect(ready.element).not.toHaveTextContent(serverId);
  expect(screen.queryByRole('region', { name: t('live.now') })).toBeNull();
});

it('shows the figures of a trial from its first second of warm-up on, until the next one has its own', async () => {
  const { screen, region, tell } = await watch(runUntil(begun(1)));
  expect(screen.queryByRole('region', { name: t('live.now') })).toBeNull();
  const first = runUntil(({ type }) => type === 'window');
  tell({ type: 'run-continues', run: first });
  const now = await region(t('live.now'));
  expect(now.element).toHaveTextContent(t('live.warmup'));
  expect(now.element).toHaveTextContent(/ [\d,]+ .* ms /);
  expect(now.getAllByRole('img')).toHaveLength(2);
  const title = screen.getByRole('heading', { level: 1 });
  expect(title).toHaveTextContent(t('live.measuring', { round: 1, rounds: 8 }));
  expect(await screen.findByRole('button', { name: t('live.skip') })).toBeEnabled();

  const next = runUntil(begun(2));
  tell({ type: 'run-continues', run: next });
  const [last] = next.trials.filter(({ status }) => status === 'measured');
  await says(
    now.element,
    new RegExp(`${nameOf(next, last?.id ?? '')} ${pattern('live.measuredAgo').source}`),
  );
});

it('says the answer so far in words, a row for each choice, and when a verdict can come', async () => {
  const { screen, region, tell } = await watch(runUntil(begun(4)));
  const answer = await region(t('live.answer'));
  expect(answer.getByRole('row', { name: /^Host network .* so far$/ })).toBeInTheDocument();
  expect(answer.getByRole('row', { name: /^Bind mount / })).toBeInTheDocument();
  const first = ENGLISH('report:effects.state.first-verdict', { round: 3 });
  expect(answer.getAllByText(first)).toHaveLength(2);

  // Three rounds and the first trial of the fourth.
  tell({ type: 'run-continues', run: runUntil(begun(11)) });
  await answer.findByRole('row', { name: /^Host network .* as fast$/ });
  expect(answer.getByRole('row', { name: /^Bind mount .* so far$/ })).toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(
    t('live.trialsDone', { done: 10, all: 24 }),
  );
});

it('has a running clock of a task, next to the baseline’s time, and each choice’s time', async () => {
  const run = runUntil(begun(5));
  const start = { container: 400, initialization: 0, timeZones: 0, recovery: 0, server: 600, login: 50 };
  const trials = run.trials.map((trial) =>
    trial.totals === null
      ? trial
      : {
          ...trial,
          totals: { ...trial.totals, transactions: 1, durationMs: 1200 },
          evidence: makeEvidence({ start }),
        },
  );
  const { region } = await watch({ ...run, trials, plan: { ...run.plan, task: { kind: 'ready' } } });
  const { element } = await region(t('live.nowTask'));
  const current = run.trials.find(({ status }) => status === 'running');
  expect(element).toHaveTextContent(nameOf(run, current?.id ?? ''));
  expect(element).toHaveTextContent('baseline: 1.20 s');
  const answer = await region(t('live.answer'));
  expect(answer.getByRole('row', { name: /^Host network [\d.]+ ms$/ })).toBeInTheDocument();
});

it('names the round alone while a run continues until conclusive', async () => {
  const run = runUntil(begun(4));
  const schedule = { ...run.plan.schedule, untilConclusive: { budgetMinutes: 30 } };
  const { screen } = await watch({ ...run, plan: { ...run.plan, schedule } });
  const title = screen.getByRole('heading', { level: 1 });
  expect(title).toHaveTextContent(t('live.round', { round: 2 }));
  expect(title).toHaveTextContent(t('live.trialsSoFar', { count: 3 }));
});

it('keeps figures, answer, and title during a pause', async () => {
  const run = runUntil(begun(5));
  const at = run.trials.find(({ status }) => status === 'running')?.startedAt ?? 0;
  const between = runUntil(
    (event, { trials }) =>
      event.type === 'trial-finished' && trials.filter(({ status }) => status === 'measured').length === 4,
  );
  const paused = reduce(between, { type: 'run-paused', at });
  const { screen, region, button } = await watch(paused ?? between);
  expect(screen.getByText(t('live.pausedHint'))).toBeVisible();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(
    t('live.measuring', { round: 2, rounds: 8 }),
  );
  expect((await region(t('live.now'))).element).toHaveTextContent(pattern('live.measuredAgo'));
  await region(t('live.answer'));
  expect(await button(t('live.resume'))).toBeEnabled();
  expect(announced(screen)).toContain(t('live.paused'));
});

describe('a run side by side', () => {
  const SLICES: StateShape = { sliceSeconds: 1, durationSeconds: 4, rounds: 2 };
  const slices = (count: number) => (event: RunEvent, run: RunState) =>
    event.type === 'slice-finished' && run.trials.flatMap((trial) => trial.slices).length === count;

  it('shows what a first look found while other servers start', async () => {
    const run = runUntil(({ type }, { steps }) => type === 'step-started' && steps.length > 1, SLICES);
    const slicesOf = (transactions: number) =>
      [1, 2, 3].map((pass) => ({ pass, position: 1, transactions: transactions + pass, durationMs: 1000 }));
    const { region, tell } = await watch(run);
    const slices = {
      'r1.named-volume.published-port': slicesOf(800),
      'r1.named-volume.host-network': slicesOf(1600),
    };
    const looked = reduce(run, { type: 'first-look', at: run.startedAt, slices });
    if (looked === undefined) throw new Error('no run');
    tell({ type: 'run-continues', run: looked });
    const { element } = await region(t('live.answer'));
    expect(element).toHaveTextContent(t('live.effectSoFar', { effect: effectText({ value: 2 }, ENGLISH) }));
  });

  it('names one scenario alone, and says that the last figures are from before', async () => {
    const { region, screen, tell } = await watch(runUntil(slices(4), SLICES));
    const next = runUntil(
      ({ type }, { trials }) =>
        type === 'trial-phase' && trials.flatMap((trial) => trial.slices).length === 4,
      SLICES,
    );
    tell({ type: 'run-continues', run: next });
    const [last] = [...next.trials].sort((a, b) => (b.finishedAt ?? 0) - (a.finishedAt ?? 0));
    const measured = next.trials.find((trial) => isCurrent(trial));
    if (last === undefined || measured === undefined) throw new Error('no slice');
    const { element } = await region(t('live.now'));
    const ago = pattern('live.measuredAgo').source;
    expect(element).toHaveTextContent(
      new RegExp(`${nameOf(next, last.id)} ${ago} .* ${formatRate(lastRate(last))} `),
    );
    expect(element).not.toHaveTextContent(t('live.phase.measure'));
    // The charts alone name one: two places would disagree.
    expect(screen.getByRole('banner')).not.toHaveTextContent(nameOf(next, measured.id));
    expect(screen.queryByRole('button', { name: t('live.skip') })).toBeNull();
  });

  it('counts passes, and announces rounds and failures, not slices', async () => {
    const failing = { ...SLICES, outcomes: { 'bind-mount.published-port': [700, 'SERVER_EXITED' as const] } };
    const { screen, tell } = await watch(runUntil(slices(3), failing));
    const title = screen.getByRole('heading', { level: 1 });
    expect(title).toHaveTextContent(t('live.pass', { round: 1, pass: 2, passes: 4 }));
    const before = announced(screen);
    expect(before).toContain(t('live.round', { round: 1 }));
    tell({ type: 'run-continues', run: runUntil(slices(8), failing) });
    await waitFor(() => expect(title).toHaveTextContent(t('live.pass', { round: 1, pass: 3, passes: 4 })));
    expect(announced(screen)).toBe(before);

    tell({ type: 'run-continues', run: runUntil(slices(16), failing) });
    await waitFor(() => expect(title).toHaveTextContent(t('live.trialsFailed', { count: 1 })));
    expect(announced(screen)).toContain(t('live.round', { round: 2 }));
    expect(announced(screen)).toContain(t('live.trialsFailed', { count: 1 }));
    expect(screen.getByRole('region', { name: t('result.problems') })).toBeInTheDocument();
  });
});

it('has the focus on the title after a start by keyboard', async () => {
  const { button, user, screen } = await openApp({ pace: 200 });
  const start = await button(t('plan.start'));
  await waitFor(() => expect(start).toBeEnabled());
  start.focus();
  await user.keyboard('{Enter}');
  await button(t('live.stop'));
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
});
