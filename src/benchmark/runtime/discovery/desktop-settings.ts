import { msg, type Said } from '../../../shared/message.ts';
import type { FileSharing, Passport, VirtualMachine } from '../../../shared/model/passport.ts';
import type { EngineInfo } from './probe.ts';
import { joinPath, readObject, type Surroundings, variable } from './surroundings.ts';

/**
 * Docker Desktop's settings. `settings-store.json` (4.35 and later) omits what is at its default. Keys and defaults:
 * docs.docker.com, "Settings reference"; docker/docs#20986 and #25726 (virtual machine managers). Published files of
 * each state: tests/fixtures/runtimes/README.md.
 */
export interface DesktopSettings {
  file: string;
  omitsDefaults: boolean;
  flag(key: string): boolean | undefined;
  /** Entries of a list, 0 without the key. */
  count(key: string): number;
}

const STORE = 'settings-store.json';

export function readDesktopSettings(surroundings: Surroundings): DesktopSettings | undefined {
  const directory = settingsDirectory(surroundings);
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
      count: (key) => {
        const value = byKey.get(key.toLowerCase());
        return Array.isArray(value) ? value.length : 0;
      },
    };
  }
  return undefined;
}

function settingsDirectory(surroundings: Surroundings): string {
  const { platform, homeDirectory } = surroundings;
  switch (platform) {
    case 'darwin':
      return joinPath(surroundings, homeDirectory, 'Library', 'Group Containers', 'group.com.docker');
    case 'win32': {
      const roaming =
        variable(surroundings, 'APPDATA') ?? joinPath(surroundings, homeDirectory, 'AppData', 'Roaming');
      return joinPath(surroundings, roaming, 'Docker');
    }
    case 'linux':
      return joinPath(surroundings, homeDirectory, '.docker', 'desktop');
  }
}

const DEFAULT = msg('sharing.desktopDefault');

export function isWsl2(info: Pick<EngineInfo, 'KernelVersion'>): boolean {
  return /microsoft-standard-wsl2/i.test(info.KernelVersion);
}

const isArm = (architecture: string): boolean => /^(aarch64|arm64)/.test(architecture);

/** The virtual machine's manager and what belongs to it. */
export function desktopFacts(
  { platform }: Surroundings,
  info: EngineInfo,
  settings: DesktopSettings | undefined,
): Partial<Pick<Passport['runtime'], 'virtualMachine' | 'rosetta' | 'synchronizedShares'>> {
  const virtualMachine = machineOf(platform, info, settings);
  const isRosetta =
    platform === 'darwin' &&
    isArm(info.Architecture) &&
    virtualMachine?.manager === 'apple' &&
    settings !== undefined &&
    on(settings, 'UseVirtualizationFrameworkRosetta') === true;
  // Not available on WSL 2 (docs.docker.com, "Synchronized file shares").
  const shares = isWsl2(info) ? 0 : (settings?.count('SynchronizedDirectories') ?? 0);
  return {
    ...(virtualMachine === undefined ? {} : { virtualMachine }),
    ...(isRosetta ? { rosetta: true } : {}),
    ...(shares > 0 ? { synchronizedShares: shares } : {}),
  };
}

function machineOf(
  platform: Surroundings['platform'],
  info: EngineInfo,
  settings: DesktopSettings | undefined,
): VirtualMachine | undefined {
  if (isWsl2(info)) return { manager: 'wsl2', evidence: msg('sharing.kernel') };
  if (settings === undefined || platform === 'linux') return undefined;
  const { file, flag, omitsDefaults } = settings;
  if (flag('UseLibkrun') === true) return { manager: 'docker-vmm', evidence: file };
  if (platform === 'win32') {
    return flag('WslEngineEnabled') === false ? { manager: 'hyper-v', evidence: file } : undefined;
  }
  const framework = flag('UseVirtualizationFramework');
  if (framework === true) return { manager: 'apple', evidence: file };
  if (framework === false) {
    return { manager: isArm(info.Architecture) ? 'qemu' : 'hyperkit', evidence: file };
  }
  return omitsDefaults ? { manager: 'apple', evidence: DEFAULT } : undefined;
}

/** The default of all flags asked for here is on. */
function on({ flag, omitsDefaults }: DesktopSettings, key: string): boolean | undefined {
  return flag(key) ?? (omitsDefaults ? true : undefined);
}

/** VirtioFS wins over gRPC FUSE; with both off it is osxfs, in old versions for the Mac. */
export function desktopSharing(
  { platform }: Surroundings,
  info: EngineInfo,
  settings: DesktopSettings | undefined,
): { fileSharing: FileSharing; evidence: Said } {
  if (isWsl2(info)) return { fileSharing: 'unknown', evidence: msg('sharing.wsl2') };
  // Always virtiofsd (desktop-linux#289 and #231).
  if (platform === 'linux') return { fileSharing: 'virtiofs', evidence: msg('sharing.desktopLinux') };
  if (settings === undefined) return { fileSharing: 'unknown', evidence: msg('sharing.desktopUnreadable') };
  const { file, flag } = settings;
  const silence = msg(settings.omitsDefaults ? 'sharing.silentDefault' : 'sharing.silent', { file });
  const silent = { fileSharing: 'unknown', evidence: silence } as const;
  if (platform === 'win32') {
    // Hyper-V has no VirtioFS, whatever the key says; Docker VMM has no key.
    return flag('UseGrpcfuse') === true && flag('UseLibkrun') !== true
      ? { fileSharing: 'grpcfuse', evidence: file }
      : silent;
  }
  const written = flag('UseVirtualizationFrameworkVirtioFS');
  // The default is Apple's framework's and Docker VMM's; QEMU and HyperKit leave it open.
  const isOther = flag('UseVirtualizationFramework') === false && flag('UseLibkrun') !== true;
  const virtiofs = isOther ? written : on(settings, 'UseVirtualizationFrameworkVirtioFS');
  if (virtiofs === true) return { fileSharing: 'virtiofs', evidence: written === true ? file : DEFAULT };
  const grpcfuse = virtiofs === false ? on(settings, 'UseGrpcfuse') : flag('UseGrpcfuse');
  if (grpcfuse === true) return { fileSharing: 'grpcfuse', evidence: file };
  return virtiofs === false && grpcfuse === false ? { fileSharing: 'osxfs', evidence: file } : silent;
}
