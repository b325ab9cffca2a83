import { msg } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { imagesOf, type ImageChoice } from '../../shared/model/plan.ts';
import type { Progress } from '../runtime/container-runtime.ts';
import { chooseLocal, chooseSubstitute, isKnownImage, substitutionNotice } from '../servers/image.ts';
import type { ServerImage } from '../context/environment.ts';
import { step, type RunContext } from '../context/context.ts';

export async function fetchServerImages(context: RunContext): Promise<Map<string, ServerImage>> {
  const images = new Map<string, ServerImage>();
  for (const image of imagesOf(context.plan)) {
    const others = new Set([...images.values()].map(({ id }) => id));
    const found = image.imageId === null ? await fetched(context, image, others) : image;
    images.set(image.requested, serverImage(found));
  }
  return images;
}

/** Some engines, such as Podman, can't ask a registry before the pull. */
async function fetched(
  context: RunContext,
  { requested, used }: ImageChoice,
  others: ReadonlySet<string>,
): Promise<ImageChoice> {
  const image = await step(context, 'pull', used, async (progress) => {
    try {
      return await pulled(context, { requested, used }, progress);
    } catch (error) {
      // Another major version or an image of others would surprise the user.
      return await chooseSubstitute(context.runtime, requested, error, {
        namedByUser: true,
        accepts: (choice) => isKnownImage(choice) && !others.has(choice.imageId ?? ''),
      });
    }
  });
  context.emit({ type: 'image-resolved', engine: context.plan.engines[0].id, image });
  if (image.substituted) context.emit({ type: 'notice', notice: substitutionNotice(image) });
  return image;
}

async function pulled(
  { runtime, signal }: RunContext,
  { requested, used }: Pick<ImageChoice, 'requested' | 'used'>,
  onProgress: (progress: Progress) => void,
): Promise<ImageChoice> {
  await runtime.images.pull(used, onProgress, signal);
  const image = await runtime.images.inspect(used);
  if (image !== undefined) return chooseLocal(requested, used, image, null);
  throw new BenchmarkError('IMAGE_NOT_FOUND', {
    image: used,
    reason: msg('image.notThereAfterPull'),
    local: msg('image.listLocal'),
  });
}

function serverImage({ imageId, used, flavor, version }: ImageChoice): ServerImage {
  if (imageId === null || flavor === null || version === null) {
    throw new BenchmarkError('IMAGE_UNKNOWN_FLAVOR', { image: used });
  }
  return { id: imageId, used, flavor, version };
}
