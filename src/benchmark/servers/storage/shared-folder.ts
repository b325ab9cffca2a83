import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BenchmarkError } from '../../../shared/errors.ts';
import { englishOf, type Message, msg } from '../../../shared/message.ts';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import { NOT_SHARED } from '../../runtime/engine/engine-error.ts';
import { emptyAsRoot, helperOutput } from '../helper-container.ts';
import { bindRootError, createBindDirectory, MARK, removeBindDirectory } from './bind-directory.ts';
import type { StorageContext } from './prepared-storage.ts';

const UNSEEN = 3;
const READ_ONLY = 4;
const LOOK = `test -f "/target/${MARK}" || exit ${UNSEEN}
: > /target/data/look && rm /target/data/look || exit ${READ_ONLY}`;

/** Checks the nearest existing folder. Undefined: unknown. */
export function seesFolder(
  root: string,
  { containers }: Pick<ContainerRuntime, 'containers'>,
): Promise<boolean | undefined> {
  let folder = resolve(root);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return containers.hasPath(folder);
}

export async function sharedFolderProblem(
  context: Omit<StorageContext, 'datadirBytes'>,
): Promise<BenchmarkError | undefined> {
  const { bindRoot, name, mark } = context;
  const { directory } = await createBindDirectory(bindRoot, name, mark);
  try {
    const reason = await whyUnusable(context, directory);
    return reason === undefined ? undefined : bindRootError(bindRoot, reason);
  } finally {
    await removeBindDirectory(directory, (path) => emptyAsRoot(context, path));
  }
}

async function whyUnusable(
  context: Omit<StorageContext, 'datadirBytes'>,
  directory: string,
): Promise<Message | undefined> {
  try {
    const { exitCode } = await helperOutput(context, {
      purpose: 'look',
      command: ['sh', '-c', LOOK],
      mounts: [{ type: 'bind', source: directory, target: '/target' }],
      lines: 1,
    });
    if (exitCode === UNSEEN) return msg('folder.notShared');
    return exitCode === READ_ONLY ? msg('folder.sharedReadOnly') : undefined;
  } catch (error) {
    if (!(error instanceof BenchmarkError) || error.code !== 'ENGINE_REFUSED') throw error;
    const isUnseen = NOT_SHARED.test(englishOf(error.params['reason'] ?? ''));
    return isUnseen ? msg('folder.notShared') : undefined;
  }
}
