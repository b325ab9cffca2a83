import { msg } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import { imagesOf, type ImageChoice } from '../../../shared/model/plan.ts';
import { chooseLocal } from '../image.ts';
import type { ServerVersion } from '../server-options.ts';
import { scenariosLeft, step, type RunContext } from '../../run/context.ts';

export interface ServerImage extends ServerVersion {
  id: string;
  used: string;
}

export async function fetchServerImages(context: RunContext): Promise<Map<string, ServerImage>> {
  const images = new Map<string, ServerImage>();
  for (const image of imagesOf({ configs: context.plan.configs, scenarios: scenariosLeft(context) })) {
    images.set(image.requested, serverImage(image.imageId === null ? await pulled(context, image) : image));
  }
  return images;
}

async function pulled(context: RunContext, { requested, used }: ImageChoice): Promise<ImageChoice> {
  const { runtime, signal } = context;
  await step(context, 'pull', used, (progress) => runtime.images.pull(used, progress, signal));
  const image = await runtime.images.inspect(used);
  if (image === undefined) {
    throw new BenchmarkError('IMAGE_NOT_FOUND', {
      image: used,
      reason: msg('image.notThereAfterPull'),
      local: '–',
    });
  }
  const resolved = chooseLocal(requested, used, image, null);
  const engine = context.plan.configs[0]?.engine ?? null;
  context.emit({ type: 'image-resolved', engine, image: resolved });
  return resolved;
}

function serverImage({ imageId, used, flavor, version }: ImageChoice): ServerImage {
  if (imageId === null || flavor === null || version === null) {
    throw new BenchmarkError('IMAGE_UNKNOWN_FLAVOR', { image: used });
  }
  return { id: imageId, used, flavor, version };
}
