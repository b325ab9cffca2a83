import { INIT_DIRECTORY } from '../../shared/compose/init-scripts.ts';
import type { ServerImage } from '../context/environment.ts';
import { newPassword, type RunContext } from '../context/context.ts';
import type { MountSpec } from '../runtime/container-runtime.ts';
import { tarOf } from '../runtime/engine/tar.ts';
import {
  accountStatements,
  initialization,
  PASSWORD_DIRECTORY,
  startEnv,
} from '../servers/server-options.ts';
import { ACCOUNT_SCRIPT } from '../servers/start-parts.ts';
import type { Account } from '../servers/target-server.ts';

interface FirstStart {
  env: Record<string, string>;
  mounts: readonly MountSpec[];
  rootPassword: string;
  /** Must be called before the container starts. */
  prepare(containerId: string): Promise<void>;
}

export function firstStart(
  context: RunContext,
  { flavor }: Pick<ServerImage, 'flavor'>,
  account: Account,
  withTimeZones = false,
): FirstStart {
  const rootPassword = newPassword(context);
  const start = context.own?.start;
  const put =
    (directory: string, files: Record<string, string>) =>
    async (containerId: string): Promise<void> =>
      context.runtime.containers.putArchive(containerId, directory, await tarOf(files));
  if (start === undefined) {
    const { env, files } = initialization(flavor, { rootPassword, ...account }, withTimeZones);
    return { env, mounts: [], rootPassword, prepare: put(PASSWORD_DIRECTORY, files) };
  }
  start.hidden.forEach(context.hide);
  return {
    env: { ...startEnv(flavor), ...start.env },
    mounts: start.mounts,
    rootPassword,
    prepare: put(INIT_DIRECTORY, { [ACCOUNT_SCRIPT]: accountStatements(account) }),
  };
}
