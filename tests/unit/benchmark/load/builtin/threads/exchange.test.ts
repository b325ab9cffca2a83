import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { compiledToWasm } from '../../../../../../scripts/build/queries.mjs';
import {
  emptyCounts,
  nowMs,
  WindowSchedule,
  type Counts,
} from '../../../../../../src/benchmark/load/builtin/counts.ts';
import { Exchange } from '../../../../../../src/benchmark/load/builtin/threads/exchange.ts';
import { SharedCounts, valueOf } from '../../../../../../src/benchmark/load/builtin/threads/shared-counts.ts';
import { StatementTimes } from '../../../../../../src/benchmark/load/builtin/statement-times.ts';
import { createHistogram, decodeHistogram } from '../../../../../../src/shared/histogram/histogram.ts';
import { STATEMENT_KINDS } from '../../../../../../src/shared/model/statement-kinds.ts';
import { ANSWERS } from '../wire/answers.ts';
import { binaryRow, failure, ok, packets, resultSet } from '../wire/server-bytes.ts';
import { startScriptedServer, type ScriptedServer } from './scripted-server.ts';

const POINT = STATEMENT_KINDS.indexOf('point');
const COMMAND = packets(Buffer.from('\x03SELECT 1'), 0);

let program: WebAssembly.Module;
beforeAll(async () => {
  program = new WebAssembly.Module(
    await compiledToWasm('src/benchmark/load/builtin/threads/wasm/exchange.ts'),
  );
});

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Statement {
  kind?: number;
  isLast?: boolean;
}

/** One connection to a server that gives these answers. */
async function exchangeWith(
  answers: readonly Buffer[],
  { chunk, schedule = new WindowSchedule(0, 60_000) }: { chunk?: number; schedule?: WindowSchedule } = {},
) {
  const server = await startScriptedServer(answers, chunk);
  servers.push(server);
  const shared = new SharedCounts(1);
  const layout = shared.layout(0);
  const exchange = new Exchange({ program, memory: shared.memory, layout, socket: server.socket });
  const bytes = Buffer.from(shared.memory.buffer);
  const [batch] = layout.batches;
  return {
    shared,
    layout,
    exchange,
    server,
    begin: (agoMs = 0) => exchange.begin(nowMs() - agoMs, schedule),
    /** Sends these statements. */
    run: (...statements: Statement[]) => {
      let at = batch.at;
      for (const { kind = POINT, isLast = true } of statements) {
        bytes.writeUInt32LE(COMMAND.length + kind * 2 ** 16 + (isLast ? 2 ** 24 : 0), at);
        at += 4 + COMMAND.copy(bytes, at + 4);
      }
      return exchange.run(batch.at, at);
    },
    collect: (position = 0) => {
      const counts = emptyCounts();
      const latencies = createHistogram();
      const times = new StatementTimes();
      shared.collect(position, counts, latencies, times);
      times.endWindow(true);
      const points = decodeHistogram(times.take().statements.point ?? '').totalCount;
      return { ...counts, latencies: latencies.totalCount, points };
    },
  };
}

/** The counts that `countAnswer` makes of an answer. */
function countedAs(told: { hasRows?: boolean; affectedRows?: number }): Partial<Counts> {
  const isRead = told.hasRows === true;
  const isWrite = !isRead && (told.affectedRows ?? 0) > 0;
  return { reads: isRead ? 1 : 0, writes: isWrite ? 1 : 0, other: isRead || isWrite ? 0 : 1 };
}

const STATEMENTS = ANSWERS.filter(({ command = 'statement' }) => command === 'statement');

