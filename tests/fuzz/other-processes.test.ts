import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect } from 'vitest';
import { CommandedClient } from '../../src/benchmark/load/client/clients.ts';
import { answerSchema, commandSchema, parseLine, toLine } from '../../src/benchmark/load/client/protocol.ts';
import {
  AnswerReader,
  ProtocolError,
  ServerError,
} from '../../src/benchmark/load/builtin/wire/answer-reader.ts';
import { Demultiplexer, LineSplitter } from '../../src/benchmark/runtime/engine/multiplex.ts';
import { memoryOf, statsSchema, usageOf } from '../../src/benchmark/runtime/engine/container-stats.ts';
import {
  BuildProgress,
  progressLineSchema,
  PullProgress,
} from '../../src/benchmark/runtime/engine/image-progress.ts';
import { workloadSchema } from '../../src/shared/model/workload.ts';
import { ANSWERS } from '../unit/benchmark/load/builtin/wire/answers.ts';
import { makeEvents } from '../unit/builders.ts';
import { byteMutants, chunkLengths, inChunks } from './support/byte-mutants.ts';
import { fuzz } from './support/fuzz.ts';
import { written } from './support/odd.ts';
import { acceptedOrRefused } from './support/refusal.ts';
import { textMutants } from './support/text-mutants.ts';
import { valueMutants } from './support/value-mutants.ts';

/** Answers of servers, engines, and containers. */

const small = ANSWERS.filter(({ bytes }) => bytes.length < 20_000);

fuzz({
  name: 'server-answer',
  cases: fc.record({
    bytes: byteMutants(small.map(({ bytes }) => bytes)),
    command: fc.constantFrom('statement' as const, 'prepare' as const),
    lengths: chunkLengths,
  }),
  judge: ({ bytes, command, lengths }) => {
    let answered = 0;
    const reader: AnswerReader = new AnswerReader(() => {
      answered += 1;
      for (const field of [reader.rows, reader.affectedRows, reader.statementId]) {
        expect(Number.isFinite(field) && field >= 0).toBe(true);
      }
    });
    reader.begin(command);
    try {
      for (const chunk of inChunks(bytes, lengths)) reader.feed(chunk, chunk.length);
    } catch (error) {
      if (!(error instanceof ProtocolError || error instanceof ServerError)) throw error;
      return 'refused';
    }
    return answered === 1 ? 'accepted' : 'refused';
  },
});

const events = makeEvents({ scenarios: [{ storage: 'named-volume', path: 'published-port' }], rounds: 1 });
const [window] = events.flatMap((event) => (event.type === 'window' ? [event.window] : []));
const [totals] = events.flatMap((event) => (event.type === 'trial-finished' ? [event.totals] : []));
/** A run is one slice of a load that is open for it. */
const conversation = [
  { type: 'ready' },
  { type: 'opened', id: 1 },
  { type: 'phase', id: 2, phase: 'measure' },
  { type: 'window', id: 2, window },
  { type: 'done', id: 2, totals },
  { type: 'closed', id: 3 },
];
const failed = [
  { type: 'ready' },
  {
    type: 'failed',
    id: 1,
    error: { code: 'LOAD_FAILED', message: '', hint: '', evidence: [], params: { reason: 'x' } },
  },
];
const spoken = [conversation, failed].map((answers) =>
  answers.map((one) => `${JSON.stringify(one)}\n`).join(''),
);

