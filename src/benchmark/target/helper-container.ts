import { BenchmarkError } from '../../shared/errors.ts';
import type { ContainerRuntime, MountSpec } from '../runtime/container-runtime.ts';

interface HelperContext {
  runtime: ContainerRuntime;
  /** Prefix of the helper's name. */
  name: string;
  /** Any image with coreutils; the server's own is always there. */
  image: string;
  labels: Record<string, string>;
}

/** Runs one command as root in a short-lived container. Rejects with STORAGE_REFUSED when the command fails. */
async function runHelper(
  context: HelperContext,
  purpose: string,
  command: string[],
  mounts: MountSpec[],
): Promise<void> {
  const { runtime } = context;
  const id = await runtime.createContainer({
    name: `${context.name}-${purpose}`,
    image: context.image,
    labels: context.labels,
    user: '0:0',
    entrypoint: command,
    mounts,
    network: 'none',
    stopTimeoutSeconds: 0,
  });
  try {
    await runtime.startContainer(id);
    const exitCode = await runtime.waitContainer(id);
    if (exitCode !== 0) {
      throw new BenchmarkError(
        'STORAGE_REFUSED',
        { storage: purpose, reason: `${command.join(' ')} ended with ${exitCode}` },
        { evidence: await runtime.logTail(id, 20) },
      );
    }
  } finally {
    await runtime.removeContainer(id);
  }
}

/** Empties a folder of the host whose files belong to the server's user. */
export function emptyAsRoot(context: HelperContext, path: string): Promise<void> {
  return runHelper(
    context,
    'empty',
    ['find', '/target', '-mindepth', '1', '-delete'],
    [{ type: 'bind', source: path, target: '/target' }],
  );
}

/**
 * Writes out what the engine's kernel still holds in its page cache, so that copying the data does not go on
 * behind the first trials.
 */
export function flushPageCache(context: HelperContext): Promise<void> {
  return runHelper(context, 'sync', ['sync'], []);
}

/** Lets every user write into a directory, as /tmp does. */
export function openToAll(context: HelperContext, path: string, mounts: MountSpec[]): Promise<void> {
  return runHelper(context, 'open', ['chmod', '1777', path], mounts);
}
