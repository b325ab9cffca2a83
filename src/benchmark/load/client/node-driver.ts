import { BenchmarkError } from '../../../shared/errors.ts';
import type { Totals } from '../../../shared/model/measurements.ts';
import type { Workload } from '../../../shared/model/workload.ts';
import type {
  CheckOptions,
  Checked,
  LoadDriver,
  LoadEvent,
  LoadSpec,
  LoadTarget,
  PrepareTablesOptions,
} from '../driver.ts';
import { ClientConversation, type ClientStreams } from './client-conversation.ts';
import { checkConnection } from './connection-check.ts';
import { runNodeLoad } from '../node/coordinator.ts';
import { queryRows } from './query.ts';
import { prepareTables } from '../node/workload-engine.ts';

/** A client on this machine: worker threads of this process. It has no sysbench. */
export class HostNodeDriver implements LoadDriver {
  readonly #options: { workerFile: string; workers?: number };

  /** `workerFile`: the bundled load client; `workers`: how many threads, by default half of the cores. */
  constructor(options: { workerFile: string; workers?: number }) {
    this.#options = options;
  }

  async run(spec: LoadSpec, on: (event: LoadEvent) => void, signal: AbortSignal): Promise<Totals> {
    if (spec.driver === 'sysbench') {
      throw new BenchmarkError('LOAD_FAILED', { reason: 'sysbench runs in the client container only' });
    }
    return runNodeLoad(spec, on, signal, this.#options);
  }

  check(target: LoadTarget, options: CheckOptions): Promise<Checked> {
    return checkConnection(target, options);
  }

  prepare(target: LoadTarget, workload: Workload, options: PrepareTablesOptions): Promise<void> {
    return prepareTables(target, workload, options);
  }

  query(target: LoadTarget, sql: string, signal: AbortSignal) {
    return queryRows(target, sql, signal);
  }
}

/**
 * A client somewhere else, in a container: the same load or sysbench's, commanded by lines over the client's standard
 * streams. It serves many trials; once its client is lost every call rejects with CLIENT_LOST.
 */
export class ContainerNodeDriver implements LoadDriver {
  readonly #client: ClientConversation;

  constructor(streams: ClientStreams) {
    this.#client = new ClientConversation(streams);
  }

  async run(spec: LoadSpec, on: (event: LoadEvent) => void, signal: AbortSignal): Promise<Totals> {
    const answer = await this.#client.ask({ type: 'run', spec }, signal, (told) => {
      if (told.type === 'phase') on({ type: 'phase', phase: told.phase });
      else if (told.type === 'window') on({ type: 'window', window: told.window });
    });
    if (answer.type !== 'done') throw this.#client.nonsense(answer);
    return answer.totals;
  }

  async check(target: LoadTarget, options: CheckOptions): Promise<Checked> {
    const { path, budgetMs, times, signal } = options;
    const command = { type: 'check', target, path, budgetMs, times } as const;
    const answer = await this.#client.ask(command, signal, () => undefined);
    if (answer.type !== 'checked') throw this.#client.nonsense(answer);
    return answer.checked;
  }

  async prepare(target: LoadTarget, workload: Workload, options: PrepareTablesOptions): Promise<void> {
    const { seed, onProgress, signal } = options;
    const answer = await this.#client.ask({ type: 'prepare', target, workload, seed }, signal, (told) => {
      if (told.type === 'progress') onProgress(told.fraction);
    });
    if (answer.type !== 'prepared') throw this.#client.nonsense(answer);
  }

  async query(target: LoadTarget, sql: string, signal: AbortSignal) {
    const answer = await this.#client.ask({ type: 'query', target, sql }, signal, () => undefined);
    if (answer.type !== 'rows') throw this.#client.nonsense(answer);
    return answer.rows;
  }

  /** Tells the client to end. */
  quit(): void {
    this.#client.quit();
  }
}
