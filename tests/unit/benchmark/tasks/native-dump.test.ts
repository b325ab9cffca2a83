import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { Cleanup } from '../../../../src/benchmark/context/cleanup.ts';
import { importHere, writeDump } from '../../../../src/benchmark/tasks/native-dump.ts';
import { newFolder } from '../../../helpers/folders.ts';
import { mysqlEngine, planned, presetWith } from '../../planned.ts';

const ACCOUNT = { user: 'u', password: 'secret-1', database: 'd' };
const TARGET = { ...ACCOUNT, host: '127.0.0.1', port: 33060 };

async function program(path: string, lines: string): Promise<string> {
  await writeFile(path, `#!/bin/sh\n${lines}\n`);
  await chmod(path, 0o755);
  return path;
}

const sql = (text: string) => ({
  bytes: text.length,
  open: async function* () {
    yield Promise.resolve(Buffer.from(text));
  },
});

/** A server program, with a client that appends its arguments and its input to a file, and fails at "broken". */
async function installed() {
  const folder = newFolder();
  const seen = join(folder, 'seen');
  await program(
    join(folder, 'mysql'),
    `text=$(cat); echo "$* <$text>" >> '${seen}'; [ "$text" != broken ] || { echo 'ERROR 1064 (42000) at line 7: secret-1' >&2; exit 1; }`,
  );
  const binary = await program(join(folder, 'mysqld'), "echo 'mysqld  Ver 8.4.10 for Linux on x86_64 (GPL)'");
  return { folder, binary, seen: () => readFile(seen, 'utf8') };
}

it('feeds each file to the client of the server, which reads no options of the user', async () => {
  const { folder, binary, seen } = await installed();
  const cleanup = new Cleanup();
  const place = { bindRoot: join(folder, 'bind'), name: 'whalemark-x-dump', runId: 'x', account: ACCOUNT };
  const { signal } = new AbortController();
  const dump = await writeDump([sql('one'), sql('two'), sql('broken')], place, cleanup, signal);
  expect((await stat(dump.account)).mode & 0o077).toBe(0);

  const { account, files } = dump;
  const good = { account, files: files.slice(0, 2) };
  expect(await importHere(binary, good, TARGET, signal)).toBeGreaterThan(0);
  const [first = '', second] = (await seen()).trim().split('\n');
  expect(first).toMatch(new RegExp(`^--defaults-file=${account} .*--binary-mode .*--port=33060 .*d <one>$`));
  expect(second).toMatch(/<two>$/);
  // A client may quote the file.
  const failure = await importHere(binary, dump, TARGET, signal).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'TASK_FAILED',
    params: { reason: { code: 'task.sqlErrorAt', params: { number: '1064', line: '7', file: 3 } } },
  });
  expect(JSON.stringify(failure)).not.toContain('secret-1');
  expect(await cleanup.run()).toEqual([]);
  expect(await readdir(join(folder, 'bind'))).toEqual([]);
});

it('needs that client only where SQL is imported', async () => {
  const { folder, binary } = await installed();
  const bare = join(folder, 'bare');
  await mkdir(bare);
  const reasons = async (mysqld: string, kind: string): Promise<unknown[]> => {
    vi.stubEnv('WHALEMARK_MYSQLD', mysqld);
    const scenarios = [
      { storage: 'native', path: 'loopback' },
      { storage: 'named-volume', path: 'published-port' },
    ];
    const baseline = 'named-volume.published-port';
    const { excluded } = await planned(presetWith({ task: { kind }, scenarios, baseline }), mysqlEngine());
    return excluded.map(({ reason }) => ('code' in reason ? reason.code : reason));
  };
  expect(await reasons(binary, 'import')).toEqual([]);
  const alone = await program(join(bare, 'mysqld'), `exec '${binary}'`);
  expect(await reasons(alone, 'migrations')).toEqual([]);
  expect(await reasons(alone, 'import')).toEqual(['native.noClient']);
  vi.unstubAllEnvs();
});
