import { SqlConnection } from '../connection.ts';
import { ignoredError } from '../server-errors.ts';
import { scaleOf, type Terminal, terminalOf, transactionTypes } from './draw.ts';
import {
  drawNewOrder,
  drawPayment,
  runNewOrder,
  runPayment,
  TPCC_STATEMENTS,
  type TpccSession,
  TpccStatements,
  type Transaction,
} from './transactions.ts';
import {
  drawDelivery,
  drawOrderStatus,
  drawStockLevel,
  runDelivery,
  runOrderStatus,
  runStockLevel,
} from './rare-transactions.ts';
import { prepareTpccTables } from './tables.ts';
import type { TimesRecorder } from '../statement-times.ts';
import type { Counts } from '../counts.ts';
import type { LoadProgram, OpenOptions, WorkloadKind } from '../workload-kind.ts';
import type { TpccType, TpccWorkload } from '../../../../shared/model/workload.ts';

/** False if the transaction is to be rolled back. */
type Drawn = (transaction: Transaction) => Promise<boolean>;

const drawnFrom =
  <Input>(
    draw: (terminal: Terminal) => Input,
    run: (transaction: Transaction, input: Input) => Promise<boolean>,
  ) =>
  (terminal: Terminal): Drawn => {
    const input = draw(terminal);
    return (transaction) => run(transaction, input);
  };

const DRAW: Record<TpccType, (terminal: Terminal) => Drawn> = {
  new_order: drawnFrom(drawNewOrder, runNewOrder),
  payment: drawnFrom(drawPayment, runPayment),
  order_status: drawnFrom(drawOrderStatus, runOrderStatus),
  delivery: drawnFrom(drawDelivery, runDelivery),
  stock_level: drawnFrom(drawStockLevel, runStockLevel),
};

/** A terminal without the keying and think times of clause 5.2.5.7. */
export class TpccProgram implements LoadProgram {
  readonly #session: TpccSession;
  readonly #statements: TpccStatements;
  readonly #times: TimesRecorder;
  readonly #terminal: Terminal;
  readonly #nextType: () => TpccType;

  constructor(
    session: TpccSession,
    workload: TpccWorkload,
    { draws, connection, times }: Pick<OpenOptions, 'draws' | 'connection' | 'times'>,
  ) {
    this.#session = session;
    this.#times = times;
    this.#statements = new TpccStatements(session, times);
    this.#terminal = terminalOf(connection, scaleOf(workload), draws);
    this.#nextType = transactionTypes(workload.mix, draws.ids);
  }

  prepare(): Promise<void> {
    return this.#statements.prepare(TPCC_STATEMENTS);
  }

  run(counts: Counts, done: (error?: unknown) => void): void {
    this.#transact(counts).then(() => done(), done);
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }

  async #transact(counts: Counts): Promise<void> {
    const type = this.#nextType();
    const drawn = DRAW[type](this.#terminal);
    const transaction = this.#statements.transaction(counts);
    const beganAt = performance.now();
    for (;;) {
      try {
        await this.#statements.control('BEGIN', counts);
        const complete = await drawn(transaction);
        await this.#statements.control(complete ? 'COMMIT' : 'ROLLBACK', counts);
        counts.transactions += 1;
        counts.mix[type] = (counts.mix[type] ?? 0) + 1;
        if (!complete) counts.rollbacks += 1;
        this.#times.recordTransaction(type, (performance.now() - beganAt) * 1000);
        return;
      } catch (error) {
        const number = ignoredError(error);
        if (number === undefined) throw error;
        counts.errors[number] = (counts.errors[number] ?? 0) + 1;
        await this.#statements.control('ROLLBACK', counts);
      }
    }
  }
}

export const tpccKind = (workload: TpccWorkload): WorkloadKind => ({
  preparedStatements: TPCC_STATEMENTS.length,
  connect: async (target, options) =>
    new TpccProgram(await SqlConnection.open(target, options), workload, options),
  prepareTables: (target, options) => prepareTpccTables(target, workload, options),
});
