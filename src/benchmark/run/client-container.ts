import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ContainerNodeDriver } from '../load/node/node-driver.ts';
import { tarOf } from '../runtime/tar.ts';
import type { Bench } from './bench.ts';
import type { Cleanup } from './cleanup.ts';
import type { RunContext } from './context.ts';

/** Where the load client's file goes in the container; `/tmp` is in every image. */
const DIRECTORY = '/tmp';

/**
 * A client container on the run's bridge with the load client in it, started and listening for commands. It serves
 * all trials of the run; between trials it only waits for its standard input.
 */
export async function startClientContainer(
  context: RunContext,
  bench: Bench,
  cleanup: Cleanup,
  number: number,
): Promise<ContainerNodeDriver> {
  const { runtime } = context;
  if (bench.clientImage === undefined) throw new Error('no client image was prepared');
  const file = basename(context.clientFile);
  const id = await runtime.createContainer({
    name: `${bench.prefix}-client${number}`,
    image: bench.clientImage,
    labels: bench.labels('client'),
    entrypoint: ['node', `${DIRECTORY}/${file}`],
    network: bench.network,
    stdin: true,
    stopTimeoutSeconds: 1,
  });
  cleanup.add('container', () => runtime.removeContainer(id));
  await runtime.putArchive(id, DIRECTORY, await tarOf({ [file]: await readFile(context.clientFile) }));
  const attachment = await runtime.attach(id);
  await runtime.startContainer(id);
  return new ContainerNodeDriver(attachment);
}
