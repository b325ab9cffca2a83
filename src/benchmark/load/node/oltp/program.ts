import { countAnswer, type Counts } from '../windows.ts';
import { isBracketed, preparedStatements, type Step, transactions } from './transactions.ts';
import { prepareOltpTables } from './tables.ts';
import { errorNumber, ignoredError } from '../sql-error.ts';
import type { StatementTimes } from '../statement-times.ts';
import type { Answer, ServerError } from '../wire/answer-reader.ts';
import { type Conversation, WireSession } from '../wire/session.ts';
import type { Draws, LoadProgram, WorkloadEngine } from '../workload-engine.ts';
import type { StatementKind } from '../../../../shared/model/measurements.ts';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';

const DUPLICATE_KEY = 1062;

/** What a program needs of a session; tests play it. */
export type OltpSession = Pick<WireSession, 'prepare' | 'talk' | 'execute' | 'query' | 'close' | 'destroy'>;

/** One connection with its prepared statements, running one transaction after the other. */
export class OltpProgram implements LoadProgram, Conversation {
  readonly #session: OltpSession;
  readonly #sql: readonly string[];
  readonly #bracketed: boolean;
  readonly #next: () => Step[];
  readonly #times: StatementTimes;
  /** What is being answered, and since when, ms; its own clock is cheaper than the common one. */
  #kind: StatementKind | undefined;
  #sentAt = 0;
  /** The transaction that is under way, and how much of it was sent. */
  #steps: Step[] = [];
  #sent = 0;
  /** A ROLLBACK is under way; then the transaction is drawn and run again. */
  #rollingBack = false;
  #lost: unknown;
  #run: { counts: Counts; done: (error?: unknown) => void } | undefined;

  constructor(session: OltpSession, workload: OltpWorkload, draws: Draws, times: StatementTimes) {
    this.#session = session;
    this.#times = times;
    this.#sql = preparedStatements(workload);
    this.#bracketed = isBracketed(workload);
    this.#next = transactions(workload, draws);
  }

  /** Prepares every statement once. Rejects with the server's error. */
  async prepare(): Promise<void> {
    for (const sql of this.#sql) await this.#session.prepare(sql);
    this.#session.talk(this);
  }

  run(counts: Counts, done: (error?: unknown) => void): void {
    if (this.#lost !== undefined) return done(this.#lost);
    this.#run = { counts, done };
    this.#begin();
  }

  answered(answer: Answer): void {
    const run = this.#run;
    if (run === undefined) return;
    if (answer.error !== undefined) return this.#failed(answer.error, run.counts);
    countAnswer(run.counts, answer);
    if (this.#kind !== undefined) this.#times.record(this.#kind, (performance.now() - this.#sentAt) * 1000);
    if (this.#rollingBack) {
      this.#rollingBack = false;
      this.#begin();
    } else if (this.#sent < this.#steps.length) this.#send();
    else {
      run.counts.transactions += 1;
      this.#run = undefined;
      run.done();
    }
  }

  lost(error: unknown): void {
    this.#lost ??= error;
    const run = this.#run;
    this.#run = undefined;
    run?.done(error);
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }

  #begin(): void {
    this.#steps = this.#next();
    this.#sent = 0;
    this.#send();
  }

  #send(): void {
    const step = this.#steps[this.#sent++];
    if (step === undefined) return;
    this.#kind = step.kind;
    this.#sentAt = performance.now();
    if ('text' in step) this.#session.query(step.text);
    else this.#session.execute(step.prepared, step.parameters);
  }

  #failed(error: ServerError, counts: Counts): void {
    const number = this.#rollingBack ? undefined : this.#ignoredError(error);
    if (number === undefined) return this.lost(error);
    counts.errors[number] = (counts.errors[number] ?? 0) + 1;
    if (!this.#bracketed) return this.#begin();
    // A lock time-out has only rolled back its statement. sysbench sends no ROLLBACK; its next BEGIN then commits
    // half a transaction, and a row that was deleted stays so.
    this.#rollingBack = true;
    this.#kind = undefined;
    this.#session.query('ROLLBACK');
  }

  /**
   * Without a transaction around them two connections can delete the same row and then both insert it: the second one
   * meets a duplicate, and the table is as it should be. sysbench ends there, unless it is told to ignore 1062.
   */
  #ignoredError(error: ServerError): number | undefined {
    if (!this.#bracketed && errorNumber(error) === DUPLICATE_KEY) return DUPLICATE_KEY;
    return ignoredError(error);
  }
}

/** sysbench's `oltp_*` workloads. */
export const oltpEngine: WorkloadEngine<OltpWorkload> = {
  preparedStatements: (workload) => preparedStatements(workload).length,
  connect: async (target, workload, { draws, times, signal }) =>
    new OltpProgram(await WireSession.open(target, { signal }), workload, draws, times),
  prepareTables: prepareOltpTables,
};
