import { expect, it, vi } from 'vitest';
import type { Plans } from '../../../../src/benchmark/handlers/plans.ts';
import { Runs } from '../../../../src/benchmark/handlers/runs.ts';
import { OpenedResults } from '../../../../src/benchmark/store/opened-results.ts';
import type * as installation from '../../../../src/benchmark/installation/installation.ts';
import type { RunSession } from '../../../../src/benchmark/run/session.ts';
import { Whalemark } from '../../../../src/benchmark/service.ts';
import { BenchmarkError, type ErrorData } from '../../../../src/shared/errors.ts';
import { DEFAULT_SETTINGS } from '../../../../src/shared/model/settings.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { makePlan, makeState } from '../../builders.ts';
import { newFolder } from '../../../helpers/folders.ts';

/** The run that is started next, which has measured everything and is about to be written. */
const next = vi.hoisted((): { session: RunSession | undefined } => ({ session: undefined }));
vi.mock('../../../../src/benchmark/run/session.ts', () => ({
  startSession: () => Promise.resolve(next.session),
}));
vi.mock('../../../../src/benchmark/installation/installation.ts', async (original) => ({
  ...(await original<typeof installation>()),
  loadInstallation: () => Promise.resolve({}),
}));

function core() {
  const dataDir = newFolder();
  const whalemark = new Whalemark({
    dataDir,
    datasetDir: null,
    assetsDir: '/a',
    presetsDir: '/p',
    clientFile: '/c',
    appVersion: '0',
  });
  const runs = new Runs(whalemark, {
    opened: new OpenedResults(dataDir),
    settings: () => DEFAULT_SETTINGS,
    emit: () => undefined,
  });
  const plan = { plan: makePlan({ rounds: 1 }), engines: [{}], continues: undefined };
  return { runs, ask: runs.handlers({ get: () => plan } as unknown as Plans) };
}

const unsaved = new BenchmarkError('RESULT_UNSAVED', { reason: 'ENOSPC' }).toData();

/** A run between its last event and the end of writing, which `written` brings about. */
function ending(runId: string): { written: (saveError: ErrorData | null) => void } {
  const state: RunState = { ...makeState({ rounds: 1 }), runId };
  const nothing = (): void => undefined;
  let written: (saveError: ErrorData | null) => void = nothing;
  const done = new Promise<Awaited<RunSession['done']>>((resolve) => {
    written = (saveError) => resolve({ state, journalPath: '/r', saveError });
  });
  next.session = {
    runId,
    state: () => state,
    stop: nothing,
    pause: nothing,
    resume: nothing,
    skip: nothing,
    left: () => Promise.resolve([]),
    done,
  };
  return { written };
}

it('a run whose result can’t be written says why, as soon as that is known, and is still there to be seen', async () => {
  const [one, other] = ['20260601-100000-aaaa', '20260601-110000-bbbb'];
  const { runs, ask } = core();
  const { written } = ending(one);
  await ask['run:start']({ planId: 'p', consents: [] });
  const asked = ask['run:save-error']({ runId: one });
  written(unsaved);
  expect(await asked).toEqual(unsaved);
  expect(await ask['run:save-error']({ runId: other })).toBeNull();

  // Another one runs after it.
  const second = ending(other);
  await ask['run:start']({ planId: 'p', consents: [] });
  second.written(null);
  expect(await ask['run:save-error']({ runId: other })).toBeNull();
  expect(await ask['run:save-error']({ runId: one })).toEqual(unsaved);
  expect((await runs.load(one)).runId).toBe(one);
  expect(await runs.toShare(one)).toMatchObject({ state: { runId: one } });
});
