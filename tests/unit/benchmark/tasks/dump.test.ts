import { expect, it } from 'vitest';
import { importDump } from '../../../../src/benchmark/tasks/dump.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const ACCOUNT = { user: 'u', password: 'p', database: 'd' };
const SECRET = 'secret-of-the-dump';

async function failureOf(stderr: string, exitCode = 1): Promise<unknown> {
  const runtime = new FakeRuntime();
  const id = await runtime.containers.create({ name: 'c', image: 'i', labels: {} });
  runtime.onExec = () => ({ exitCode, stdout: '', stderr });
  return importDump(runtime, id, ACCOUNT, new AbortController().signal).catch((error: unknown) => error);
}

// Errors as the clients of MySQL 9.7 and of MariaDB 11.8 wrote them.
it.each([
  [
    `ERROR 1062 (23000) at line 90001: Duplicate entry '${SECRET}' for key 't.PRIMARY'\nwhalemark: file 1\n`,
    { code: 'task.sqlErrorAt', params: { number: '1062', line: '90001', file: 1 } },
  ],
  [
    `--------------\nINSERT INTO t VALUES ('${SECRET}\n--------------\n\nERROR 1064 (42000) at line 2: You have an error near '${SECRET}'\nwhalemark: file 2000\n`,
    { code: 'task.sqlErrorAt', params: { number: '1064', line: '2', file: 2000 } },
  ],
  [
    "ERROR at line 1: Unknown command '\\-'.\nwhalemark: file 1\n",
    { code: 'task.clientErrorAt', params: { line: '1', file: 1 } },
  ],
  [
    'ERROR 2002 (HY000): Can’t connect\nwhalemark: file 1\n',
    { code: 'task.sqlError', params: { number: '2002' } },
  ],
  ['Killed\nwhalemark: file 1\n', { code: 'task.exit', params: { code: 1 } }],
])('an import names place and number of an error, and quotes nothing: %j', async (stderr, reason) => {
  const error = await failureOf(stderr);
  expect(error).toMatchObject({ code: 'TASK_FAILED', params: { reason } });
  expect(JSON.stringify(error)).not.toContain(SECRET);
});

it('an import says that an image has no client', async () => {
  expect(await failureOf('', 127)).toMatchObject({ params: { reason: { code: 'task.noClient' } } });
});
