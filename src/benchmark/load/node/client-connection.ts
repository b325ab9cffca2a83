import type { Connection, PrepareStatementInfo } from 'mysql2';
import type { Workload } from '../../../shared/model/preset.ts';
import type { Random } from '../../../shared/random.ts';
import { serverError } from './connection.ts';
import { preparedStatements, transaction, type Step } from './oltp.ts';
import { emptyCounts, type Counts } from './windows.ts';

/** Deadlock, record changed since last read, lock wait time-out: the transaction is run again (sysbench's list). */
const IGNORED_ERRORS: ReadonlySet<number> = new Set([1213, 1020, 1205]);

/** One connection of the load with its prepared statements, running one transaction after the other. */
export class LoadConnection {
  readonly #connection: Connection;
  readonly #statements: PrepareStatementInfo[];

  private constructor(connection: Connection, statements: PrepareStatementInfo[]) {
    this.#connection = connection;
    this.#statements = statements;
  }

  static async prepare(connection: Connection, workload: Workload): Promise<LoadConnection> {
    const statements: PrepareStatementInfo[] = [];
    for (const sql of preparedStatements(workload)) {
      statements.push(
        await new Promise<PrepareStatementInfo>((resolve, reject) => {
          connection.prepare(sql, (error, statement) =>
            error === null ? resolve(statement) : reject(error),
          );
        }),
      );
    }
    return new LoadConnection(connection, statements);
  }

  /**
   * Runs one transaction and tells what it counted; one that meets an ignored error is rolled back and run again
   * with the same statements. `done` gets the error of anything else.
   */
  run(workload: Workload, random: Random, done: (error: Error | null, counts: Counts) => void): void {
    const steps = transaction(workload, random);
    const counts = emptyCounts();
    let position = 0;
    const next = (): void => {
      const step = steps[position];
      if (step === undefined) {
        counts.transactions = 1;
        done(null, counts);
        return;
      }
      this.#send(step, (error, answer) => {
        if (error === null) {
          count(counts, answer);
          position += 1;
          next();
          return;
        }
        const { number, message } = serverError(error);
        if (number === undefined || !IGNORED_ERRORS.has(number)) {
          done(error instanceof Error ? error : new Error(message), counts);
          return;
        }
        counts.errors[number] = (counts.errors[number] ?? 0) + 1;
        // A deadlock has rolled back already, a lock time-out only its statement: this makes both alike.
        this.#send({ text: 'ROLLBACK' }, (failed, rolledBack) => {
          if (failed !== null) {
            done(failed instanceof Error ? failed : new Error(String(failed)), counts);
            return;
          }
          count(counts, rolledBack);
          position = 0;
          next();
        });
      });
    };
    next();
  }

  #send(step: Step, answered: (error: unknown, answer: unknown) => void): void {
    if ('text' in step) {
      this.#connection.query(step.text, answered);
      return;
    }
    const statement = this.#statements[step.prepared];
    if (statement === undefined) answered(new Error('statement was not prepared'), undefined);
    else statement.execute(step.parameters, answered);
  }

  /** Says goodbye; the server frees the connection at once. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      const bound = setTimeout(() => this.destroy(), 500);
      this.#connection.once('end', resolve);
      this.#connection.end(() => {
        clearTimeout(bound);
        resolve();
      });
    });
  }

  destroy(): void {
    this.#connection.destroy();
  }
}

/** A result set is a read, changed rows are a write, anything else is other. */
function count(counts: Counts, answer: unknown): void {
  if (Array.isArray(answer)) counts.reads += 1;
  else if (
    typeof answer === 'object' &&
    answer !== null &&
    'affectedRows' in answer &&
    Number(answer.affectedRows) > 0
  ) {
    counts.writes += 1;
  } else counts.other += 1;
}