fuzz({
  name: 'client-lines',
  cases: fc.oneof(
    textMutants(spoken, ['{"type":"ready"}\n', '{"type":"quit"}\n', '"id":3', '"histogram":"AAAA"']),
    fc
      .tuple(fc.nat(conversation.length - 1), valueMutants(conversation))
      .map(([at, line]) =>
        conversation.map((one, index) => `${index === at ? written(line) : JSON.stringify(one)}\n`).join(''),
      ),
  ),
  judge: (text) =>
    acceptedOrRefused(
      async () => {
        const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
        let end = (): void => undefined;
        const ended = new Promise<void>((resolve) => (end = resolve));
        // Asked, it says this and ends; each line is heard before the next, and may be asked on.
        const say = async (): Promise<void> => {
          for (const line of text.split(/(?<=\n)/)) {
            stdout.write(line);
            await new Promise(setImmediate);
          }
          stdout.end();
          stderr.end();
        };
        stdin.once('data', () => void say());
        stdout.once('end', () => end());
        stdout.write(toLine({ type: 'ready' }));
        const loadGenerator = new CommandedClient({ stdin, stdout, stderr, ended });
        const spec = {
          loadGenerator: 'builtin' as const,
          target: { host: 'h', port: 1, user: 'u', password: 'p', database: 'd' },
          workload: workloadSchema.parse({}),
          connections: 1,
          warmupMs: 0,
          durationMs: 1000,
          seed: 0,
        };
        await loadGenerator.run(spec, () => undefined, new AbortController().signal);
      },
      {
        codes: ['CLIENT_LOST', 'LOAD_FAILED', 'INTERNAL'],
        // A client describes its own failure in its own words.
        namesPlace: ({ code, params }) => code !== 'CLIENT_LOST' || params['reason'] !== undefined,
      },
    ),
});

const commands = [
  { type: 'stop', id: 1 },
  {
    type: 'query',
    id: 2,
    target: { host: 'h', port: 1, user: 'u', password: 'p', database: 'd' },
    sql: 'SELECT 1',
  },
];

fuzz({
  name: 'protocol',
  cases: valueMutants([...commands, ...conversation]).map((value) => written(value)),
  judge: (line) => {
    const message = parseLine(commandSchema, line) ?? parseLine(answerSchema, line);
    if (message === undefined) return 'refused';
    // Every message that was understood can be sent again.
    expect(toLine(message).endsWith('\n')).toBe(true);
    return 'accepted';
  },
});

function frame(channel: number, text: string): Buffer {
  const header = Buffer.alloc(8);
  header[0] = channel;
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}
const stream = Buffer.concat([
  frame(1, 'one\ntwö'),
  frame(2, 'err\r\n'),
  frame(1, ' three\n'),
  frame(3, 'gone\n'),
]);

fuzz({
  name: 'engine-stream',
  only: 'accepted',
  cases: fc.record({ bytes: byteMutants([stream]), lengths: chunkLengths }),
  judge: ({ bytes, lengths }) => {
    let payload = 0;
    const splitter = new LineSplitter((line) => expect(line).not.toContain('\n'));
    const demultiplexer = new Demultiplexer((channel, part) => {
      payload += part.length;
      splitter.push(channel, part);
    });
    for (const chunk of inChunks(bytes, lengths)) demultiplexer.push(chunk);
    splitter.end();
    expect(payload).toBeLessThanOrEqual(bytes.length);
    return 'accepted';
  },
});

const progress = [
  { status: 'Downloading', id: 'abc', progressDetail: { current: 1000, total: 5000 } },
  { status: 'Extracting', id: 'abc', progressDetail: { current: 10, total: 20 } },
  { stream: 'Step 3/7 : RUN apt-get update\n' },
  { error: 'x', errorDetail: { message: 'x' } },
];
const stats = {
  cpu_stats: { cpu_usage: { total_usage: 5e9 }, throttling_data: { throttled_time: 1 } },
  memory_stats: { usage: 1e8, stats: { inactive_file: 1e6 } },
  blkio_stats: { io_service_bytes_recursive: [{ op: 'read', value: 1 }] },
  networks: { eth0: { rx_bytes: 1, tx_bytes: 2 } },
};

fuzz({
  name: 'engine-answers',
  cases: fc.tuple(fc.array(valueMutants(progress), { maxLength: 6 }), valueMutants([stats])),
  judge: ([lines, one]) => {
    const [pull, build] = [new PullProgress(), new BuildProgress()];
    let reached = 0;
    for (const line of lines) {
      const parsed = progressLineSchema.safeParse(line);
      if (!parsed.success) continue;
      const { fraction } = pull.read(parsed.data) ?? { fraction: null };
      if (fraction !== null) expect(fraction).toBeGreaterThanOrEqual(reached);
      reached = fraction ?? reached;
      build.read(parsed.data);
    }
    const parsed = statsSchema.safeParse(one);
    if (!parsed.success) return 'refused';
    usageOf(parsed.data);
    memoryOf(parsed.data);
    return 'accepted';
  },
});
