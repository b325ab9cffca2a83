import { expect, it } from 'vitest';
import { withAnswer, asItAnswers } from '../../../../src/benchmark/database/as-it-answers.ts';
import { answerOfProgram, answerOfServer } from '../../../../src/benchmark/database/server-answer.ts';
import { serviceOf } from '../../../../src/shared/compose/database-preset.ts';
import { makeDatabase } from '../../database-builder.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const rows = (...all: [name: string, value: string, origin?: string][]): string =>
  all.map((row) => row.join('\t')).join('\n');
const MARIADB = ['version', '10.11.6-MariaDB-log', 'Source distribution'] as const;

it.each([
  ['9.7.4-2', '(Debian)', 'mysql', '9.7.4'],
  ['8.0.36', 'MySQL Community Server - GPL', 'mysql', '8.0.36'],
  ['5.7.44-log', 'MySQL Community Server (GPL)', 'mysql', '5.7.44'],
  ['8.0.36-28', 'Percona Server (GPL), Release 28', 'percona', '8.0.36'],
  ['10.11.6-MariaDB-log', 'Source distribution', 'mariadb', '10.11.6'],
])('knows the flavor and the version of a server that says %s, %s', (version, comment, flavor, number) => {
  expect(answerOfServer(rows(['version', version, comment]))).toMatchObject({ flavor, version: number });
});

it('takes what someone set, by whatever means, and whether the binary log is on', () => {
  const said = rows(
    [...MARIADB],
    ['sort_buffer_size', '2097152', 'CONFIG'],
    ['innodb_doublewrite', 'OFF', 'COMMAND-LINE'],
    ['innodb_flush_log_at_trx_commit', '0', 'SQL'],
    ['max_connections', '151', 'COMPILE-TIME'],
    ['table_open_cache', '2000', 'AUTO'],
    ['tx_isolation', 'READ-COMMITTED', 'COMPILE-TIME'],
    ['transaction_isolation', 'READ-COMMITTED', 'COMPILE-TIME'],
    ['optimizer_switch', 'mrr=on,index_merge=off', 'CONFIG'],
    ['init_connect', 'SET @canary', 'CONFIG'],
    ['log_bin', 'ON', 'CONFIG'],
  );
  expect(answerOfServer(`ERROR 1045 (28000): Access denied\n${said}\n`)).toMatchObject({
    options: [
      ...['--sort-buffer-size=2097152', '--innodb-doublewrite=OFF', '--innodb-flush-log-at-trx-commit=0'],
      ...['--transaction-isolation=READ-COMMITTED', '--log-bin'],
    ],
    unshown: ['--optimizer-switch'],
  });
});

it('has no answer where no account was let in', () => {
  expect(answerOfServer('ERROR 1045 (28000): Access denied for user')).toBeUndefined();
});

it('takes what the program of an image reads from the image’s files', () => {
  const lines = [
    '/usr/sbin/mariadbd  Ver 10.11.6-MariaDB-log for Linux on x86_64 (Source distribution)',
    'mariadbd would have been started with the following arguments:',
    '--socket=/tmp/my.sock --init_connect=SET NAMES utf8 --log_bin=/srv/canary --innodb_doublewrite=0 ',
  ];
  expect(answerOfProgram(lines)).toMatchObject({
    ...{ flavor: 'mariadb', version: '10.11.6' },
    options: ['--log_bin', '--innodb_doublewrite=0'],
  });
  expect(answerOfProgram(['sh: mysqld: not found'])).toBeUndefined();
});

const service = (fields: Parameters<typeof makeDatabase>[0] = {}) => serviceOf(makeDatabase(fields), 'db');

it('measures what is in effect, and names what the files say otherwise', () => {
  const answer = answerOfServer(
    rows([...MARIADB], ['innodb_buffer_pool_size', '134217728', 'COMPILE-TIME'], ['log_bin', 'OFF', 'X']),
  );
  const options = ['--innodb-buffer-pool-size=1G', '--disable-log-bin', '--character-set-client-handshake'];
  const known = withAnswer(service({ options }), answer ?? expect.fail());
  expect(known.flavor).toBe('mariadb');
  expect(known.options).toEqual(['--character-set-client-handshake', '--skip-log-bin']);
  expect(known.warnings.map(({ code, params }) => [code, params])).toEqual([
    ['yourDatabase.asked', {}],
    ['yourDatabase.otherValues', { list: 'innodb-buffer-pool-size=134217728 (1g)' }],
  ]);
});

it.each([
  ['ddev/ddev-dbserver-mariadb-10.6', 'compose.ownStartRead'],
  ['bitnami/mariadb:10.6', 'compose.ownStart'],
])('has all options of the image %s that never ran, or says that it hasn’t', (image, code) => {
  const answer = answerOfProgram(['mariadbd  Ver 10.6.1-MariaDB', '--innodb_doublewrite=0']);
  const official = { image: 'mariadb:10.6', isAlways: true };
  const warnings = [{ code: 'compose.ownStart', params: {}, text: '' }];
  const own = service({ image, official, warnings: warnings as never, options: ['--sync-binlog=0'] });
  const known = withAnswer(own, answer ?? expect.fail());
  expect(known.warnings[0]?.code).toBe(code);
  expect(known.options).toEqual(['--innodb_doublewrite=0', '--sync-binlog=0']);
});

it('asks a running server once, and keeps what its answer says is in effect', async () => {
  const runtime = new FakeRuntime();
  runtime.onExec = () => ({
    ...{ exitCode: 0, stderr: '' },
    stdout: rows(
      [...MARIADB],
      ['log_bin', 'OFF', 'COMPILE-TIME'],
      ['sync_binlog', '0', 'COMPILE-TIME'],
      ['sort_buffer_size', '4096', 'CONFIG'],
      ['join_buffer_size', '4096', 'COMPILE-TIME'],
    ),
  });
  const container = { id: 'c1', running: true };
  runtime.addImage('mysql:8.4', { env: { MYSQL_VERSION: '8.4.6' } });
  const own = service({ container });
  const { inEffect } = await asItAnswers(own, runtime);
  runtime.onExec = () => expect.fail('it was asked again');
  await asItAnswers(own, runtime);
  expect(inEffect).toEqual({
    version: '10.11.6',
    log_bin: 'OFF',
    sync_binlog: '0',
    sort_buffer_size: '4096',
  });
});
