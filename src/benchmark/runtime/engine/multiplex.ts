import { StringDecoder } from 'node:string_decoder';

export type Channel = 'stdout' | 'stderr' | 'system';

/** Channel 0 is stdin, documented as written to stdout. */
const CHANNELS: readonly Channel[] = ['stdout', 'stdout', 'stderr', 'system'];
const HEADER_BYTES = 8;

/** Source: Docker Engine API, "Stream format". */
export class Demultiplexer {
  #header = Buffer.alloc(0);
  #remaining = 0;
  #channel: Channel = 'stdout';

  constructor(private readonly onBytes: (channel: Channel, bytes: Buffer) => void) {}

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#remaining > 0) {
        const payload = rest.subarray(0, this.#remaining);
        rest = rest.subarray(payload.length);
        this.#remaining -= payload.length;
        this.onBytes(this.#channel, payload);
        continue;
      }
      const missing = HEADER_BYTES - this.#header.length;
      this.#header = Buffer.concat([this.#header, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      if (this.#header.length === HEADER_BYTES) {
        this.#channel = CHANNELS[this.#header[0] ?? 0] ?? 'stdout';
        this.#remaining = this.#header.readUInt32BE(4);
        this.#header = Buffer.alloc(0);
      }
    }
  }
}

const LONGEST_LINE = 2 ** 20;

export class LineSplitter {
  readonly #parts = new Map<Channel, { decoder: StringDecoder; tail: string }>();

  constructor(private readonly onLine: (line: string, channel: Channel) => void) {}

  push(channel: Channel, bytes: Buffer): void {
    let part = this.#parts.get(channel);
    if (part === undefined) {
      part = { decoder: new StringDecoder('utf8'), tail: '' };
      this.#parts.set(channel, part);
    }
    const lines = (part.tail + part.decoder.write(bytes)).split('\n');
    part.tail = lines.pop() ?? '';
    for (const line of lines) this.onLine(withoutReturn(line), channel);
    if (part.tail.length < LONGEST_LINE) return;
    this.onLine(part.tail, channel);
    part.tail = '';
  }

  end(): void {
    for (const [channel, { decoder, tail }] of this.#parts) {
      const last = tail + decoder.end();
      if (last !== '') this.onLine(withoutReturn(last), channel);
    }
    this.#parts.clear();
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
