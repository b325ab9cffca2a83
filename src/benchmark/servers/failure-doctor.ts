import { msg, type Said } from '../../shared/message.ts';
import { BenchmarkError, type ErrorCode, messageOf } from '../../shared/errors.ts';
import { isNoRoom } from '../runtime/engine/engine-error.ts';
import { logEvidence } from './server-log.ts';
import type { ContainerClient, ContainerRuntime } from '../runtime/container-runtime.ts';
import type { ServerPhase } from './target-server.ts';

/** If Linux forbids io_uring or io_setup, servers continue without. */
const FALLS_BACK = String.raw`^(?!.*\b(?:io_uring|io_setup))`;
/** Linux's error numbers in the words of InnoDB and of the servers. */
const osError = (...numbers: number[]): string =>
  String.raw`${FALLS_BACK}.*\b(?:(?:operating system|OS) err(?:or|no)(?: number| code)?|error number|errno|errcode)\W{0,3}(?:${numbers.join('|')})\b`;
const [EPERM, EIO, EAGAIN, EACCES, EINVAL, ENOSPC, EROFS] = [1, 5, 11, 13, 22, 28, 30];
const [ENOLCK, EOPNOTSUPP, ESTALE, EDQUOT] = [37, 95, 116, 122];

function either(pattern: RegExp, ...numbers: number[]): RegExp {
  return new RegExp(`${pattern.source}|${osError(...numbers)}`, 'i');
}

/** The first match wins: causes come before symptoms. */
const RULES: readonly [ErrorCode, RegExp][] = [
  [
    'STORAGE_FULL',
    either(/No space left on device|Disk quota exceeded|\berror:? (?:28|122)\b|Disk is full/, ENOSPC, EDQUOT),
  ],
  [
    'DATADIR_OWNERSHIP',
    either(
      /chown: (changing ownership|.*) .*(Operation not permitted|Permission denied)|cannot create directory .*Permission denied|Bind on unix socket: Operation not permitted/,
      EPERM,
      EACCES,
    ),
  ],
  ['SERVER_AIO', /io_setup\(\) failed with EAGAIN|Cannot initialize AIO|aio write.* returned OS error 1?22/i],
  [
    'SERVER_ODIRECT',
    /Failed to set O_DIRECT|should have been written, only 0 were written.*error number 22/i,
  ],
  ['PORT_TAKEN', /Bind on TCP\/IP port.*(in use|\b98\b)|another \w+ server running on port/i],
  ['SERVER_LOCK', either(/Unable to lock \S+ error: ?\d+/, EAGAIN, ENOLCK)],
  [
    'SERVER_CASE',
    /Different lower_case_table_names settings|case-insensitive file system which is an unsupported/i,
  ],
  ['SERVER_CORRUPTED', /is of a different size 0 pages|errno:? 1932|is corrupted|Database page corruption/i],
  [
    'SERVER_BAD_OPTION',
    /failed while attempting to check config|unknown (variable|option) |Error while setting value/i,
  ],
  ['SERVER_OUT_OF_MEMORY', /Cannot allocate memory for the buffer pool|Out of memory/i],
  ['STORAGE_REFUSED', new RegExp(osError(EIO, EINVAL, EROFS, EOPNOTSUPP, ESTALE), 'i')],
];

interface ServerEnd {
  exitCode: number;
  oomKilled: boolean;
  log: string[];
  script?: { name: string; said: readonly string[] } | undefined;
  phase: ServerPhase;
  storage: Said;
}

export function diagnoseServer(end: ServerEnd): BenchmarkError {
  const evidence = logEvidence(end.log);
  if (end.oomKilled) return new BenchmarkError('SERVER_OUT_OF_MEMORY', {}, { evidence });
  if (end.script !== undefined)
    return new BenchmarkError('INIT_SCRIPT_FAILED', {
      script: end.script.name,
      reason: reasonIn(end.script),
    });
  for (const [code, pattern] of RULES) {
    const line = end.log.find((candidate) => pattern.test(candidate));
    if (line !== undefined) {
      return new BenchmarkError(code, { reason: line.trim(), storage: end.storage }, { evidence });
    }
  }
  return new BenchmarkError(
    'SERVER_EXITED',
    { exitCode: String(end.exitCode), phase: msg(`part.${end.phase}`) },
    { evidence },
  );
}

/** Results contain no other line of a user's script. */
function reasonIn({ said }: NonNullable<ServerEnd['script']>): string {
  const lines = said.map((line) => line.trim()).filter((line) => line !== '');
  return lines.filter((line) => /^ERROR\b/.test(line)).at(-1) ?? lines.at(-1) ?? '–';
}

export function diagnoseStorage(error: unknown, storage: Said): BenchmarkError {
  if (
    error instanceof BenchmarkError &&
    ['ENGINE_LOST', 'CONTAINER_PAUSED', 'STORAGE_FULL'].includes(error.code)
  )
    return error;
  const reason = messageOf(error);
  const code = isNoRoom(reason) ? 'STORAGE_FULL' : 'STORAGE_REFUSED';
  const evidence = error instanceof BenchmarkError ? error.evidence : [];
  return new BenchmarkError(code, { storage, reason }, { evidence, cause: error });
}

/** Rejects when the container is paused, and otherwise never settles. */
export async function untilPaused(
  containers: Pick<ContainerClient, 'waitPaused'>,
  containerId: string,
  signal: AbortSignal,
  isMeant?: () => Promise<boolean>,
): Promise<never> {
  const isPaused = await containers.waitPaused(containerId, signal, isMeant).then(
    () => !signal.aborted,
    () => false,
  );
  if (isPaused) throw new BenchmarkError('CONTAINER_PAUSED');
  return new Promise<never>(() => undefined);
}

export async function exitOf(
  runtime: ContainerRuntime,
  containerId: string,
  signal?: AbortSignal,
): Promise<number> {
  const over = new AbortController();
  try {
    const paused = untilPaused(runtime.containers, containerId, over.signal);
    return await Promise.race([runtime.containers.wait(containerId, signal), paused]);
  } finally {
    over.abort();
  }
}
