import { emulationNotices } from '../../shared/docker/emulation.ts';
import { requestedServer } from '../../shared/compose/image.ts';
import { type Message, msg } from '../../shared/message.ts';
import {
  type ImageChoice,
  imagesOf,
  type Notice,
  type OnEngines,
  type Plan,
  plansOn,
  type Scenario,
} from '../../shared/model/plan.ts';
import type { Passport } from '../../shared/model/passport.ts';
import type { Preset } from '../../shared/model/preset.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { labelText } from '../../shared/words/labels.ts';
import { NODE_IMAGE } from '../load/client-image.ts';
import { substitutionNotice } from '../servers/image.ts';
import { versionNumbers } from '../servers/server-options.ts';
import { isSoftMount } from '../servers/storage/volume-options.ts';

export function planNotices(
  preset: Preset,
  plan: OnEngines & Pick<Plan, 'excluded' | 'clientImage'>,
): Notice[] {
  return [
    ...plansOn(plan).flatMap((part) => emulationNotices(imagesOf(part), part.engines[0].passport)),
    ...imagesOf(plan).flatMap((image) => (image.substituted ? [substitutionNotice(image)] : [])),
    ...clientNotices(plan),
    ...nativeNotices(plan),
    ...baselineNotices(preset, plan),
    ...noticeAt(
      plan.scenarios.find(({ storage }) => isSoftMount(storage)),
      'SOFT_MOUNT',
      msg('notice.softMount'),
    ),
    // The routing mesh has no option for 127.0.0.1.
    ...noticeAt(
      plan.scenarios.find(({ path }) => path === 'ingress'),
      'PORT_OPEN',
      msg('notice.portOpen'),
    ),
  ];
}

function noticeAt(scenario: Scenario | undefined, code: string, message: Message): Notice[] {
  return scenario === undefined ? [] : [{ code, scenarioId: scenario.id, message }];
}

function clientNotices({ clientImage }: Pick<Plan, 'clientImage'>): Notice[] {
  if (clientImage === null || clientImage.reason === null) return [];
  const { reference: used, reason } = clientImage;
  const message = msg('notice.clientImageSubstituted', { requested: NODE_IMAGE, reason, used });
  return [{ code: 'CLIENT_IMAGE_SUBSTITUTED', message }];
}

function nativeNotices({ configs }: Pick<Plan, 'configs'>): Notice[] {
  const notices = configs.flatMap(({ native, image }): Notice[] => {
    if (native === null || image.version === null) return [];
    // Only images have a packager's suffix: "11.8.6-0".
    const same = String(versionNumbers(native.version)) === String(versionNumbers(image.version));
    if (native.flavor === image.flavor && same) return [];
    const texts = {
      native: `${native.flavor} ${native.version}`,
      image: `${image.flavor ?? ''} ${image.version}`,
    };
    return [{ code: 'NATIVE_DIFFERS', message: msg('notice.nativeDiffers', texts) }];
  });
  return notices.slice(0, 1);
}

function baselineNotices(
  preset: Preset,
  { scenarios, excluded, configs, engines }: Pick<Plan, 'scenarios' | 'excluded' | 'configs' | 'engines'>,
): Notice[] {
  const [first] = [preset.baseline].flat();
  const used = scenarios.find(({ isBaseline }) => isBaseline);
  if (first === undefined || used === undefined || used.baselineId.startsWith(first)) return [];
  const left = excluded.find(({ id }) => id.startsWith(first));
  const command = nativeInstall(engines[0].passport, configs[0]?.image);
  const name = labelText(used.label, ENGLISH);
  if (left?.label.storage === 'native' && command !== undefined)
    return [{ code: 'NATIVE_MISSING', message: msg('notice.nativeMissing', { command, used: name }) }];
  const wanted = left === undefined ? first : labelText(left.label, ENGLISH);
  return [{ code: 'BASELINE_REPLACED', message: msg('notice.baselineReplaced', { wanted, used: name }) }];
}

/**
 * Undefined: no command is known. Sources: Homebrew Formulae, packages of Debian, Ubuntu, and Percona, and
 * winget's list.
 */
function nativeInstall(
  { runtime, host }: Passport,
  image: Pick<ImageChoice, 'requested' | 'flavor' | 'version'> | undefined,
): string | undefined {
  const named = requestedServer(image?.requested ?? '');
  const flavor = image?.flavor ?? named?.flavor;
  if (runtime.remote || flavor === undefined) return undefined;
  const [major, minor] = versionNumbers(image?.version ?? named?.version ?? '');
  switch (host.platform) {
    case 'darwin':
      if (flavor === 'percona') return 'brew install percona-server';
      return `brew install ${flavor}${flavor === 'mysql' && major === 8 ? `@${major}.${minor}` : ''}`;
    case 'win32':
      if (flavor === 'percona') return undefined;
      return `winget install ${flavor === 'mysql' ? 'Oracle.MySQL' : 'MariaDB.Server'}`;
    default:
      return `sudo apt install ${flavor === 'percona' ? 'percona-server-server' : `${flavor}-server`}`;
  }
}
