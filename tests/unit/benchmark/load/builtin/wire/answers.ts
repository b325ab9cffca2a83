import type { Command, Told } from './arrival.ts';
import {
  MORE_RESULTS,
  binaryRow,
  definition,
  eof,
  failure,
  integer,
  ok,
  packets,
  prepared,
  resultSet,
  textRow,
} from './server-bytes.ts';

interface Case {
  name: string;
  bytes: Buffer;
  told: Told;
  command?: Command;
}

/** An answer of every kind, with its fields. */
export const ANSWERS: Case[] = [
  ...[0, 1, 250, 251, 252, 65_535, 65_536, 2 ** 24 - 1, 2 ** 24, 2 ** 40].map((affected) => ({
    name: `OK, ${affected} rows changed`,
    bytes: ok({ affected, insertId: affected, warnings: 3 }),
    told: { affectedRows: affected },
  })),
  {
    name: 'OK with a message',
    bytes: ok({ affected: 2, warnings: 65_535, info: 'Rows matched: 3  Changed: 2  Warnings: 9' }),
    told: { affectedRows: 2 },
  },
  {
    name: 'an error',
    bytes: failure(1146, "Table 'sbtest.nö' doesn't exist", '42S02'),
    told: { error: { errno: 1146, sqlState: '42S02', message: "Table 'sbtest.nö' doesn't exist" } },
  },
  {
    name: 'an error without a state',
    bytes: failure(1040, 'Too many connections', null),
    told: { error: { errno: 1040, sqlState: '', message: 'Too many connections' } },
  },
  {
    name: 'rows as text',
    bytes: resultSet(2, [textRow('1', 'a'), textRow('', ''), textRow('x'.repeat(300), 'y')]),
    told: { hasRows: true, rows: 3 },
  },
  {
    name: 'rows in binary',
    bytes: resultSet(2, [binaryRow('1', 'a'), binaryRow('', 'x'.repeat(300))]),
    told: { hasRows: true, rows: 2 },
  },
  { name: 'no rows', bytes: resultSet(3, []), told: { hasRows: true } },
  {
    name: 'NULLs as text, which begin with the byte that asks for a file in a first packet',
    bytes: resultSet(3, [textRow(null, null, null), textRow(null, 'a', null), textRow('a', null, '')]),
    told: { hasRows: true, rows: 3 },
  },
  {
    name: 'NULLs in binary',
    bytes: resultSet(9, [
      binaryRow(...Array.from({ length: 9 }, () => null)),
      binaryRow(...Array.from({ length: 9 }, (_, index) => (index % 2 === 0 ? 'a' : null))),
    ]),
    told: { hasRows: true, rows: 2 },
  },
  {
    name: 'more than 250 columns',
    bytes: resultSet(300, [textRow(...Array.from({ length: 300 }, () => '1'))]),
    told: { hasRows: true, rows: 1 },
  },
  {
    name: 'an empty row of text beside ends that look alike',
    bytes: resultSet(1, [textRow(''), textRow('\0'), textRow('\xfe'), textRow(Buffer.of(0xff, 0xfe))]),
    told: { hasRows: true, rows: 4 },
  },
  {
    name: 'a row that begins like an end, and is longer than one',
    bytes: resultSet(1, [packets(Buffer.from('fe0100000000000000', 'hex')), textRow('1')]),
    told: { hasRows: true, rows: 2 },
  },
  {
    name: 'an error instead of the first row',
    bytes: resultSet(1, [], failure(1242, 'Subquery returns more than 1 row', '21000')),
    told: {
      hasRows: true,
      error: { errno: 1242, sqlState: '21000', message: 'Subquery returns more than 1 row' },
    },
  },
  {
    name: 'an error in the middle of the rows',
    bytes: resultSet(1, [textRow('1'), textRow('2')], failure(1690, 'BIGINT value is out of range', '22003')),
    told: {
      hasRows: true,
      rows: 2,
      error: { errno: 1690, sqlState: '22003', message: 'BIGINT value is out of range' },
    },
  },
  {
    name: 'an error in the middle of the definitions',
    bytes: Buffer.concat([packets(integer(3)), definition(), failure(1037, 'Out of memory', 'HY001')]),
    told: { hasRows: true, error: { errno: 1037, sqlState: 'HY001', message: 'Out of memory' } },
  },
  {
    name: 'an error where the definitions should end',
    bytes: Buffer.concat([packets(integer(1)), definition(), failure(1317, 'interrupted', '70100')]),
    told: { hasRows: true, error: { errno: 1317, sqlState: '70100', message: 'interrupted' } },
  },
  {
    name: 'several result sets and what ends a procedure',
    bytes: Buffer.concat([
      resultSet(1, [textRow('1')], eof({ status: MORE_RESULTS, warnings: 1 })),
      resultSet(2, [], eof({ status: MORE_RESULTS })),
      resultSet(1, [binaryRow('1'), binaryRow(null)], eof({ status: MORE_RESULTS })),
      ok({ affected: 7, warnings: 2 }),
    ]),
    told: { hasRows: true, rows: 3, affectedRows: 7 },
  },
  {
    name: 'a result set after changed rows',
    bytes: Buffer.concat([
      ok({ affected: 5, status: MORE_RESULTS }),
      ok({ affected: 300, status: MORE_RESULTS }),
      resultSet(1, [textRow('1')]),
    ]),
    told: { hasRows: true, rows: 1, affectedRows: 305 },
  },
  {
    name: 'an error after a whole result set',
    bytes: Buffer.concat([
      resultSet(1, [textRow('1')], eof({ status: MORE_RESULTS })),
      failure(1213, 'Deadlock found', '40001'),
    ]),
    told: {
      hasRows: true,
      rows: 1,
      error: { errno: 1213, sqlState: '40001', message: 'Deadlock found' },
    },
  },
  ...(
    [
      [0, 0],
      [2, 0],
      [0, 3],
      [4, 2],
      [260, 251],
    ] as const
  ).map(([parameters, columns]) => ({
    name: `a prepared statement, ${parameters} parameters, ${columns} columns`,
    bytes: prepared(0xfedcba98, parameters, columns),
    told: { statementId: 0xfedcba98 },
    command: 'prepare' as const,
  })),
  {
    name: 'an error to a prepare',
    bytes: failure(1064, 'You have an error in your SQL syntax', '42000'),
    told: { error: { errno: 1064, sqlState: '42000', message: 'You have an error in your SQL syntax' } },
    command: 'prepare',
  },
];
