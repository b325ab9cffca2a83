import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pack } from 'tar-stream';
import type { BenchmarkError } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { tarOf } from '../runtime/engine/tar.ts';
import type { HelperContext } from '../servers/helper-container.ts';
import { PASSWORD_DIRECTORY } from '../servers/server-options.ts';
import type { Account } from '../servers/target-server.ts';
import { checkStopped, unlessStopped } from '../stop.ts';
import type { Cleanup } from '../context/cleanup.ts';
import { failed } from './limit.ts';
import type { Dump, SqlFile } from '../context/own-task.ts';

const DIRECTORY = '/srv/whalemark-dump';

export async function prepareDump(
  files: readonly SqlFile[],
  { runtime, name, image, labels }: HelperContext,
  cleanup: Cleanup,
  signal: AbortSignal,
): Promise<Dump> {
  await runtime.volumes.create(name, labels);
  cleanup.add('storage', () => runtime.volumes.remove(name));
  const mount = { type: 'volume', source: name, target: DIRECTORY } as const;
  const containerId = await runtime.containers.create({
    name: `${name}-fill`,
    image,
    labels,
    mounts: [mount],
    network: 'none',
  });
  try {
    const archive = Readable.from(tarFrom(files, signal));
    await unlessStopped(signal, runtime.containers.putArchive(containerId, DIRECTORY, archive));
  } finally {
    await runtime.containers.remove(containerId);
  }
  return { mounts: [{ ...mount, readOnly: true }] };
}

async function* tarFrom(files: readonly SqlFile[], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const archive = pack();
  const packing = (async () => {
    for (const [index, { bytes, open }] of files.entries()) {
      const name = `${String(index + 1).padStart(6, '0')}.sql`;
      const entry = archive.entry({ name, size: bytes, mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) });
      for await (const chunk of open()) {
        checkStopped(signal);
        if (!entry.write(chunk)) await once(entry, 'drain');
      }
      // `finish` of an empty queue comes at once.
      const finished = once(entry, 'finish');
      entry.end();
      await finished;
    }
    archive.finalize();
  })();
  packing.catch((error: unknown) => archive.destroy(error instanceof Error ? error : undefined));
  yield* archive as AsyncIterable<Uint8Array>;
  await packing;
}

const ACCOUNT_FILE = 'whalemark-account.cnf';

export function accountText({ user, password }: Account): string {
  return `[client]\nuser=${user}\npassword="${password}"\n`;
}

/**
 * `--binary-mode`: no line can start a program. `--local-infile=0`: no statement can read the client's files.
 * Plain files are in UTF-8.
 */
export const CLIENT_OPTIONS = [
  '--local-infile=0',
  '--binary-mode',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=1G',
];

const IMPORT = `client=$(command -v mariadb || command -v mysql) || exit 127
from=$(date +%s%N)
number=0
for file in "$2"/*.sql; do
  number=$((number + 1))
  "$client" --defaults-extra-file="$1" ${CLIENT_OPTIONS.join(' ')} "$3" < "$file" > /dev/null || {
    echo "whalemark: file $number" >&2
    exit 1
  }
done
echo "$from $(date +%s%N)"`;

const NO_CLIENT = 127;

/** Resolves with the time, ms. Rejects with TASK_FAILED. */
export async function importDump(
  runtime: ContainerRuntime,
  containerId: string,
  account: Account,
  signal: AbortSignal,
): Promise<number> {
  await runtime.containers.putArchive(
    containerId,
    PASSWORD_DIRECTORY,
    await tarOf({ [ACCOUNT_FILE]: accountText(account) }),
  );
  const began = performance.now();
  const words = [`${PASSWORD_DIRECTORY}/${ACCOUNT_FILE}`, DIRECTORY, account.database];
  const { exitCode, stdout, stderr } = await unlessStopped(
    signal,
    runtime.containers.exec(containerId, ['sh', '-c', IMPORT, 'sh', ...words], true),
  );
  if (exitCode !== 0) {
    const file = Number(/whalemark: file (\d+)/.exec(stderr)?.[1] ?? 1);
    throw importError(exitCode, stderr, file);
  }
  const [from = NaN, until = NaN] = stdout.trim().split(' ').map(Number);
  const ms = (until - from) / 1e6;
  // Where `date` has no nanoseconds, the time includes the engine's own.
  return ms > 0 ? ms : performance.now() - began;
}

/** Clients may quote the file, so only number and line are kept. */
export function importError(exitCode: number, stderr: string, file: number): BenchmarkError {
  // An error without a number is the client's own.
  const [, number, line] = /^ERROR(?: (\d+))?(?: \(\w+\))?(?: at line (\d+))?/m.exec(stderr) ?? [];
  const reason =
    exitCode === NO_CLIENT
      ? msg('task.noClient')
      : line === undefined
        ? number === undefined
          ? msg('task.exit', { code: exitCode })
          : msg('task.sqlError', { number })
        : number === undefined
          ? msg('task.clientErrorAt', { line, file })
          : msg('task.sqlErrorAt', { number, line, file });
  return failed(reason);
}
