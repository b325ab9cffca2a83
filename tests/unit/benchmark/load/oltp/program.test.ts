import { describe, expect, it } from 'vitest';
import type { SqlAnswer } from '../../../../../src/benchmark/load/node/connection.ts';
import { OltpProgram } from '../../../../../src/benchmark/load/node/oltp/program.ts';
import { createStream } from '../../../../../src/benchmark/load/node/prng.ts';
import type { LoadSession } from '../../../../../src/benchmark/load/node/workload-engine.ts';
import { oltpWorkloadSchema, type OltpWorkload } from '../../../../../src/shared/model/workload.ts';

const workload = oltpWorkloadSchema.parse({ kind: 'oltp_read_write', tables: 2, tableSize: 100 });

/** A server that remembers what it is sent and answers by the statement; `fail` may throw instead. */
function fakeSession(fail: (sql: string, number: number) => void = () => undefined) {
  const sent: string[] = [];
  const answer = (sql: string): Promise<SqlAnswer> => {
    sent.push(sql);
    try {
      fail(sql, sent.length);
    } catch (error) {
      return Promise.reject(error);
    }
    if (sql.startsWith('SELECT')) return Promise.resolve({ rows: [['x']] });
    return Promise.resolve({ affectedRows: /^(BEGIN|COMMIT|ROLLBACK)/.test(sql) ? 0 : 1 });
  };
  const prepared: string[] = [];
  const session: LoadSession = {
    prepare: (sql) => {
      prepared.push(sql);
      return Promise.resolve(() => answer(sql));
    },
    query: answer,
    close: () => Promise.resolve(),
    destroy: () => undefined,
  };
  return { session, sent, prepared };
}

const serverError = (errno: number): Error => Object.assign(new Error(`server says ${errno}`), { errno });

async function connected(session: LoadSession, fields: Partial<OltpWorkload> = {}): Promise<OltpProgram> {
  const draws = { ids: createStream(1, 0), content: createStream(1, 1) };
  const program = new OltpProgram(session, { ...workload, ...fields }, draws);
  await program.prepare();
  return program;
}

describe('OltpProgram', () => {
  it('prepares each statement once and counts by result', async () => {
    const { session, sent, prepared } = fakeSession();
    const connection = await connected(session);
    expect(new Set(prepared).size).toBe(18);
    const counts = await connection.run();
    expect(counts).toEqual({
      transactions: 1,
      reads: 14,
      writes: 4,
      other: 2,
      errors: {},
      rollbacks: 0,
      mix: {},
    });
    await connection.run();
    expect(prepared).toHaveLength(18);
    expect(sent).toHaveLength(40);
  });

  it('counts a statement that changed nothing as other', async () => {
    const { session } = fakeSession();
    const prepare = session.prepare;
    session.prepare = (sql) =>
      sql.startsWith('DELETE') ? Promise.resolve(() => Promise.resolve({ affectedRows: 0 })) : prepare(sql);
    expect(await (await connected(session)).run()).toMatchObject({ reads: 14, writes: 3, other: 3 });
  });

  it.each([1213, 1020, 1205])('rolls back and runs again after error %i', async (errno) => {
    let times = 0;
    const { session, sent } = fakeSession((sql) => {
      if (sql.startsWith('DELETE') && times++ < 2) throw serverError(errno);
    });
    const counts = await (await connected(session)).run();
    // Each failed attempt: BEGIN, 14 reads, 2 updates, the failing DELETE, ROLLBACK.
    expect(sent).toHaveLength(2 * 19 + 20);
    expect(sent.filter((sql) => sql === 'ROLLBACK')).toHaveLength(2);
    expect(sent[17]).toMatch(/^DELETE/);
    expect(sent[18]).toBe('ROLLBACK');
    expect(sent[19]).toBe('BEGIN');
    expect(counts).toEqual({
      transactions: 1,
      reads: 3 * 14,
      writes: 2 * 2 + 4,
      other: 2 * 2 + 2,
      errors: { [errno]: 2 },
      rollbacks: 0,
      mix: {},
    });
  });

  it('runs again without ROLLBACK where there is no transaction', async () => {
    let failed = false;
    const { session, sent } = fakeSession((sql) => {
      if (!sql.startsWith('UPDATE') || failed) return;
      failed = true;
      throw serverError(1205);
    });
    const counts = await (await connected(session, { kind: 'oltp_update_index' })).run();
    expect(sent).toHaveLength(2);
    expect(counts).toMatchObject({ transactions: 1, writes: 1, other: 0, errors: { 1205: 1 } });
  });

  it('takes a duplicate for somebody else’s insert of the same row, without a transaction only', async () => {
    let met = false;
    const duplicate = (sql: string): void => {
      if (!sql.startsWith('INSERT') || met) return;
      met = true;
      throw serverError(1062);
    };
    const alone = await connected(fakeSession(duplicate).session, { skipTransactions: true });
    expect(await alone.run()).toMatchObject({ transactions: 1, other: 0, errors: { 1062: 1 } });
    met = false;
    await expect((await connected(fakeSession(duplicate).session)).run()).rejects.toThrow('1062');
  });

  it('sends everything as text where nothing is prepared', async () => {
    const { session, sent, prepared } = fakeSession();
    const program = await connected(session, { preparedStatements: false });
    expect(await program.run()).toMatchObject({ reads: 14, writes: 4, other: 2 });
    expect(prepared).toEqual([]);
    expect(sent.join(' ')).not.toContain('?');
  });

  it('runs a transaction again whose COMMIT was refused', async () => {
    let refused = false;
    const { session } = fakeSession((sql) => {
      if (sql === 'COMMIT' && !refused) {
        refused = true;
        throw serverError(1213);
      }
    });
    expect(await (await connected(session)).run()).toMatchObject({ transactions: 1, errors: { 1213: 1 } });
  });

  it.each([1146, 1062, -104])('ends with any other error (%i)', async (errno) => {
    const { session, sent } = fakeSession((sql) => {
      if (sql.startsWith('UPDATE')) throw serverError(errno);
    });
    await expect((await connected(session)).run()).rejects.toThrow(`server says ${errno}`);
    expect(sent).not.toContain('ROLLBACK');
  });

  it('ends when the connection is lost during the rollback', async () => {
    const { session } = fakeSession((sql) => {
      if (sql.startsWith('UPDATE')) throw serverError(1213);
      if (sql === 'ROLLBACK') throw new Error('gone');
    });
    await expect((await connected(session)).run()).rejects.toThrow('gone');
  });
});
