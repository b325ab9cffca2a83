import { expect, it } from 'vitest';
import { readyPort } from '../../../../src/benchmark/servers/server-log.ts';
import { ACCOUNT_SCRIPT, StartMarks } from '../../../../src/benchmark/servers/start-parts.ts';

/** `log`: lines by the time at which they came, ms. The container ran after 300 ms. */
function partsOf(log: Record<number, string>, readyMs: number) {
  const marks = new StartMarks();
  for (const [ms, line] of Object.entries(log)) marks.see(line, Number(ms));
  const parts = marks.parts(300, readyMs);
  expect(Object.values(parts).reduce((sum, one) => sum + one, 0)).toBe(readyMs);
  return parts;
}

const NONE = {
  ...{ container: 300, initialization: 0, temporaryServer: 0, timeZones: 0 },
  ...{ shellScripts: 0, sqlFiles: 0, recovery: 0, server: 0 },
};
const MYSQL_STARTS = {
  begins: '2026-11-26T12:48:00.589608Z 1 [System] [MY-013576] [InnoDB] InnoDB initialization has started.',
  ends: '2026-11-26T12:48:01.485960Z 1 [System] [MY-013577] [InnoDB] InnoDB initialization has ended.',
};

it('splits the first start of MySQL, whose entry point starts three servers', () => {
  const log = {
    400: '2026-11-26 12:47:53+00:00 [Note] [Entrypoint]: Initializing database files',
    500: MYSQL_STARTS.begins,
    1000: MYSQL_STARTS.ends,
    4000: '2026-11-26 12:47:57+00:00 [Note] [Entrypoint]: Temporary server started.',
    5000: "Warning: Unable to load '/usr/share/zoneinfo/iso3166.tab' as time zone. Skipping it.",
    6000: '2026-11-26 12:47:58+00:00 [Note] [Entrypoint]: Creating database d',
    6100: '2026-11-26 12:47:58+00:00 [Note] [Entrypoint]: Stopping temporary server',
    7000: '2026-11-26 12:48:00+00:00 [Note] [Entrypoint]: MySQL init process done. Ready for start up.',
    7500: MYSQL_STARTS.begins,
    8400: MYSQL_STARTS.ends,
  };
  const first = { initialization: 3800, temporaryServer: 900, timeZones: 2000 };
  expect(partsOf(log, 9000)).toEqual({ ...NONE, ...first, recovery: 900, server: 1100 });
});

it('splits the start of a server on data', () => {
  const mysql = { 800: MYSQL_STARTS.begins, 1700: MYSQL_STARTS.ends };
  const older = {
    800: '2026-01-01T00:00:00.589608Z 0 [Note] InnoDB: PUNCH HOLE support available',
    1000: '2026-01-01T00:00:00.589608Z 0 [Note] InnoDB: Doing recovery: scanned up to log sequence number 12345',
    1700: '2026-01-01T00:00:00.589608Z 0 [Note] InnoDB: 5.7.44 started; log sequence number 12345',
  };
  const mariadb = {
    800: '2026-11-26 12:48:06 0 [Note] InnoDB: Compressed tables use zlib 1.3.1',
    1700: '2026-11-26 12:48:06 0 [Note] InnoDB: log sequence number 45450; transaction id 15',
  };
  for (const log of [mysql, older, mariadb]) {
    expect(partsOf(log, 2000)).toEqual({ ...NONE, recovery: 900, server: 800 });
  }
});

it('splits the first start of an image that says less, such as Percona’s', () => {
  const log = {
    400: 'Initializing database',
    3000: 'Database initialized',
    3100: 'MySQL init process in progress...',
    7000: 'MySQL init process done. Ready for start up.',
    7500: MYSQL_STARTS.begins,
    8400: MYSQL_STARTS.ends,
  };
  expect(partsOf(log, 9000)).toEqual({ ...NONE, initialization: 6700, recovery: 900, server: 1100 });
});

it('splits what the scripts of a project take, in the words of each image, and keeps what they say', () => {
  const entrypoint = '2026-11-26 12:47:57+00:00 [Note] [Entrypoint]:';
  const path = '/usr/local/bin/docker-entrypoint.sh';
  const lines = [
    [600, `${entrypoint} Starting temporary server`],
    [1000, `${entrypoint} Temporary server started.`],
    [1400, `${entrypoint} Creating database shop`],
    [1500, `${entrypoint} ${path}: running /docker-entrypoint-initdb.d/01 schema.sql`],
    [1700, `${path}: sourcing /docker-entrypoint-initdb.d/02-seed.sh`],
    [1800, 'what a script says'],
    [2700, `${entrypoint} running /docker-entrypoint-initdb.d/03-dump.sql.gz`],
    [5700, `${entrypoint} running /docker-entrypoint-initdb.d/${ACCOUNT_SCRIPT}`],
    [5800, `${entrypoint} Stopping temporary server`],
    [6000, `${entrypoint} MariaDB init process done. Ready for start up.`],
  ] as const;
  const marks = new StartMarks();
  const said = lines.filter(([ms, line]) => marks.see(line, ms)).map(([, line]) => line);
  expect(said).toEqual(['what a script says']);
  expect(marks.scripts).toEqual([
    { name: '01 schema.sql', ms: 200 },
    { name: '02-seed.sh', ms: 1000 },
    { name: '03-dump.sql.gz', ms: 3000 },
  ]);
  const first = { initialization: 500, temporaryServer: 600, timeZones: 400 };
  const scripts = { shellScripts: 1000, sqlFiles: 3200 };
  expect(marks.parts(300, 6500)).toEqual({ ...NONE, ...first, ...scripts, server: 500 });
});

it('takes what it doesn’t know for the server’s', () => {
  expect(partsOf({ 500: 'hello' }, 2000)).toEqual({ ...NONE, server: 1700 });
});

const SAYS = "ready for connections. Version: '8.4.10'  socket: '/var/run/mysqld/mysqld.sock'";
it.each([
  [`2026-01-01T00:00:00Z 0 [System] [MY-010931] [Server] /usr/sbin/mysqld: ${SAYS}  port: 3306  MySQL`, 3306],
  ["Version: '11.8.6-MariaDB-ubu2404'  socket: '/run/mysqld/mysqld.sock'  port: 3306  mariadb.org", 3306],
  [`mysqld: ${SAYS}  port: 0  MySQL`, 0],
  ["X Plugin ready for connections. Bind-address: '::' port: 33060, socket: /run/mysqlx.sock", undefined],
  ['mariadbd: ready for connections.', undefined],
])('a server is ready on a port when it says “%s”', (line, port) => {
  expect(readyPort(line)).toBe(port);
});
