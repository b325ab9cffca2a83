import { PRODUCTS, type Product } from '../../../shared/model/docker-facts.ts';
import { joinPath, variable, type Surroundings } from './surroundings.ts';

/** Names of a product's processes, as `listProcesses` tells them: without folder and `.exe`, on Linux 15 characters. */
export const PROCESS_NAMES: Record<Product, RegExp> = {
  'docker-desktop': /^(com\.docker\.back.*|Docker Desktop)$/,
  'docker-engine': /^dockerd(-rootless.*)?$/,
  orbstack: /^OrbStack( Helper)?$/,
  colima: /^colima$/,
  'rancher-desktop': /^([Rr]ancher[ -][Dd]eskt.*)$/,
  podman: /^(gvproxy|win-sshproxy)$/,
};

/**
 * Where each product is when it is installed the usual way, the likeliest on the platform first. The folders are those
 * of the installers and of Homebrew (Apple silicon, Intel, Linux).
 */
export function installedPlaces(
  machine: Pick<Surroundings, 'platform' | 'env' | 'homeDirectory'>,
): { product: Product; paths: string[] }[] {
  const places = PLACES[machine.platform](machine);
  return PRODUCTS.map((product) => ({ product, paths: places[product] }));
}

type Machine = Pick<Surroundings, 'platform' | 'env' | 'homeDirectory'>;
type Places = Record<Product, string[]>;

const PLACES: Record<Machine['platform'], (machine: Machine) => Places> = {
  linux: (machine) => ({
    'docker-desktop': ['/opt/docker-desktop'],
    'docker-engine': [
      '/usr/bin/dockerd',
      '/usr/sbin/dockerd',
      '/usr/local/bin/dockerd',
      '/snap/bin/docker',
      // The script for rootless mode installs here.
      joinPath(machine, machine.homeDirectory, 'bin', 'dockerd'),
    ],
    orbstack: [],
    colima: ['/usr/local/bin/colima', '/home/linuxbrew/.linuxbrew/bin/colima'],
    'rancher-desktop': ['/opt/rancher-desktop', '/usr/bin/rancher-desktop'],
    podman: ['/usr/bin/podman', '/usr/local/bin/podman'],
  }),
  darwin: (machine) => {
    const app = (name: string): string[] => [
      `/Applications/${name}.app`,
      joinPath(machine, machine.homeDirectory, 'Applications', `${name}.app`),
    ];
    const command = (name: string): string[] => [`/opt/homebrew/bin/${name}`, `/usr/local/bin/${name}`];
    return {
      'docker-desktop': app('Docker'),
      'docker-engine': [],
      orbstack: app('OrbStack'),
      colima: command('colima'),
      'rancher-desktop': app('Rancher Desktop'),
      podman: ['/opt/podman/bin/podman', ...command('podman')],
    };
  },
  win32: (machine) => {
    const programs = variable(machine, 'ProgramFiles') ?? 'C:\\Program Files';
    const own =
      variable(machine, 'LOCALAPPDATA') ?? joinPath(machine, machine.homeDirectory, 'AppData', 'Local');
    return {
      'docker-desktop': [
        joinPath(machine, programs, 'Docker', 'Docker', 'Docker Desktop.exe'),
        joinPath(machine, own, 'Programs', 'DockerDesktop', 'Docker Desktop.exe'),
      ],
      'docker-engine': [joinPath(machine, programs, 'Docker', 'dockerd.exe')],
      orbstack: [],
      colima: [],
      'rancher-desktop': [
        joinPath(machine, programs, 'Rancher Desktop', 'Rancher Desktop.exe'),
        joinPath(machine, own, 'Programs', 'Rancher Desktop', 'Rancher Desktop.exe'),
      ],
      podman: [joinPath(machine, programs, 'RedHat', 'Podman', 'podman.exe')],
    };
  },
};