describe('an exchange', () => {
  it('counts each answer', async () => {
    const answers = STATEMENTS.filter(({ told }) => told.error === undefined);
    const { begin, run, collect } = await exchangeWith(answers.map(({ bytes }) => bytes));
    for (const { name, told } of answers) {
      begin();
      expect(run({}), name).toBe('all sent');
      const counted = { ...countedAs(told), transactions: 1, latencies: 1, points: 1 };
      expect(collect(), name).toMatchObject(counted);
    }
  });

  it.each(STATEMENTS.filter(({ told }) => told.error !== undefined))(
    'returns $name',
    async ({ bytes, told }) => {
      const { begin, run, collect } = await exchangeWith([bytes]);
      begin();
      const { errno, sqlState, message } = told.error ?? {};
      expect(run({})).toMatchObject({ errno, code: sqlState, message });
      expect(collect()).toMatchObject({ transactions: 0, reads: 0 });
    },
  );

  it.each([1, 7, 64])('reads answers that arrive %i bytes at a time', async (chunk) => {
    const rows = Array.from({ length: 20 }, () => binaryRow('1', 'x'.repeat(30)));
    const { begin, run, collect } = await exchangeWith([resultSet(2, rows), ok({ affected: 300 })], {
      chunk,
    });
    begin();
    expect(run({ isLast: false }, {})).toBe('all sent');
    expect(collect()).toMatchObject({ transactions: 1, reads: 1, writes: 1, points: 2 });
  });

  it('reads answers and rows that are longer than its memory for them', async () => {
    const rows = [
      ...Array.from({ length: 500 }, () => binaryRow('y'.repeat(1000))),
      binaryRow('z'.repeat(200_000)),
    ];
    const { begin, run, collect } = await exchangeWith([resultSet(1, rows), ok()]);
    begin();
    expect(run({}, {})).toBe('all sent');
    expect(collect()).toMatchObject({ transactions: 2, reads: 1, other: 1 });
  });

  it('counts a transaction in the window in which it ended', async () => {
    const { begin, run, collect } = await exchangeWith([ok(), ok()], {
      schedule: new WindowSchedule(500, 2000),
    });
    begin(1600);
    run({}, {});
    expect([0, 1, 2].map((position) => collect(position).transactions)).toEqual([0, 0, 2]);
    expect(collect(2).transactions).toBe(0);
  });

  it('counts from the first end after the warm-up until the first end after the last window', async () => {
    const { begin, run, collect, shared, exchange, layout } = await exchangeWith([ok(), ok(), ok()], {
      schedule: new WindowSchedule(500, 500),
    });
    begin(400);
    shared.begin();
    // The first ends in the warm-up, the second begins the time that counts.
    expect(run({})).toBe('all sent');
    await delay(150);
    expect(run({})).toBe('all sent');
    await delay(500);
    expect(run({})).toBe('counted');
    const [span] = shared.spans(0);
    expect((span?.untilMs ?? 0) - (span?.fromMs ?? 0)).toBeGreaterThan(400);
    expect([0, 1].map((position) => collect(position).transactions)).toEqual([1, 1]);
    shared.stop();
    expect(exchange.run(exchange.transactionAt, layout.batches[0].at + 100)).toBe('over');
  });

  it('counts what an interrupted transaction sent with the try that succeeds', async () => {
    const deadlock = failure(1213, 'Deadlock found', '40001');
    const { begin, run, collect, exchange, layout, shared } = await exchangeWith([
      ok(),
      deadlock,
      ok(),
      ok({ affected: 1 }),
    ]);
    begin();
    expect(run({ isLast: false }, {})).toMatchObject({ errno: 1213 });
    expect(exchange.transactionAt).toBe(layout.batches[0].at);
    new Int32Array(shared.memory.buffer)[layout.errors / 4] = 1;
    expect(run({ kind: 0xff, isLast: false })).toBe('all sent');
    expect(run({})).toBe('all sent');
    expect(collect()).toMatchObject({
      ...{ transactions: 1, writes: 1, other: 2, errors: { 1213: 1 }, latencies: 1 },
      // The failed statement and the rollback are not timed.
      points: 2,
    });
  });

  it('says that the connection is lost when the server hangs up', async () => {
    const { begin, run } = await exchangeWith([ok()]);
    begin();
    expect(() => run({}, {})).toThrow(expect.objectContaining({ code: 'PROTOCOL_CONNECTION_LOST' }));
  });

  it.each([
    ['bytes after an answer', Buffer.concat([ok(), ok()])],
    ['an empty packet', Buffer.alloc(5)],
    ['a request for a local file', packets(Buffer.from('\xfbrows', 'latin1'))],
    [
      'no end of the definitions',
      Buffer.concat([packets(Buffer.of(1)), packets(Buffer.of(3)), packets(Buffer.of(3))]),
    ],
    ['a cut OK', packets(Buffer.of(0, 0, 0, 2))],
  ])('refuses %s', async (_, bytes) => {
    const { begin, run } = await exchangeWith([bytes]);
    begin();
    expect(() => run({})).toThrow(expect.objectContaining({ name: 'ProtocolError' }));
  });
});

describe('the buckets of the shared histograms', () => {
  it('are no wider than a thousandth, in order', () => {
    const { bucketOf } = new WebAssembly.Instance(program, IMPORTS).exports as {
      bucketOf(us: number): number;
    };
    for (let us = 1; us < 2 ** 32; us = Math.ceil(us * 1.0007)) {
      const value = valueOf(bucketOf(us));
      const isRight = value <= us && us - value <= us / 1000 && bucketOf(value) === bucketOf(us);
      if (!isRight) throw new Error(`${us} µs are in the bucket of ${value} µs`);
    }
  });
});

const nothing = (): number => 0;
const IMPORTS = {
  env: { memory: new SharedCounts(1).memory },
  layout: { ...new SharedCounts(1).layout(0) },
  windows: { end: nothing },
  wasi_snapshot_preview1: { fd_read: nothing, fd_write: nothing, clock_time_get: nothing },
};
