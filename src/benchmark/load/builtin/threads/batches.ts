import { STATEMENT_KINDS } from '../../../../shared/model/statement-kinds.ts';
import type { Step } from '../oltp/transactions.ts';
import { type PreparedStatements, queryPacket } from '../wire/packets.ts';
import type { Layout } from './shared-counts.ts';

/** Bytes before each packet, as in wasm/exchange.ts. */
const HEAD = 4;
const NOT_TIMED = 0xff;
const FULL_BYTES = 16 * 1024;

const KIND_NUMBERS = Object.fromEntries(STATEMENT_KINDS.map((kind, index) => [kind, index]));

export class Batches {
  readonly #bytes: Buffer;
  readonly #words: Int32Array;
  readonly #layout: Layout;
  readonly #next: () => Step[];
  readonly #statements: PreparedStatements;

  constructor(
    { buffer }: WebAssembly.Memory,
    layout: Layout,
    next: () => Step[],
    statements: PreparedStatements,
  ) {
    this.#bytes = Buffer.from(buffer);
    this.#words = new Int32Array(buffer);
    this.#layout = layout;
    this.#next = next;
    this.#statements = statements;
    this.#put(layout.rollback, queryPacket('ROLLBACK'), NOT_TIMED, false);
    for (const index of layout.batches.keys()) this.fill(index);
  }

  fill(index: number): void {
    const batch = this.#layout.batches[index];
    if (batch === undefined) return;
    let at = batch.at;
    while (at < batch.at + FULL_BYTES) {
      const steps = this.#next();
      const last = steps.at(-1);
      for (const step of steps) {
        const packet =
          'text' in step ? queryPacket(step.text) : this.#statements.packet(step.prepared, step.parameters);
        if (at + HEAD + packet.length > batch.at + batch.bytes) {
          throw new RangeError('a transaction is too long for a batch');
        }
        at = this.#put(at, packet, KIND_NUMBERS[step.kind] ?? NOT_TIMED, step === last);
      }
    }
    const word = batch.filled / 4;
    Atomics.store(this.#words, word, at);
    Atomics.notify(this.#words, word);
  }

  #put(at: number, packet: Buffer, kind: number, isLast: boolean): number {
    const bytes = this.#bytes;
    bytes[at] = packet.length & 0xff;
    bytes[at + 1] = packet.length >>> 8;
    bytes[at + 2] = kind;
    bytes[at + 3] = isLast ? 1 : 0;
    bytes.set(packet, at + HEAD);
    return at + HEAD + packet.length;
  }
}

export function endOfRollback({ rollback }: Layout): number {
  return rollback + HEAD + queryPacket('ROLLBACK').length;
}
