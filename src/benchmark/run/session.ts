import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { msg } from '../../shared/message.ts';
import { BenchmarkError, messageOf, toErrorData, type ErrorData, errorMessage } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/model/events.ts';
import type { LeftThing } from '../../shared/model/leftovers.ts';
import type { Consent, Plan } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { RunFold } from '../../shared/run/reduce.ts';
import { isOwnerAlive, ownOwner } from '../owners/owner.ts';
import { datasetCache } from '../servers/dataset/dataset-cache.ts';
import type { Installation } from '../installation/installation.ts';
import { allOf, type Engines } from '../runtime/container-runtime.ts';
import { errorFields, log } from '../log/log.ts';
import { HiddenWords } from '../privacy/cleaner.ts';
import { logRunEvent } from '../log/run-log.ts';
import { privatePlaces } from '../privacy/shareable-plan.ts';
import { listOwn, sweepLeftovers } from '../runtime/sweep.ts';
import { RUN_LABEL } from '../runtime/labels.ts';
import { DEFAULT_BUDGETS, type ServerBudgets } from '../servers/target-server.ts';
import { defaultBindRoot, rememberBindRoot } from '../servers/storage/bind-roots.ts';
import type { UntimedEvent } from '../context/context.ts';
import type { OwnTask } from '../context/own-task.ts';
import { forgetEngines, noteEngines } from './leftovers.ts';
import { cleanupNotices } from '../context/cleanup.ts';
import { executeRun } from './execute.ts';
import type { Journal } from '../store/journal.ts';
import { RunControl } from '../context/run-control.ts';
import { noteEqualServers } from '../store/equal-servers.ts';
import { RunStore } from '../store/run-store.ts';
import { requireSameBench } from './same-bench.ts';
import { startSweeper } from './sweeper.ts';

export interface RunSession {
  runId: string;
  state(): RunState | undefined;
  stop(): void;
  pause(): void;
  resume(): void;
  skip(): void;
  left(): Promise<LeftThing[]>;
  done: Promise<{
    state: RunState;
    journalPath: string;
    saveError: ErrorData | null;
  }>;
}

export interface SessionOptions {
  consents?: readonly Consent[];
  own?: OwnTask | undefined;
  budgets?: ServerBudgets;
}

export async function startSession(
  plan: Plan,
  engines: Engines,
  installation: Installation,
  onEvent: OnEvent,
  options: SessionOptions = {},
): Promise<RunSession> {
  requireConsents(plan, options);
  await rememberFolderOf(plan, installation);
  const store = new RunStore(installation.dataDir);
  const runId = RunStore.newRunId(new Date(), randomBytes(2).toString('hex'));
  const started = await store.start(runId, ownOwner());
  const run = { ...started, store, runId, plan, fold: new RunFold(), cleanupErrors: [] };
  return conduct(run, engines, installation, onEvent, options);
}

export async function continueSession(
  runId: string,
  engines: Engines,
  installation: Installation,
  onEvent: OnEvent,
  options: SessionOptions = {},
): Promise<RunSession> {
  const store = new RunStore(installation.dataDir);
  const { event, owners, ...going } = await store.goOn(runId, ownOwner(), async (state) => {
    requireConsents(state.plan, options);
    await requireSameBench(state, { ...engines, appVersion: installation.appVersion });
  });
  const earlier = going.fold.state;
  if (earlier === undefined) throw new Error('a run without its first event');
  const cleanupErrors: ErrorData[] = [];
  if (owners.every((owner) => owner === ownOwner() || isOwnerAlive(owner) === 'dead')) {
    // The resumed run's resources have new names, so failures are only reported.
    for (const engine of allOf(engines)) {
      const swept = await sweepLeftovers(engine, { runId }).catch(() => undefined);
      cleanupErrors.push(...(swept?.failed ?? []).map(({ error }) => error));
    }
  }
  await rememberFolderOf(earlier.plan, installation);
  logRunEvent(event);
  onEvent(event, earlier);
  const run = { ...going, store, runId, plan: earlier.plan, cleanupErrors };
  return conduct(run, engines, installation, onEvent, options);
}

async function rememberFolderOf({ bindRoot }: Plan, { dataDir }: Installation): Promise<void> {
  if (bindRoot !== null) await rememberBindRoot(dataDir, bindRoot).catch(() => undefined);
}

