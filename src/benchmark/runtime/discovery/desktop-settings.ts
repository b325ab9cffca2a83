import { msg, type Said } from '../../../shared/message.ts';
import type { FileSharing, Passport, VirtualMachine } from '../../../shared/model/passport.ts';
import type { EngineInfo } from './probe.ts';
import { joinPath, readObject, type Surroundings, variable, windowsHomes } from './surroundings.ts';

/**
 * `settings-store.json` (4.35 and later) omits defaults. docs.docker.com, "Settings reference";
 * docker/docs#20986 and #25726 (virtual machine managers). Published files: tests/fixtures/runtimes/README.md.
 */
export interface DesktopSettings {
  file: string;
  omitsDefaults: boolean;
  flag(key: string): boolean | undefined;
}

const STORE = 'settings-store.json';

export function readDesktopSettings(surroundings: Surroundings): DesktopSettings | undefined {
  const found = settingsDirectories(surroundings).flatMap(
    (directory) => readIn(surroundings, directory) ?? [],
  );
  // Which of several Windows users started it isn't known.
  return found.length === 1 ? found[0] : undefined;
}

function readIn(surroundings: Surroundings, directory: string): DesktopSettings | undefined {
  for (const file of [STORE, 'settings.json']) {
    const values = readObject(surroundings, joinPath(surroundings, directory, file));
    if (values === undefined) continue;
    // Old versions wrote camelCase, new ones PascalCase.
    const byKey = new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));
    return {
      file,
      omitsDefaults: file === STORE,
      flag: (key) => {
        const value = byKey.get(key.toLowerCase());
        return typeof value === 'boolean' ? value : undefined;
      },
    };
  }
  return undefined;
}

function settingsDirectories(surroundings: Surroundings): string[] {
  const { platform, homeDirectory } = surroundings;
  switch (platform) {
    case 'darwin':
      return [joinPath(surroundings, homeDirectory, 'Library', 'Group Containers', 'group.com.docker')];
    case 'win32': {
      const roaming =
        variable(surroundings, 'APPDATA') ?? joinPath(surroundings, homeDirectory, 'AppData', 'Roaming');
      return [joinPath(surroundings, roaming, 'Docker')];
    }
    case 'linux':
      return [
        joinPath(surroundings, homeDirectory, '.docker', 'desktop'),
        ...windowsHomes(surroundings).map((home) =>
          joinPath(surroundings, home, 'AppData', 'Roaming', 'Docker'),
        ),
      ];
  }
}

const DEFAULT = msg('sharing.desktopDefault');

/** A user's own kernel has any name; then the settings show it. */
export function isWsl2(info: Pick<EngineInfo, 'KernelVersion'>, settings?: DesktopSettings): boolean {
  return /microsoft-standard-wsl2/i.test(info.KernelVersion) || settings?.flag('WslEngineEnabled') === true;
}

const isArm = (architecture: string): boolean => /^(aarch64|arm64)/.test(architecture);

export function desktopFacts(
  { platform }: Surroundings,
  info: EngineInfo,
  name: string,
  settings: DesktopSettings | undefined,
): Partial<Pick<Passport['runtime'], 'virtualMachine' | 'rosetta'>> {
  const virtualMachine = machineOf(platform, info, versionOf(name), settings);
  const isRosetta =
    platform === 'darwin' &&
    isArm(info.Architecture) &&
    virtualMachine?.manager === 'apple' &&
    settings !== undefined &&
    on(settings, 'UseVirtualizationFrameworkRosetta') === true;
  return {
    ...(virtualMachine === undefined ? {} : { virtualMachine }),
    ...(isRosetta ? { rosetta: true } : {}),
  };
}

/** Before, Docker VMM was libkrun on a Mac (docker/docs#25726). */
const OWN_HYPERVISOR = 4.86;
/** First after QEMU's announced end, 2025-07-14 (docker/docs#22476). HyperKit's Macs are as old. */
const WITHOUT_QEMU = 4.44;

/** Infinity without a version: probably a current one. */
function versionOf(name: string): number {
  return Number(/ (\d+\.\d\d)\b/.exec(name)?.[1] ?? Infinity);
}

function machineOf(
  platform: Surroundings['platform'],
  info: EngineInfo,
  version: number,
  settings: DesktopSettings | undefined,
): VirtualMachine | undefined {
  if (isWsl2(info)) return { manager: 'wsl2', evidence: msg('sharing.kernel') };
  if (settings === undefined || platform === 'linux') return undefined;
  const { file, flag, omitsDefaults } = settings;
  if (flag('UseLibkrun') === true) {
    const isLibkrun = platform === 'darwin' && version < OWN_HYPERVISOR;
    return { manager: isLibkrun ? 'docker-vmm-libkrun' : 'docker-vmm', evidence: file };
  }
  if (platform === 'win32') {
    const isWsl = flag('WslEngineEnabled');
    return isWsl === undefined ? undefined : { manager: isWsl ? 'wsl2' : 'hyper-v', evidence: file };
  }
  const framework = flag('UseVirtualizationFramework');
  if (framework === true) return { manager: 'apple', evidence: file };
  // What an old version wrote stays in the file.
  if (framework === false && version >= WITHOUT_QEMU) return undefined;
  if (framework === false) {
    return { manager: isArm(info.Architecture) ? 'qemu' : 'hyperkit', evidence: file };
  }
  return omitsDefaults ? { manager: 'apple', evidence: DEFAULT } : undefined;
}

/** The default of all flags asked for here is on. */
function on({ flag, omitsDefaults }: DesktopSettings, key: string): boolean | undefined {
  return flag(key) ?? (omitsDefaults ? true : undefined);
}

/** VirtioFS wins over gRPC FUSE; with both off it is osxfs. */
export function desktopSharing(
  { platform }: Surroundings,
  info: EngineInfo,
  settings: DesktopSettings | undefined,
): { fileSharing: FileSharing; evidence: Said } {
  if (isWsl2(info, settings)) return { fileSharing: 'unknown', evidence: msg('sharing.wsl2') };
  // Always virtiofsd (desktop-linux#289 and #231).
  if (platform === 'linux') return { fileSharing: 'virtiofs', evidence: msg('sharing.desktopLinux') };
  if (settings === undefined) return { fileSharing: 'unknown', evidence: msg('sharing.desktopUnreadable') };
  const { file, flag } = settings;
  const silence = msg(settings.omitsDefaults ? 'sharing.silentDefault' : 'sharing.silent', { file });
  const silent = { fileSharing: 'unknown', evidence: silence } as const;
  if (platform === 'win32') {
    // Hyper-V has no VirtioFS; Docker VMM has no key.
    return flag('UseGrpcfuse') === true && flag('UseLibkrun') !== true
      ? { fileSharing: 'grpcfuse', evidence: file }
      : silent;
  }
  const written = flag('UseVirtualizationFrameworkVirtioFS');
  // QEMU and HyperKit leave it open.
  const isOther = flag('UseVirtualizationFramework') === false && flag('UseLibkrun') !== true;
  const virtiofs = isOther ? written : on(settings, 'UseVirtualizationFrameworkVirtioFS');
  if (virtiofs === true) return { fileSharing: 'virtiofs', evidence: written === true ? file : DEFAULT };
  const grpcfuse = virtiofs === false ? on(settings, 'UseGrpcfuse') : flag('UseGrpcfuse');
  if (grpcfuse === true) return { fileSharing: 'grpcfuse', evidence: file };
  return virtiofs === false && grpcfuse === false ? { fileSharing: 'osxfs', evidence: file } : silent;
}
