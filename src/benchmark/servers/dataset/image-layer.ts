import type { StorageContext } from '../storage/prepared-storage.ts';
import { prepareStorage } from '../storage/storage.ts';
import { cloneDataset } from './clone.ts';
import type { Dataset } from './dataset.ts';
import { storageName } from '../../../shared/words/labels.ts';

/** Resolves with the image's tag. */
export async function imageWithData(
  dataset: Dataset,
  context: StorageContext,
  labels: Record<'image' | 'helper', Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  const { runtime, name, image } = context;
  const spec = { kind: 'container-layer' } as const;
  const storage = await prepareStorage(spec, context);
  const helper = { ...context, labels: labels.helper };
  const containerId = await runtime.containers.create({
    name: `${name}-seed`,
    image,
    labels: labels.helper,
    network: 'none',
  });
  try {
    await cloneDataset(dataset, { containerId, storage, storageName: storageName(spec), helper }, signal);
    const tag = `${name}:data`;
    await runtime.images.commit(containerId, tag, labels.image);
    return tag;
  } finally {
    await runtime.containers.remove(containerId);
  }
}
