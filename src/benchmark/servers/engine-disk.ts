import { existsSync } from 'node:fs';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { type HelperContext, helperOutput } from './helper-container.ts';

/** POSIX's df -P prints name, blocks, used, available, …; the container's layer is on the engine's disk. */
const COMMAND = ['df', '-Pk', '/'];
const AVAILABLE = 3;

export function isDiskHidden(
  { passport }: Pick<ContainerRuntime, 'passport'>,
  dataRoot: string | undefined,
): boolean {
  const { vm, remote } = passport.runtime;
  return vm || remote || (dataRoot !== undefined && !existsSync(dataRoot));
}

/** Undefined: unknown. */
export async function engineFreeBytes(
  context: HelperContext,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const { exitCode, lines } = await helperOutput(context, {
    purpose: 'disk',
    command: COMMAND,
    lines: 5,
    signal,
  });
  const blocks = Number(lines.at(-1)?.trim().split(/\s+/)[AVAILABLE]);
  return exitCode === 0 && Number.isFinite(blocks) ? blocks * 1024 : undefined;
}
