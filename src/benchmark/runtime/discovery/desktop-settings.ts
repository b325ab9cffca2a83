import type { FileSharing, Passport, VirtualMachine } from '../../../shared/model/passport.ts';
import type { EngineInfo } from './probe.ts';
import { joinPath, readObject, type Surroundings, variable, windowsHomes } from './surroundings.ts';

/**
 * `settings-store.json` (4.35 and later) omits defaults. Sources: docs.docker.com, "Settings reference";
 * docker/docs#20986 and #25726 (virtual machine managers). Published files:
 * tests/fixtures/runtimes/README.md.
 */
export interface DesktopSettings {
  omitsDefaults: boolean;
  flag(key: string): boolean | undefined;
}

const STORE = 'settings-store.json';

export function readDesktopSettings(surroundings: Surroundings): DesktopSettings | undefined {
  const found = settingsDirectories(surroundings).flatMap(
    (directory) => readIn(surroundings, directory) ?? [],
  );
  // Any of several Windows users may have started Docker Desktop.
  return found.length === 1 ? found[0] : undefined;
}

function readIn(surroundings: Surroundings, directory: string): DesktopSettings | undefined {
  for (const file of [STORE, 'settings.json']) {
    const values = readObject(surroundings, joinPath(surroundings, directory, file));
    if (values === undefined) continue;
    // Old versions wrote camelCase, new ones PascalCase.
    const byKey = new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));
    return {
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

/** A user's own kernel has any name. */
export function isWsl2(info: Pick<EngineInfo, 'KernelVersion'>, settings?: DesktopSettings): boolean {
  return /microsoft-standard-wsl2/i.test(info.KernelVersion) || settings?.flag('WslEngineEnabled') === true;
}

export function desktopFacts(
  { platform }: Surroundings,
  info: EngineInfo,
  settings: DesktopSettings | undefined,
): Partial<Pick<Passport['runtime'], 'virtualMachine' | 'rosetta'>> {
  const virtualMachine = machineOf(platform, info, settings);
  const isRosetta =
    platform === 'darwin' &&
    /^(aarch64|arm64)/.test(info.Architecture) &&
    virtualMachine === 'apple' &&
    settings !== undefined &&
    on(settings, 'UseVirtualizationFrameworkRosetta') === true;
  return {
    ...(virtualMachine === undefined ? {} : { virtualMachine }),
    ...(isRosetta ? { rosetta: true } : {}),
  };
}

function machineOf(
  platform: Surroundings['platform'],
  info: EngineInfo,
  settings: DesktopSettings | undefined,
): VirtualMachine | undefined {
  if (isWsl2(info)) return 'wsl2';
  if (settings === undefined || platform === 'linux') return undefined;
  if (settings.flag('UseLibkrun') === true) return 'docker-vmm';
  if (platform === 'win32') {
    const isWsl = settings.flag('WslEngineEnabled');
    return isWsl === undefined ? undefined : isWsl ? 'wsl2' : 'hyper-v';
  }
  return on(settings, 'UseVirtualizationFramework') === true ? 'apple' : undefined;
}

/** All these flags default to on. */
function on({ flag, omitsDefaults }: DesktopSettings, key: string): boolean | undefined {
  return flag(key) ?? (omitsDefaults ? true : undefined);
}

/** VirtioFS wins over gRPC FUSE; with both off it is osxfs. */
export function desktopSharing(
  { platform }: Surroundings,
  info: EngineInfo,
  settings: DesktopSettings | undefined,
): FileSharing {
  if (isWsl2(info, settings)) return 'unknown';
  // Always virtiofsd (desktop-linux#289 and #231).
  if (platform === 'linux') return 'virtiofs';
  if (settings === undefined) return 'unknown';
  const { flag } = settings;
  // Hyper-V has no VirtioFS; Docker VMM has no key.
  if (platform === 'win32') {
    return flag('UseGrpcfuse') === true && flag('UseLibkrun') !== true ? 'grpcfuse' : 'unknown';
  }
  const virtiofs = on(settings, 'UseVirtualizationFrameworkVirtioFS');
  if (virtiofs === true) return 'virtiofs';
  const grpcfuse = virtiofs === false ? on(settings, 'UseGrpcfuse') : flag('UseGrpcfuse');
  if (grpcfuse === true) return 'grpcfuse';
  return virtiofs === false && grpcfuse === false ? 'osxfs' : 'unknown';
}
