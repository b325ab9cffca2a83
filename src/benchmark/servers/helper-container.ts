import { BenchmarkError } from '../../shared/errors.ts';
import type { ContainerRuntime, ContainerSpec, MountSpec } from '../runtime/container-runtime.ts';
import { checkStopped, unlessStopped } from '../stop.ts';
import { MARK } from './storage/bind-directory.ts';
import { exitOf } from './failure-doctor.ts';

export interface HelperContext {
  runtime: ContainerRuntime;
  name: string;
  image: string;
  labels: Record<string, string>;
}

interface HelperSpec extends Partial<ContainerSpec> {
  purpose: string;
  command: string[];
  lines: number;
  onLine?: ((line: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export async function helperOutput(
  context: HelperContext,
  { purpose, command, lines, onLine, signal = new AbortController().signal, ...parts }: HelperSpec,
): Promise<{ exitCode: number; lines: string[] }> {
  const { runtime } = context;
  const id = await runtime.containers.create({
    ...parts,
    name: `${context.name}-${purpose}`,
    image: context.image,
    labels: context.labels,
    user: '0:0',
    entrypoint: command,
    network: 'none',
    stopTimeoutSeconds: 0,
  });
  const over = new AbortController();
  try {
    checkStopped(signal);
    await runtime.containers.start(id);
    if (onLine !== undefined) {
      void runtime.containers.followLogs(id, onLine, { signal: over.signal }).catch(() => undefined);
    }
    const exitCode = await unlessStopped(signal, exitOf(runtime, id, signal));
    return { exitCode, lines: await runtime.containers.logTail(id, lines) };
  } finally {
    over.abort();
    await runtime.containers.remove(id);
  }
}

async function runHelper(
  context: HelperContext,
  purpose: string,
  command: string[],
  mounts: MountSpec[],
): Promise<void> {
  const { exitCode, lines } = await helperOutput(context, { purpose, command, mounts, lines: 20 });
  if (exitCode === 0) return;
  throw new BenchmarkError(
    'STORAGE_REFUSED',
    { storage: purpose, reason: `${command.join(' ')} ended with ${exitCode}` },
    { evidence: lines },
  );
}

const EMPTY = `set -e
test -f "$1/$2"
test ! -L "$1/data"
exec find "$1/data" -xdev -mindepth 1 -delete`;

/** Files of a bind mount belong to the server's user. */
export function emptyAsRoot(context: HelperContext, directory: string): Promise<void> {
  return runHelper(
    context,
    'empty',
    ['sh', '-c', EMPTY, 'sh', '/target', MARK],
    [{ type: 'bind', source: directory, target: '/target' }],
  );
}

/** Otherwise, copies would be written during the first trials. */
export function flushPageCache(context: HelperContext): Promise<void> {
  return runHelper(context, 'sync', ['sync'], []);
}

export function openToAll(context: HelperContext, path: string, mounts: MountSpec[]): Promise<void> {
  return runHelper(context, 'open', ['chmod', '1777', path], mounts);
}
