import { basename } from 'node:path';
import { BenchmarkError, type ErrorData } from '../../shared/errors.ts';
import type { Core, CoreEvent } from '../../shared/contract/ipc.ts';
import type { RunEvent } from '../../shared/model/events.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { Plans } from './plans.ts';
import type { Whalemark } from '../service.ts';
import type { RunToShare } from '../report/share-run.ts';
import type { OpenedResults } from '../store/opened-results.ts';
import type { RunSession } from '../run/session.ts';

interface RunsContext {
  opened: OpenedResults;
  settings(): Settings;
  emit(event: CoreEvent): void;
}

export class Runs {
  readonly #recovered: Promise<unknown>;
  readonly #unsaved = new Map<string, { state: RunState; error: ErrorData }>();
  #session: RunSession | undefined;
  #starting = false;
  #current: RunState | null = null;

  constructor(
    private readonly whalemark: Whalemark,
    private readonly context: RunsContext,
  ) {
    this.#recovered = whalemark.runs.recover().catch(() => []);
    whalemark.runs.isMeasuring = () => this.isGoingOn;
  }

  get isGoingOn(): boolean {
    return this.#session !== undefined || this.#starting;
  }

  async settled(): Promise<void> {
    await Promise.all([this.#recovered, this.#resultSaved()]);
  }

  isOwn(runId: string): boolean {
    return this.#current?.runId === runId || this.#unsaved.has(runId);
  }

  async load(runId: string): Promise<RunState> {
    await this.#resultSaved();
    const { opened } = this.context;
    const path = opened.path(runId);
    if (path !== undefined) return opened.openFile(path);
    if (this.#current?.runId === runId) return this.#current;
    return this.#unsaved.get(runId)?.state ?? this.whalemark.runs.load(runId);
  }

  async toShare(runId: string): Promise<RunToShare> {
    await this.#resultSaved();
    const path = this.context.opened.path(runId);
    if (path !== undefined) return { path, name: basename(path) };
    const unsaved = this.#unsaved.get(runId);
    return unsaved ?? { path: await this.whalemark.runs.pathOf(runId), name: runId };
  }

  async continuable(runId: string): Promise<RunState> {
    await this.settled();
    return this.whalemark.runs.continuable(runId);
  }

  async stop(): Promise<void> {
    this.#session?.stop();
    await this.#session?.done;
  }

  handlers(plans: Plans) {
    return {
      'run:start': async ({ planId, consents }) => {
        await this.#resultSaved();
        if (this.isGoingOn) throw new BenchmarkError('BUSY');
        const planToRun = plans.get(planId);
        this.#starting = true;
        try {
          const { keepDatasets } = this.context.settings();
          this.#session = await this.whalemark.start(planToRun, this.#tell, { consents, keepDatasets });
          const { continues } = planToRun;
          if (continues !== undefined) {
            this.context.opened.forget(continues);
            this.#unsaved.delete(continues);
            plans.forget(planId);
          }
        } finally {
          this.#starting = false;
        }
        const started = this.#session;
        void started.done.then(({ state, saveError }) => {
          if (saveError !== null) this.#unsaved.set(state.runId, { state, error: saveError });
          this.#current = state;
          this.#session = undefined;
        });
        return { runId: started.runId };
      },
      'run:continuable': async ({ runId }) => {
        await this.settled();
        if (this.#session !== undefined || this.context.opened.path(runId) !== undefined) return false;
        return this.whalemark.runs.continuable(runId).then(
          () => true,
          () => false,
        );
      },
      'run:save-error': async ({ runId }) => {
        await this.#resultSaved();
        return this.#unsaved.get(runId)?.error ?? null;
      },
      'run:stop': () => this.#obeyed(() => this.stop()),
      'run:pause': () => this.#obeyed(() => this.#session?.pause()),
      'run:resume': () => this.#obeyed(() => this.#session?.resume()),
      'run:skip': () => this.#obeyed(() => this.#session?.skip()),
      'run:current': () => Promise.resolve(this.#session?.state() ?? this.#current),
    } satisfies Partial<Core>;
  }

  readonly #tell = (event: RunEvent, state: RunState): void =>
    this.context.emit(
      event.type === 'run-continued' ? { type: 'run-continues', run: state } : { type: 'run-event', event },
    );

  /** A run's last event precedes its result on disk. */
  async #resultSaved(): Promise<void> {
    if (this.#session?.state()?.status === 'finished') await this.#session.done;
  }

  async #obeyed(request: () => void | Promise<void>): Promise<undefined> {
    await request();
    return undefined;
  }
}
