import { countAnswer, type Counts } from '../counts.ts';
import { isBracketed, preparedStatements, type Step, transactions } from './transactions.ts';
import { retriedError } from '../server-errors.ts';
import type { TimesRecorder } from '../statement-times.ts';
import type { Answer, ServerError } from '../wire/answer-reader.ts';
import type { Conversation, WireSession } from '../wire/session.ts';
import type { Draws, LoadProgram } from '../workload-kind.ts';
import type { StatementKind } from '../../../../shared/model/names.ts';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';

export type OltpSession = Pick<WireSession, 'prepare' | 'talk' | 'execute' | 'query' | 'close' | 'destroy'>;

export class OltpProgram implements LoadProgram, Conversation {
  readonly #session: OltpSession;
  readonly #sql: readonly string[];
  readonly #bracketed: boolean;
  readonly #next: () => Step[];
  readonly #times: TimesRecorder;
  #kind: StatementKind | undefined;
  #sentAt = 0;
  #steps: Step[] = [];
  #sent = 0;
  #rollingBack = false;
  #lost: unknown;
  #run: { counts: Counts; done: (error?: unknown) => void } | undefined;

  constructor(session: OltpSession, workload: OltpWorkload, draws: Draws, times: TimesRecorder) {
    this.#session = session;
    this.#times = times;
    this.#sql = preparedStatements(workload);
    this.#bracketed = isBracketed(workload);
    this.#next = transactions(workload, draws);
  }

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
    const number = this.#rollingBack ? undefined : retriedError(error, { rollsBack: this.#bracketed });
    if (number === undefined) return this.lost(error);
    counts.errors[number] = (counts.errors[number] ?? 0) + 1;
    if (!this.#bracketed) return this.#begin();
    // sysbench sends no ROLLBACK after a lock timeout, which undoes only its statement.
    this.#rollingBack = true;
    this.#kind = undefined;
    this.#session.query('ROLLBACK');
  }
}
