import { expect } from 'vitest';
import {
  AnswerReader,
  type Answer,
} from '../../../../../../src/benchmark/load/builtin/wire/answer-reader.ts';
import { createRandom } from '../../../../../../src/benchmark/random.ts';

export type Command = 'statement' | 'prepare';
/** What is shown by an answer; a case says only what is not as in NOTHING. */
export type Told = Partial<Omit<Answer, 'error'>> & {
  error?: { errno: number; sqlState: string; message: string };
};

export const NOTHING = {
  hasRows: false,
  rows: 0,
  affectedRows: 0,
  warnings: 0,
  statementId: 0,
  parameters: 0,
};

export function toldBy(answer: Answer): Told {
  const { error, hasRows, rows, affectedRows, warnings, statementId, parameters } = answer;
  const fields = { hasRows, rows, affectedRows, warnings, statementId, parameters };
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
      // Of what looks like an end, an error or a result, whichever would do harm if it was still read.
      this.#shared.fill(length % 3 === 0 ? 0xfe : length % 3 === 1 ? 0xff : 0x00, 0, length);
    }
  }
}

/** Feeds chunks, all of which the answer needs; what was told then. */
export function readIn(chunks: Buffer[], command: Command = 'statement'): Told[] {
  const arrival = new Arrival();
  arrival.reader.begin(command);
  for (const chunk of chunks) {
    expect(arrival.answers).toHaveLength(0);
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
