import { spawn } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import type { LoadTarget } from '../load/load-client.ts';
import type { Cleanup } from '../context/cleanup.ts';
import type { DumpHere, SqlFile } from '../context/own-task.ts';
import { ownOwner } from '../owners/owner.ts';
import { PRIVATE_FILE } from '../files/data-dir.ts';
import { nativeClient } from '../servers/native/native-program.ts';
import { createBindDirectory, removeBindDirectory } from '../servers/storage/bind-directory.ts';
import type { Account } from '../servers/target-server.ts';
import { checkStopped } from '../stop.ts';
import { accountText, CLIENT_OPTIONS, importError } from './dump.ts';
import { failed } from './limit.ts';

interface DumpPlace {
  bindRoot: string;
  name: string;
  runId: string;
  account: Account;
}

export async function writeDump(
  files: readonly SqlFile[],
  { bindRoot, name, runId, account }: DumpPlace,
  cleanup: Cleanup,
  signal: AbortSignal,
): Promise<DumpHere> {
  const mark = { owner: ownOwner(), runId };
  const { directory, data } = await createBindDirectory(bindRoot, name, mark);
  cleanup.add('storage', () => removeBindDirectory(directory, () => Promise.resolve()));
  const dump = {
    account: join(data, 'account.cnf'),
    files: files.map((_, index) => join(data, `${index + 1}.sql`)),
  };
  await writeFile(dump.account, accountText(account), { mode: PRIVATE_FILE, flag: 'wx' });
  for (const [index, path] of dump.files.entries()) {
    const file = await open(path, 'wx', PRIVATE_FILE);
    try {
      for await (const chunk of files[index]?.open() ?? []) {
        checkStopped(signal);
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
  }
  return dump;
}

export async function importHere(
  binary: string,
  { account, files }: DumpHere,
  { host, port, database }: LoadTarget,
  signal: AbortSignal,
): Promise<number> {
  const client = await nativeClient(binary);
  if (typeof client !== 'string') throw failed(client.reason);
  const place = [`--host=${host}`, `--port=${port}`, '--protocol=TCP'];
  const began = performance.now();
  for (const [index, file] of files.entries()) {
    const args = [`--defaults-file=${account}`, ...CLIENT_OPTIONS, ...place, database];
    const { exitCode, stderr } = await fed(client, args, file, signal);
    if (signal.aborted) throw new BenchmarkError('STOPPED');
    if (exitCode !== 0) throw importError(exitCode, stderr, index + 1);
  }
  return performance.now() - began;
}

const MOST_SAID = 10_000;

async function fed(
  program: string,
  args: readonly string[],
  path: string,
  signal: AbortSignal,
): Promise<{ exitCode: number; stderr: string }> {
  const file = await open(path);
  try {
    return await new Promise((resolve) => {
      let stderr = '';
      const child = spawn(program, args, { stdio: [file.fd, 'ignore', 'pipe'], windowsHide: true });
      const kill = (): unknown => child.kill('SIGKILL');
      signal.addEventListener('abort', kill, { once: true });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        if (stderr.length < MOST_SAID) stderr += text;
      });
      const end = (exitCode: number): void => {
        signal.removeEventListener('abort', kill);
        resolve({ exitCode, stderr });
      };
      child.once('error', () => end(127));
      child.once('close', (code) => end(code ?? 137));
    });
  } finally {
    await file.close();
  }
}
