import { type HelperContext, helperOutput } from './helper-container.ts';

/** POSIX, df -P: name, blocks, used, available, …; of a container's own layer, so of the engine's disk. */
const COMMAND = ['df', '-Pk', '/'];
const AVAILABLE = 3;

/** Asked in a container, since the disk is in a virtual machine or elsewhere. Undefined: unknown. */
export async function engineFreeBytes(
  context: HelperContext,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const { exitCode, lines } = await helperOutput(context, {
    purpose: 'disk',
    command: COMMAND,
    lines: 5,
    ...(signal === undefined ? {} : { signal }),
  });
  const blocks = Number(lines.at(-1)?.trim().split(/\s+/)[AVAILABLE]);
  return exitCode === 0 && Number.isFinite(blocks) ? blocks * 1024 : undefined;
}
