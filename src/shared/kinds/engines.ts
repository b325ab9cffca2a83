import { kindsOf } from './kind.ts';

export type Platform = 'linux' | 'darwin' | 'win32';
export type Services = 'systemd' | 'snap' | 'other';

export interface EngineTraits {
  /** Recognition by `OperatingSystem` and `Name` of `/info`; the first product wins. */
  isIt?: (system: string, machine: string) => boolean;
  isAlwaysVm?: true;
  /** This machine reaches containers by their addresses, although a virtual machine runs them. */
  routesNetworks?: true;
  hasHostNetworkingSetting?: true;
  hasNoSwarm?: true;
}

interface ProductTraits extends EngineTraits {
  name: string;
  namedBy?: RegExp;
  /** Process names without folder and `.exe`; Linux has the first 15 characters. */
  processes: RegExp;
  /** Usual places; may begin with `~`, `%ProgramFiles%`, or `%LOCALAPPDATA%`. */
  installedAt: Partial<Record<Platform, readonly string[]>>;
  /** Commands; for PowerShell on Windows. */
  start(platform: Platform, services: Services): string;
  restart(platform: Platform, services: Services): string;
}

const app = (name: string): string[] => [`/Applications/${name}.app`, `~/Applications/${name}.app`];
const homebrew = (name: string): string[] => [`/opt/homebrew/bin/${name}`, `/usr/local/bin/${name}`];

const service = (action: 'start' | 'restart') => (platform: Platform, services: Services) =>
  platform === 'win32'
    ? `${action === 'start' ? 'Start' : 'Restart'}-Service docker`
    : {
        systemd: `sudo systemctl ${action} docker`,
        snap: `sudo snap ${action} docker`,
        other: `sudo service docker ${action}`,
      }[services];

const PRODUCT_ENGINES = {
  'docker-desktop': {
    name: 'Docker Desktop',
    isIt: (system, machine) => system.startsWith('Docker Desktop') || machine.includes('docker-desktop'),
    isAlwaysVm: true,
    hasHostNetworkingSetting: true,
    namedBy: /desktop-linux|docker[ /.]?desktop|\.docker\/run/i,
    processes: /^(com\.docker\.back.*|Docker Desktop)$/,
    installedAt: {
      linux: ['/opt/docker-desktop'],
      darwin: app('Docker'),
      win32: [
        '%ProgramFiles%/Docker/Docker/Docker Desktop.exe',
        '%LOCALAPPDATA%/Programs/DockerDesktop/Docker Desktop.exe',
      ],
    },
    start: (platform) =>
      ({
        darwin: 'open -a Docker',
        win32: '& "$Env:ProgramFiles\\Docker\\Docker\\Docker Desktop.exe"',
        linux: 'systemctl --user start docker-desktop',
      })[platform],
    restart: () => 'docker desktop restart',
  },
  'docker-engine': {
    name: 'Docker Engine',
    processes: /^dockerd(-rootless.*)?$/,
    installedAt: {
      linux: [
        ...['/usr/bin/dockerd', '/usr/sbin/dockerd', '/usr/local/bin/dockerd'],
        ...['/snap/bin/docker', '~/bin/dockerd'],
      ],
      win32: ['%ProgramFiles%/Docker/dockerd.exe'],
    },
    start: service('start'),
    restart: service('restart'),
  },
  orbstack: {
    name: 'OrbStack',
    isIt: (system, machine) => system.startsWith('OrbStack') || machine === 'orbstack',
    isAlwaysVm: true,
    // OrbStack documentation, "Container networking", "Host networking".
    routesNetworks: true,
    namedBy: /orbstack/i,
    processes: /^OrbStack( Helper)?$/,
    installedAt: { darwin: app('OrbStack') },
    start: () => 'open -a OrbStack',
    restart: () => 'orb restart docker',
  },
  colima: {
    name: 'Colima',
    isIt: (_, machine) => machine.startsWith('colima'),
    isAlwaysVm: true,
    namedBy: /colima/i,
    processes: /^colima$/,
    installedAt: {
      linux: ['/usr/local/bin/colima', '/home/linuxbrew/.linuxbrew/bin/colima'],
      darwin: homebrew('colima'),
    },
    start: () => 'colima start',
    restart: () => 'colima restart',
  },
  'rancher-desktop': {
    name: 'Rancher Desktop',
    isIt: (system, machine) => system.startsWith('Rancher Desktop') || machine.includes('rancher-desktop'),
    isAlwaysVm: true,
    namedBy: /rancher|\.rd\//i,
    processes: /^([Rr]ancher[ -][Dd]eskt.*)$/,
    installedAt: {
      linux: ['/opt/rancher-desktop', '/usr/bin/rancher-desktop'],
      darwin: app('Rancher Desktop'),
      win32: [
        '%ProgramFiles%/Rancher Desktop/Rancher Desktop.exe',
        '%LOCALAPPDATA%/Programs/Rancher Desktop/Rancher Desktop.exe',
      ],
    },
    start: (platform) =>
      ({
        darwin: 'open -a "Rancher Desktop"',
        win32: '& "$Env:LOCALAPPDATA\\Programs\\Rancher Desktop\\Rancher Desktop.exe"',
        linux: 'rancher-desktop',
      })[platform],
    restart: () => 'rdctl shutdown && rdctl start',
  },
  podman: {
    name: 'Podman',
    hasNoSwarm: true,
    namedBy: /podman/i,
    processes: /^(gvproxy|win-sshproxy)$/,
    installedAt: {
      linux: ['/usr/bin/podman', '/usr/local/bin/podman'],
      darwin: ['/opt/podman/bin/podman', ...homebrew('podman')],
      win32: ['%ProgramFiles%/RedHat/Podman/podman.exe'],
    },
    start: (platform) =>
      platform === 'linux' ? 'systemctl --user enable --now podman.socket' : 'podman machine start',
    restart: (platform) =>
      platform === 'linux'
        ? 'systemctl --user restart podman.socket'
        : 'podman machine stop; podman machine start',
  },
} satisfies Record<string, ProductTraits>;

export type Product = keyof typeof PRODUCT_ENGINES;
export const PRODUCTS = kindsOf(PRODUCT_ENGINES);

export function productTraits(product: Product): ProductTraits {
  return PRODUCT_ENGINES[product];
}

export type RuntimeKind = Product | 'lima' | 'docker-rootless' | 'unknown';

export const ENGINES: Readonly<Record<RuntimeKind, EngineTraits & { name?: string }>> = {
  ...PRODUCT_ENGINES,
  /** Lima is only found while it runs. */
  lima: { name: 'Lima', isIt: (_, machine) => machine.startsWith('lima'), isAlwaysVm: true },
  'docker-rootless': {},
  unknown: {},
};
export const RUNTIME_KINDS = kindsOf(ENGINES);

export interface Engine {
  kind: RuntimeKind;
  vm: boolean;
  rootless: boolean;
  remote: boolean;
  selinux: boolean;
  userns?: boolean | undefined;
  hostNetworking: boolean;
  memoryBytes: number;
}
