import type { ContainerSpec } from '../../runtime/container-runtime.ts';
import type { StorageContext } from './prepared-storage.ts';

export async function startHolder(
  { runtime, name, image, labels }: StorageContext,
  parts: Partial<ContainerSpec>,
): Promise<string> {
  const holder = await runtime.containers.create({
    name: `${name}-holder`,
    image,
    labels,
    entrypoint: ['tail', '-f', '/dev/null'],
    network: 'none',
    stopTimeoutSeconds: 0,
    ...parts,
  });
  try {
    await runtime.containers.start(holder);
    return holder;
  } catch (error) {
    await runtime.containers.remove(holder);
    throw error;
  }
}
