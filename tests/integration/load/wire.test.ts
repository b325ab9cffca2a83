import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SqlConnection } from '../../../src/benchmark/load/builtin/connection.ts';
import { errorNumber } from '../../../src/benchmark/load/builtin/server-errors.ts';
import { FLAVORS, useServer } from './shared-server.ts';
import { Talk, type Told } from './wire-talk.ts';

const ROWS = 2000;

const READS = [
  'SELECT * FROM things',
  'SELECT NULL, NULL',
  'SELECT a, NULL, n FROM things WHERE id % 3 = 0',
  'SELECT * FROM things WHERE id < 0',
  "SELECT ''",
  'SELECT COUNT(*), SUM(n), MAX(a) FROM things',
  `SELECT ${Array.from({ length: 300 }, (_, index) => `${index} AS c${index}`).join(', ')} FROM things LIMIT 100`,
  'SHOW TABLES',
  'EXPLAIN SELECT * FROM things WHERE id = 7',
  // 100,000 rows in as many packets.
  'SELECT x.id, y.a FROM things x CROSS JOIN (SELECT a FROM things LIMIT 50) y',
];

describe.each(FLAVORS)('WireSession on %s', (flavor) => {
  const server = useServer(flavor);
  /** Reads the same statements with mysql2. */
  let reference: SqlConnection;
  let talk: Talk;
  beforeAll(async () => {
    reference = await SqlConnection.open(server.target);
    await reference.query('CREATE TABLE things (id INT PRIMARY KEY, a VARCHAR(250), n INT)');
    const rows = Array.from({ length: ROWS }, (_, index) => {
      const id = index + 1;
      return `(${id}, ${id % 5 === 0 ? 'NULL' : `'text ${'a'.repeat(id % 60)}'`}, ${id % 7 === 0 ? 'NULL' : id})`;
    });
    await reference.query(`INSERT INTO things VALUES ${rows.join(', ')}`);
    talk = await Talk.open(server.target);
  });
  afterAll(async () => {
    await talk.session.close();
    await reference.close();
  });
  // None of the tests may break the connection that they share, or leave rows behind.
  afterEach(async () => {
    expect(talk.lostWith).toEqual([]);
    expect(await talk.query('SELECT id FROM things')).toMatchObject({ rows: ROWS, error: undefined });
  });

  const expectSameRows = async (sql: string): Promise<void> => {
    const { rows } = await reference.query(sql);
    const expected = { hasRows: true, rows: rows.length, affectedRows: 0, error: undefined };
    expect(await talk.query(sql), sql).toMatchObject(expected);
    const statement = await talk.prepare(sql);
    for (let times = 0; times < 2; times++) {
      expect(await talk.execute(statement), sql).toMatchObject(expected);
    }
  };

  it('counts the rows that mysql2 reads, as text and prepared', async () => {
    for (const sql of READS) await expectSameRows(sql);
  });

  it('counts the rows that are changed, as mysql2 does', async () => {
    const statements = (table: string): string[] => [
      `CREATE TABLE ${table} LIKE things`,
      `INSERT INTO ${table} SELECT * FROM things`,
      `UPDATE ${table} SET n = 5 WHERE id <= 10`,
      // These rows are matched, but not changed.
      `UPDATE ${table} SET n = 5 WHERE id <= 10`,
      `UPDATE ${table} SET n = n + 1 WHERE id <= 300`,
      `INSERT INTO ${table} (id, n) VALUES (1, 2), (5000, 1) ON DUPLICATE KEY UPDATE n = 7`,
      `DELETE FROM ${table} WHERE id > 1990`,
      `DELETE FROM ${table} WHERE id < 0`,
      'BEGIN',
      'COMMIT',
      'DO 1',
      `DROP TABLE ${table}`,
    ];
    const expected: number[] = [];
    for (const sql of statements('by_mysql2')) expected.push((await reference.query(sql)).affectedRows);
    const told: Told[] = [];
    for (const sql of statements('by_wire')) told.push(await talk.run(sql));
    expect(told.map(({ affectedRows }) => affectedRows)).toEqual(expected);
    expect(told.every(({ hasRows, rows }) => !hasRows && rows === 0)).toBe(true);
    // One of ten rows had the value before; 41 of 300 have none.
    expect(expected.slice(1, 5)).toEqual([ROWS, 9, 0, 259]);
  });

  it('sends values as they are, also after the server has prepared its statement again', async () => {
    await talk.run('CREATE TABLE sent (id INT PRIMARY KEY, a VARCHAR(250), n INT)');
    const insert = await talk.prepare('INSERT INTO sent (id, a, n) VALUES (?, ?, ?)');
    const select = await talk.prepare('SELECT id FROM sent WHERE n = ? AND a = ?');
    const values: [number, string, number][] = [
      [1, '', 0],
      [2, 'x'.repeat(250), -1],
      [3, `it's "quoted" \\`, 2 ** 31 - 1],
      [4, '1', -(2 ** 31)],
      [5, '0', 65_536],
    ];
    for (const [id, a, n] of values) {
      expect(await talk.execute(insert, [id, a, n])).toMatchObject({ affectedRows: 1, error: undefined });
      expect(await talk.execute(select, [n, a])).toMatchObject({ hasRows: true, rows: 1 });
      expect(await talk.execute(select, [n, 'other'])).toMatchObject({ hasRows: true, rows: 0 });
      // The types of the values were sent once and are not sent again.
      await reference.query(`ALTER TABLE sent ADD COLUMN more${id} INT`);
    }
    expect(await reference.rows('SELECT id, a, n FROM sent ORDER BY id')).toEqual(values);
    await talk.run('DROP TABLE sent');
  });

  it('sees an error after rows, and goes on', async () => {
    const statements = [
      ['SELECT id, 9223372036854775807 + (id > 500) FROM things ORDER BY id', 1690, 500],
      [
        'SELECT id, (SELECT 1 FROM things y WHERE y.id <= GREATEST(x.id - 700, 1)) FROM things x ORDER BY id',
        1242,
        701,
      ],
    ] as const;
    for (const [sql, errno, rows] of statements) {
      await expect(reference.query(sql)).rejects.toMatchObject({ errno });
      expect(await talk.query(sql), sql).toMatchObject({ hasRows: true, rows, error: { errno } });
      const statement = await talk.prepare(sql);
      expect(await talk.execute(statement), sql).toMatchObject({ hasRows: true, rows, error: { errno } });
      expect(await talk.query('SELECT 1')).toMatchObject({ rows: 1, error: undefined });
    }
  });

  it('tells errors as mysql2 does', async () => {
    for (const sql of ['SELEC 1', 'SELECT * FROM no_such_table', 'INSERT INTO things (id) VALUES (1)']) {
      const expected = await reference.query(sql).then(
        () => undefined,
        (error: unknown) => error as { errno: number; sqlState: string; message: string },
      );
      const { error } = await talk.query(sql);
      expect(error).toMatchObject({
        errno: expected?.errno,
        code: expected?.sqlState,
        message: expected?.message,
      });
      expect(errorNumber(error)).toBe(expected?.errno);
    }
    await expect(talk.session.prepare('SELECT * FROM no_such_table')).rejects.toMatchObject({ errno: 1146 });
    talk.session.talk(talk);
  });

  it('keeps connections apart that read into the same bytes at the same time', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => Talk.open(server.target)));
    const counted = others.map(async (one, index) => {
      const rows: number[] = [];
      for (let times = 0; times < 20; times++) {
        rows.push((await one.run(`SELECT * FROM things WHERE id > ${index * 100}`)).rows);
      }
      return new Set(rows);
    });
    const read: string[] = [];
    for (let times = 0; times < 20; times++) {
      read.push(JSON.stringify(await reference.rows('SELECT * FROM things ORDER BY id')));
    }
    expect(new Set(read).size).toBe(1);
    const first = [1, 'text a', 1];
    expect(JSON.parse(read[0] ?? '')).toEqual(expect.arrayContaining([first, [35, null, null]]));
    expect(await Promise.all(counted)).toEqual([0, 1, 2, 3].map((index) => new Set([ROWS - index * 100])));
    await Promise.all(others.map((one) => one.session.close()));
  });
});
