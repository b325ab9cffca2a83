import { BenchmarkError, type ErrorData } from '../../shared/errors.ts';
import type { Core, CoreEvent } from '../../shared/contract/ipc.ts';
import type { RunEvent } from '../../shared/model/events.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { viewOf, viewOfEvent } from '../../shared/run/run-view.ts';
import type { Plans } from './plans.ts';
import { loadInstallation, withSettings, type InstallationPaths } from '../installation/installation.ts';
import type { OpenedResults } from '../history/opened-results.ts';
import type { RunStore } from '../runs/run-store.ts';
import { continueSession, startSession, type RunSession } from '../run/session.ts';

type RunRequests =
  | 'run:start'
  | 'run:continuable'
  | 'run:save-error'
  | 'run:stop'
  | 'run:pause'
  | 'run:resume'
  | 'run:skip'
  | 'run:current';

export interface RunsContext {
  store: RunStore;
  opened: OpenedResults;
  settings(): Settings;
  emit(event: CoreEvent): void;
}

/** The runs that the app can show – kept, opened from a file, or of this session –, and the one that goes on, if any. */
export class Runs {
  readonly #paths: InstallationPaths;
  readonly #context: RunsContext;
  /** Runs of an earlier session that never ended have an end by then. */
  readonly #recovered: Promise<unknown>;
  /** Runs of this session whose result could not be written, and why. */
  readonly #unsaved = new Map<string, { state: RunState; error: ErrorData }>();
  #session: RunSession | undefined;
  #starting = false;
  /** The last run of this session; all of it is kept on disk only, for windows of hours take hundreds of megabytes. */
  #current: RunView | null = null;

  constructor(paths: InstallationPaths, context: RunsContext) {
    this.#paths = paths;
    this.#context = context;
    this.#recovered = context.store.recover().catch(() => []);
  }

  get isGoingOn(): boolean {
    return this.#session !== undefined || this.#starting;
  }

  /** Resolves when every run that has ended is on disk. */
  async settled(): Promise<void> {
    await Promise.all([this.#recovered, this.#resultSaved()]);
  }

  /** Of this session: its result may not be on disk. */
  isOwn(runId: string): boolean {
    return this.#current?.runId === runId || this.#unsaved.has(runId);
  }

  async view(runId: string): Promise<RunView> {
    await this.#resultSaved();
    const { opened, store } = this.#context;
    const known = (await opened.view(runId)) ?? (this.#current?.runId === runId ? this.#current : undefined);
    if (known !== undefined) return known;
    const unsaved = this.#unsaved.get(runId);
    return unsaved === undefined ? store.loadView(runId) : viewOf(unsaved.state);
  }

  async state(runId: string): Promise<RunState> {
    await this.#resultSaved();
    const { opened, store } = this.#context;
    return (await opened.state(runId)) ?? this.#unsaved.get(runId)?.state ?? store.load(runId);
  }

  /** A run that ended early and may go on. Rejects when it may not. */
  async continuable(runId: string): Promise<RunState> {
    await this.settled();
    return this.#context.store.continuable(runId);
  }

  /** Stops the run that goes on; resolves when its result is on disk. */
  async stop(): Promise<void> {
    this.#session?.stop();
    await this.#session?.done;
  }

  /** What the app asks of its run; it starts from one of `plans`. */
  handlers(plans: Plans): Pick<Core, RunRequests> {
    return {
      'run:start': async ({ planId, consents }) => {
        await this.#resultSaved();
        if (this.isGoingOn) throw new BenchmarkError('BUSY');
        const { plan, runtime, secrets, continues } = plans.get(planId);
        this.#starting = true;
        try {
          const installation = await loadInstallation(withSettings(this.#paths, this.#context.settings()));
          const how = { consents, secrets };
          this.#session =
            continues === undefined
              ? await startSession(plan, runtime, installation, this.#tell, how)
              : await continueSession(continues, runtime, installation, this.#tell, how);
          if (continues !== undefined) {
            // From now on it is another run than the one that was opened or ended before.
            this.#context.opened.forget(continues);
            this.#unsaved.delete(continues);
            plans.forget(planId);
          }
        } finally {
          this.#starting = false;
        }
        const started = this.#session;
        void started.done.then(({ state, saveError }) => {
          if (saveError !== null) this.#unsaved.set(state.runId, { state, error: saveError });
          this.#current = viewOf(state);
          this.#session = undefined;
        });
        return { runId: started.runId };
      },
      'run:continuable': async ({ runId }) => {
        await this.settled();
        const { opened, store } = this.#context;
        return (
          this.#session === undefined && opened.path(runId) === undefined && store.looksContinuable(runId)
        );
      },
      'run:save-error': async ({ runId }) => {
        await this.#resultSaved();
        return this.#unsaved.get(runId)?.error ?? null;
      },
      'run:stop': () => this.#asked(() => this.stop()),
      'run:pause': () => this.#asked(() => this.#session?.pause()),
      'run:resume': () => this.#asked(() => this.#session?.resume()),
      'run:skip': () => this.#asked(() => this.#session?.skip()),
      'run:current': () => {
        const state = this.#session?.state();
        return Promise.resolve(state === undefined ? this.#current : viewOf(state));
      },
    };
  }

  readonly #tell = (event: RunEvent, state: RunState): void =>
    this.#context.emit(
      event.type === 'run-continued'
        ? // Nobody else has what was measured before.
          { type: 'run-continues', run: viewOf(state) }
        : { type: 'run-event', event: viewOfEvent(event) },
    );

  /** Between a run's last event and its result on disk is a moment that nobody should see. */
  async #resultSaved(): Promise<void> {
    if (this.#session?.state()?.status === 'finished') await this.#session.done;
  }

  async #asked(request: () => void | Promise<void>): Promise<undefined> {
    await request();
    return undefined;
  }
}
