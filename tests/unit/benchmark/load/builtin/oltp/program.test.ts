import { describe, expect, it } from 'vitest';
import { OltpProgram, type OltpSession } from '../../../../../../src/benchmark/load/builtin/oltp/program.ts';
import { StatementTimes } from '../../../../../../src/benchmark/load/builtin/statement-times.ts';
import { createRandom } from '../../../../../../src/benchmark/random.ts';
import { emptyCounts } from '../../../../../../src/benchmark/load/builtin/counts.ts';
import { ServerError, type Answer } from '../../../../../../src/benchmark/load/builtin/wire/answer-reader.ts';
import type { Conversation } from '../../../../../../src/benchmark/load/builtin/wire/session.ts';
import { oltpWorkloadSchema, type OltpWorkload } from '../../../../../../src/shared/model/workload.ts';
import { runOnce } from '../../run-once.ts';

const workload = oltpWorkloadSchema.parse({ kind: 'oltp_read_write', tables: 2, tableSize: 100 });

const rowsAnswer: Answer = { error: undefined, hasRows: true, rows: 1, affectedRows: 0, statementId: 0 };
const okAnswer = (affectedRows: number): Answer => ({ ...rowsAnswer, hasRows: false, rows: 0, affectedRows });

/** Statements that a server refuses, the first few or all of them. */
interface Refusal {
  errno: number;
  statement: RegExp;
  times?: number;
}

/** A server that remembers what it is sent and answers by the statement, later, as a socket does. */
function fakeSession({ errno, statement, times = Infinity }: Refusal = { errno: 0, statement: /^$/ }) {
  const sent: string[] = [];
  const prepared: string[] = [];
  let left = times;
  let talking: Conversation | undefined;
  const lose = (error: Error): void => talking?.lost(error);
  const answerTo = (sql: string): void => {
    const isControl = /^(BEGIN|COMMIT|ROLLBACK)/.test(sql);
    if (statement.test(sql) && left-- > 0) {
      const error = new ServerError(errno, 'HY000', `server says ${errno}`);
      talking?.answered({ ...rowsAnswer, error });
    } else talking?.answered(sql.startsWith('SELECT') ? rowsAnswer : okAnswer(isControl ? 0 : 1));
  };
  const send = (sql: string): void => {
    sent.push(sql);
    queueMicrotask(() => answerTo(sql));
  };
  const session: OltpSession = {
    prepare: (sql) => Promise.resolve(prepared.push(sql) - 1),
    talk: (conversation) => {
      talking = conversation;
    },
    execute: (statement) => send(prepared[statement] ?? 'unknown'),
    query: send,
    close: () => Promise.resolve(),
    destroy: () => lose(new Error('destroyed')),
  };
  return { session, sent, prepared, lose };
}

async function connected(session: OltpSession, fields: Partial<OltpWorkload> = {}): Promise<OltpProgram> {
  const draws = { ids: createRandom(1, 0), content: createRandom(1, 1) };
  const program = new OltpProgram(session, { ...workload, ...fields }, draws, new StatementTimes());
  await program.prepare();
  return program;
}

describe('OltpProgram', () => {
  it.each([1213, 1020, 1205])('rolls back and runs again after error %i', async (errno) => {
    const { session, sent } = fakeSession({ errno, statement: /^DELETE/, times: 2 });
    const counts = await runOnce(await connected(session));
    // Each failed attempt: BEGIN, 14 reads, 2 updates, the failing DELETE, ROLLBACK.
    expect(sent).toHaveLength(2 * 19 + 20);
    expect(sent.filter((sql) => sql === 'ROLLBACK')).toHaveLength(2);
    expect(sent.slice(17, 20)).toEqual([expect.stringMatching(/^DELETE/), 'ROLLBACK', 'BEGIN']);
    expect(counts).toEqual({
      ...emptyCounts(),
      ...{ transactions: 1, reads: 3 * 14, writes: 2 * 2 + 4, other: 2 * 2 + 2, errors: { [errno]: 2 } },
    });
  });

  it('runs again without ROLLBACK where there is no transaction', async () => {
    const { session, sent } = fakeSession({ errno: 1205, statement: /^UPDATE/, times: 1 });
    const counts = await runOnce(await connected(session, { kind: 'oltp_update_index' }));
    expect(sent).toHaveLength(2);
    expect(counts).toMatchObject({ transactions: 1, writes: 1, other: 0, errors: { 1205: 1 } });
  });

  it('takes a duplicate for somebody else’s insert of the same row, without a transaction only', async () => {
    const session = () => fakeSession({ errno: 1062, statement: /^INSERT/, times: 1 }).session;
    const alone = await connected(session(), { skipTransactions: true });
    expect(await runOnce(alone)).toMatchObject({ transactions: 1, other: 0, errors: { 1062: 1 } });
    await expect(runOnce(await connected(session()))).rejects.toThrow('1062');
  });

  it.each([1146, 1062])('ends with any other error (%i)', async (errno) => {
    const { session, sent } = fakeSession({ errno, statement: /^UPDATE/ });
    await expect(runOnce(await connected(session))).rejects.toThrow(`server says ${errno}`);
    expect(sent).not.toContain('ROLLBACK');
  });

  it('ends when the server refuses the rollback', async () => {
    const { session, sent } = fakeSession({ errno: 1213, statement: /^(UPDATE|ROLLBACK)/ });
    await expect(runOnce(await connected(session))).rejects.toThrow('server says 1213');
    expect(sent.filter((sql) => sql === 'ROLLBACK')).toHaveLength(1);
  });

  it('is done once, with what ended the connection', async () => {
    const { session, lose } = fakeSession();
    const program = await connected(session);
    const done: unknown[] = [];
    program.run(emptyCounts(), (error) => done.push(error));
    lose(new Error('gone'));
    lose(new Error('gone again'));
    program.destroy();
    expect(done).toEqual([new Error('gone')]);
  });

  it('says nothing of a connection that is lost between two transactions, until the next one', async () => {
    const { session, sent, lose } = fakeSession();
    const program = await connected(session);
    const done: unknown[] = [];
    await new Promise<void>((resolve) => {
      program.run(emptyCounts(), (error) => resolve(void done.push(error)));
    });
    lose(new Error('gone'));
    expect(done).toEqual([undefined]);
    const before = sent.length;
    await expect(runOnce(program)).rejects.toThrow('gone');
    expect(sent).toHaveLength(before);
  });
});
