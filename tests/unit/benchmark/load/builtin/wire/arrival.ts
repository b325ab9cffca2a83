import {
  AnswerReader,
  type Answer,
} from '../../../../../../src/benchmark/load/builtin/wire/answer-reader.ts';
import { createRandom } from '../../../../../../src/benchmark/random.ts';

export type Command = 'statement' | 'prepare';
/** The fields of a read answer; a case has only those that differ from NOTHING. */
export type Told = Partial<Omit<Answer, 'error'>> & {
  error?: { errno: number; sqlState: string; message: string };
};

export const NOTHING = { hasRows: false, rows: 0, affectedRows: 0, statementId: 0 };

export function toldBy(answer: Answer): Told {
  const { error, hasRows, rows, affectedRows, statementId } = answer;
  const fields = { hasRows, rows, affectedRows, statementId };
  if (error === undefined) return fields;
  return { ...fields, error: { errno: error.errno, sqlState: error.code, message: error.message } };
}

/** A reader that is fed as a socket feeds it: through one buffer that the next bytes overwrite. */
export class Arrival {
  readonly answers: Told[] = [];
  readonly reader: AnswerReader = new AnswerReader(() => this.answers.push(toldBy(this.reader)));
  readonly #shared = Buffer.alloc(64 * 1024, 0xfe);

  feed(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += this.#shared.length) {
      const length = bytes.copy(this.#shared, 0, at);
      this.reader.feed(this.#shared, length);
      // An end, an error, or a result: each would do harm if it was still read.
      this.#shared.fill(length % 3 === 0 ? 0xfe : length % 3 === 1 ? 0xff : 0x00, 0, length);
    }
  }
}

/** Feeds chunks, all of which the answer needs, and returns what was received. */
export function readIn(chunks: Buffer[], command: Command = 'statement'): Told[] {
  const arrival = new Arrival();
  arrival.reader.begin(command);
  for (const chunk of chunks) {
    if (arrival.answers.length > 0) throw new Error('answered before the last chunk');
    arrival.feed(chunk);
  }
  return arrival.answers;
}

/** Chunks of 1 to about 40 bytes; now and then a longer one. */
export function cutAtRandom(bytes: Buffer, seed: number): Buffer[] {
  const random = createRandom(seed);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const most = random() < 0.1 ? 4000 : 40;
    const length = 1 + Math.floor(random() * most);
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}
