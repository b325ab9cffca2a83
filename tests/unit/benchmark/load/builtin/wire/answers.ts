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

const answer = (name: string, bytes: Buffer | Buffer[], told: Told): Case => ({
  name,
  bytes: Array.isArray(bytes) ? Buffer.concat(bytes) : bytes,
  told,
});
const read = (name: string, rows: number, bytes: Buffer): Case =>
  answer(name, bytes, { hasRows: true, rows });

type Failure = [errno: number, message: string, sqlState: string | null];

/** An answer that ends with an error; `told` is what came before it. */
function failed(name: string, before: Buffer[], [errno, message, sqlState]: Failure, told: Told = {}): Case {
  const error = { errno, sqlState: sqlState ?? '', message };
  return answer(name, [...before, failure(errno, message, sqlState)], { ...told, error });
}

/** A result set of one column whose end is missing. */
const begun = (...rows: Buffer[]): Buffer => resultSet(1, rows, Buffer.alloc(0));
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** An answer of every kind, with its fields. */
export const ANSWERS: Case[] = [
  ...[0, 1, 250, 251, 252, 65_535, 65_536, 2 ** 24 - 1, 2 ** 24, 2 ** 40].map((affected) =>
    answer(`OK, ${affected} rows changed`, ok({ affected, insertId: affected, warnings: 3 }), {
      affectedRows: affected,
    }),
  ),
  answer(
    'OK with a message',
    ok({ affected: 2, warnings: 65_535, info: 'Rows matched: 3  Changed: 2  Warnings: 9' }),
    { affectedRows: 2 },
  ),
  failed('an error', [], [1146, "Table 'sbtest.nö' doesn't exist", '42S02']),
  failed('an error without a state', [], [1040, 'Too many connections', null]),
  read('rows as text', 3, resultSet(2, [textRow('1', 'a'), textRow('', ''), textRow('x'.repeat(300), 'y')])),
  read('rows in binary', 2, resultSet(2, [binaryRow('1', 'a'), binaryRow('', 'x'.repeat(300))])),
  read('no rows', 0, resultSet(3, [])),
  read(
    'NULLs as text, which begin with the byte that asks for a file in a first packet',
    3,
    resultSet(3, [textRow(null, null, null), textRow(null, 'a', null), textRow('a', null, '')]),
  ),
  read(
    'NULLs in binary',
    2,
    resultSet(9, [
      binaryRow(...times(9, () => null)),
      binaryRow(...times(9, (index) => (index % 2 === 0 ? 'a' : null))),
    ]),
  ),
  read('more than 250 columns', 1, resultSet(300, [textRow(...times(300, () => '1'))])),
  read(
    'an empty row of text beside ends that look alike',
    4,
    resultSet(1, [textRow(''), textRow('\0'), textRow('\xfe'), textRow(Buffer.of(0xff, 0xfe))]),
  ),
  read(
    'a row that begins like an end, and is longer than one',
    2,
    resultSet(1, [packets(Buffer.from('fe0100000000000000', 'hex')), textRow('1')]),
  ),
  failed(
    'an error instead of the first row',
    [begun()],
    [1242, 'Subquery returns more than 1 row', '21000'],
    {
      hasRows: true,
    },
  ),
  failed(
    'an error in the middle of the rows',
    [begun(textRow('1'), textRow('2'))],
    [1690, 'BIGINT value is out of range', '22003'],
    { hasRows: true, rows: 2 },
  ),
  failed(
    'an error in the middle of the definitions',
    [packets(integer(3)), definition()],
    [1037, 'Out of memory', 'HY001'],
    { hasRows: true },
  ),
  failed(
    'an error where the definitions should end',
    [packets(integer(1)), definition()],
    [1317, 'interrupted', '70100'],
    { hasRows: true },
  ),
  answer(
    'several result sets and what ends a procedure',
    [
      resultSet(1, [textRow('1')], eof({ status: MORE_RESULTS, warnings: 1 })),
      resultSet(2, [], eof({ status: MORE_RESULTS })),
      resultSet(1, [binaryRow('1'), binaryRow(null)], eof({ status: MORE_RESULTS })),
      ok({ affected: 7, warnings: 2 }),
    ],
    { hasRows: true, rows: 3, affectedRows: 7 },
  ),
  answer(
    'a result set after changed rows',
    [...[5, 300].map((affected) => ok({ affected, status: MORE_RESULTS })), resultSet(1, [textRow('1')])],
    { hasRows: true, rows: 1, affectedRows: 305 },
  ),
  failed(
    'an error after a whole result set',
    [resultSet(1, [textRow('1')], eof({ status: MORE_RESULTS }))],
    [1213, 'Deadlock found', '40001'],
    { hasRows: true, rows: 1 },
  ),
  ...[
    [0, 0],
    [2, 0],
    [0, 3],
    [4, 2],
    [260, 251],
  ].map(([parameters = 0, columns = 0]) => ({
    name: `a prepared statement, ${parameters} parameters, ${columns} columns`,
    bytes: prepared(0xfedcba98, parameters, columns),
    told: { statementId: 0xfedcba98 },
    command: 'prepare' as const,
  })),
  {
    ...failed('an error to a prepare', [], [1064, 'You have an error in your SQL syntax', '42000']),
    command: 'prepare',
  },
];
