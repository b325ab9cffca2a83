import { type Message, msg } from '../message.ts';
import type { Passport } from '../model/passport.ts';
import { type ImageChoice, imagesOf, type Notice, type Plan } from '../model/plan.ts';

const FAMILIES: Readonly<Record<string, string>> = {
  ...{ x86_64: 'x86', amd64: 'x86', x64: 'x86', i386: 'x86', i686: 'x86', '386': 'x86' },
  ...{ aarch64: 'arm', arm64: 'arm', armv7l: 'arm', arm: 'arm' },
};

const familyOf = (architecture: string): string => FAMILIES[architecture] ?? architecture;

/** The processors run another instruction set, so each program is translated. False while it isn't known. */
export function isEmulated({ architecture }: Pick<ImageChoice, 'architecture'>, passport: Passport): boolean {
  const { runtime, host } = passport;
  if (architecture === null) return false;
  if (familyOf(architecture) !== familyOf(runtime.architecture)) return true;
  // A whole VM can be emulated. Only an ARM host is certain: on Apple silicon, Node for x64 takes it for x64.
  return runtime.vm && !runtime.remote && host.architecture === 'arm64' && familyOf(architecture) === 'x86';
}

export function emulationMessage(
  { used, architecture }: Pick<ImageChoice, 'used' | 'architecture'>,
  { host, runtime }: Passport,
): Message {
  return msg(runtime.rosetta === true ? 'notice.imageEmulatedRosetta' : 'notice.imageEmulated', {
    image: used,
    built: architecture ?? '',
    machine: runtime.remote ? runtime.architecture : host.architecture,
  });
}

export function emulationNotices(plan: Pick<Plan, 'setups' | 'scenarios' | 'passport'>): Notice[] {
  return imagesOf(plan)
    .filter((image) => isEmulated(image, plan.passport))
    .map((image) => ({ code: 'IMAGE_EMULATED', message: emulationMessage(image, plan.passport) }));
}
