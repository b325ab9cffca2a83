import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import type { PreparedStatement, SqlAnswer } from '../connection.ts';
import { countAnswer } from '../count-answer.ts';
import { errorNumber, ignoredError } from '../sql-error.ts';
import { emptyCounts, type Counts } from '../windows.ts';
import type { Draws, LoadProgram, LoadSession } from '../workload-engine.ts';
import { preparedStatements, type Step } from './statements.ts';
import { isBracketed, transactions } from './transactions.ts';

const DUPLICATE_KEY = 1062;

/** One connection with its prepared statements, running one transaction after the other. */
export class OltpProgram implements LoadProgram {
  readonly #session: LoadSession;
  readonly #sql: readonly string[];
  readonly #bracketed: boolean;
  readonly #next: () => Step[];
  readonly #statements: PreparedStatement[] = [];

  constructor(session: LoadSession, workload: OltpWorkload, draws: Draws) {
    this.#session = session;
    this.#sql = preparedStatements(workload);
    this.#bracketed = isBracketed(workload);
    this.#next = transactions(workload, draws);
  }

  /** Prepares every statement once. Rejects with the server's error. */
  async prepare(): Promise<void> {
    for (const sql of this.#sql) this.#statements.push(await this.#session.prepare(sql));
  }

  /**
   * Runs one transaction and tells what was counted. One that meets an ignored error is rolled back and drawn and run
   * again, as sysbench does; what was sent before counts, too, and so does the ROLLBACK. Rejects with any other error.
   */
  async run(): Promise<Counts> {
    const counts = emptyCounts();
    for (;;) {
      try {
        for (const step of this.#next()) countAnswer(counts, await this.#send(step));
        counts.transactions = 1;
        return counts;
      } catch (error) {
        const number = this.#ignoredError(error);
        if (number === undefined) throw error;
        counts.errors[number] = (counts.errors[number] ?? 0) + 1;
        // A lock time-out has only rolled back its statement. sysbench sends no ROLLBACK; its next BEGIN then commits
        // half a transaction, and a row that was deleted stays so.
        if (this.#bracketed) countAnswer(counts, await this.#session.query('ROLLBACK'));
      }
    }
  }

  /**
   * Without a transaction around them two connections can delete the same row and then both insert it: the second one
   * meets a duplicate, and the table is as it should be. sysbench ends there, unless it is told to ignore 1062.
   */
  #ignoredError(error: unknown): number | undefined {
    if (!this.#bracketed && errorNumber(error) === DUPLICATE_KEY) return DUPLICATE_KEY;
    return ignoredError(error);
  }

  #send(step: Step): Promise<SqlAnswer> {
    if ('text' in step) return this.#session.query(step.text);
    const statement = this.#statements[step.prepared];
    if (statement === undefined) throw new Error(`statement ${step.prepared} was not prepared`);
    return statement(step.parameters);
  }
}
