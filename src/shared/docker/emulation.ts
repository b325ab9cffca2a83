import { type Message, msg } from '../message.ts';
import type { Passport } from '../model/passport.ts';
import { isContainerStorage } from '../kinds/storages.ts';
import { type ImageChoice, imagesOf, type Notice } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';

const FAMILIES: Readonly<Record<string, string>> = {
  ...{ x86_64: 'x86', amd64: 'x86', x64: 'x86', i386: 'x86', i686: 'x86', '386': 'x86' },
  ...{ aarch64: 'arm', arm64: 'arm', armv7l: 'arm', arm: 'arm' },
};

const familyOf = (architecture: string): string => FAMILIES[architecture] ?? architecture;

/** Whether programs are translated for another processor; false if unknown. */
export function isEmulated({ architecture }: Pick<ImageChoice, 'architecture'>, passport: Passport): boolean {
  const { runtime, host } = passport;
  if (architecture === null) return false;
  if (familyOf(architecture) !== familyOf(runtime.architecture)) return true;
  // Only an ARM host is certain: on Apple silicon, Node for x64 takes it for x64.
  return runtime.vm && !runtime.remote && host.architecture === 'arm64' && familyOf(architecture) === 'x86';
}

/** `configured`: the image's architecture, if its server reports another. */
type SeenImage = ImageChoice & { configured?: string };

export function emulationMessage(
  { used, architecture, configured }: Pick<SeenImage, 'used' | 'architecture' | 'configured'>,
  { host, runtime }: Passport,
): Message {
  return msg(runtime.rosetta === true ? 'notice.imageEmulatedRosetta' : 'notice.imageEmulated', {
    image: used,
    built:
      configured === undefined
        ? (architecture ?? '')
        : msg('notice.builtOther', { seen: architecture ?? '', configured }),
    machine: runtime.remote ? runtime.architecture : host.architecture,
  });
}

export function imagesSeen({ plan, servers }: Pick<RunState, 'plan' | 'servers'>): SeenImage[] {
  return imagesOf(plan).map((image) => {
    const [seen] = plan.scenarios.flatMap(({ configId, serverId, storage }) => {
      const config = plan.configs.find(({ id }) => id === configId);
      const isOwn = isContainerStorage(storage.kind) && config?.image.requested === image.requested;
      return (isOwn && servers[serverId]?.facts?.variables['version_compile_machine']) || [];
    });
    if (seen === undefined) return image;
    const { architecture } = image;
    const isOther = architecture !== null && familyOf(architecture) !== familyOf(seen);
    return { ...image, architecture: seen, ...(isOther ? { configured: architecture } : {}) };
  });
}

export function emulationNotices(images: readonly SeenImage[], passport: Passport): Notice[] {
  return images
    .filter((image) => isEmulated(image, passport))
    .map((image) => ({ code: 'IMAGE_EMULATED', message: emulationMessage(image, passport) }));
}