export type OnEvent = (event: RunEvent, state: RunState) => void;

function requireConsents(plan: Plan, { consents = [] }: SessionOptions): void {
  const missing = plan.consents.find(({ consent }) => !consents.includes(consent));
  if (missing === undefined) return;
  throw new BenchmarkError('CONSENT_MISSING', { what: missing.message, consent: missing.consent });
}

interface Conducted {
  store: RunStore;
  runId: string;
  plan: Plan;
  journal: Journal;
  fold: RunFold;
  cleanupErrors: readonly ErrorData[];
  release(): Promise<void>;
}

function conduct(
  { store, runId, plan, journal, fold, cleanupErrors, release }: Conducted,
  measured: Engines,
  installation: Installation,
  onEvent: OnEvent,
  options: SessionOptions,
): RunSession {
  const { own, budgets = DEFAULT_BUDGETS } = options;
  const earlier = fold.state;
  const abort = new AbortController();
  setMaxListeners(50, abort.signal);
  const hidden = new HiddenWords();
  let journalFailed = false;
  log.hide(...privatePlaces(plan).map(({ word }) => word));

  const publish = (raw: RunEvent): void => {
    const event = hidden.cleaned(raw);
    const state = fold.push(event);
    logRunEvent(event);
    journal.append(event).catch((error: unknown) => {
      if (journalFailed) return;
      journalFailed = true;
      publish({
        type: 'notice',
        at: Date.now(),
        notice: {
          code: 'JOURNAL_FAILED',
          message: msg('notice.journalStuck', { reason: errorMessage(toErrorData(error)) }),
        },
      });
    });
    if (state !== undefined) onEvent(event, state);
  };

  const emit = (event: UntimedEvent): void => publish({ ...event, at: Date.now() });
  const control = new RunControl(emit);
  const ask = (request: () => void): void => {
    if (fold.state?.status === 'running') request();
  };

  const engines = allOf(measured);
  const { dataDir, datasetDir, appVersion } = installation;
  const owner = ownOwner();
  const ids = engines.map(({ id }) => id);
  const endSweeper = startSweeper({ runId, owner, engines: ids, dataDir, datasetDir, appVersion });

  const finish = async (): RunSession['done'] => {
    // Without notes, leftovers on other engines are harder to find.
    await noteEngines(dataDir, runId, engines).catch(() => undefined);
    for (const notice of cleanupNotices(cleanupErrors)) emit(notice);
    await executeRun({
      plan,
      runId,
      engines,
      client: measured.client,
      appVersion,
      bindRoot: plan.bindRoot ?? defaultBindRoot(dataDir),
      dataDir,
      clientFile: installation.clientFile,
      clientImageFiles: installation.clientImageFiles,
      datasetsOn: (engine) => datasetCache(engine, installation),
      budgets,
      own,
      hide: (word) => hidden.add(word),
      emit,
      control,
      signal: abort.signal,
      earlier,
    });
    const { state } = fold;
    if (state === undefined) throw new Error('a run without its first event');
    const isClean = !state.notices.some(({ code }) => code === 'CLEANUP_INCOMPLETE');
    if (isClean) await forgetEngines(dataDir, runId).catch(() => undefined);
    // Without the record, later runs expect what is usual.
    await noteEqualServers(dataDir, state).catch(() => undefined);
    const journalPath = store.journalPath(runId);
    try {
      await journal.close();
      await store.list(state);
      return { state, journalPath, saveError: null };
    } catch (error) {
      const reason = messageOf(error);
      const saveError = new BenchmarkError('RESULT_UNSAVED', { reason }, { cause: error }).toData();
      log.error('the journal is incomplete', { runId, error: errorFields(saveError) });
      return { state, journalPath, saveError };
    } finally {
      await release().catch(() => undefined);
    }
  };
  return {
    runId,
    state: () => fold.state,
    stop: () => abort.abort(),
    pause: () => ask(() => control.pause()),
    resume: () => ask(() => control.resume()),
    skip: () => ask(() => control.skip()),
    left: async () => {
      const owned = (await Promise.all(engines.map(listOwn))).flat();
      return owned
        .filter(({ labels }) => labels[RUN_LABEL] === runId)
        .map(({ kind, name }) => ({ kind, name }));
    },
    done: finish().finally(endSweeper),
  };
}
