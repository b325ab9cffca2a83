import type { DockerFacts, Product } from '../model/docker-facts.ts';

type Platform = DockerFacts['platform'];

/** Products as they call themselves. */
export const PRODUCT_NAMES: Record<Product, string> = {
  'docker-desktop': 'Docker Desktop',
  'docker-engine': 'Docker Engine',
  orbstack: 'OrbStack',
  colima: 'Colima',
  'rancher-desktop': 'Rancher Desktop',
  podman: 'Podman',
};

/** What starts a product; on Windows for PowerShell. */
export function startCommand(
  product: Product,
  platform: Platform,
  services: DockerFacts['services'],
): string {
  switch (product) {
    case 'docker-desktop':
      return {
        darwin: 'open -a Docker',
        win32: '& "$Env:ProgramFiles\\Docker\\Docker\\Docker Desktop.exe"',
        linux: 'systemctl --user start docker-desktop',
      }[platform];
    case 'docker-engine':
      return engineService('start', platform, services);
    case 'orbstack':
      return 'open -a OrbStack';
    case 'colima':
      return 'colima start';
    case 'rancher-desktop':
      return {
        darwin: 'open -a "Rancher Desktop"',
        win32: '& "$Env:LOCALAPPDATA\\Programs\\Rancher Desktop\\Rancher Desktop.exe"',
        linux: 'rancher-desktop',
      }[platform];
    case 'podman':
      return platform === 'linux' ? 'systemctl --user enable --now podman.socket' : 'podman machine start';
  }
}

/** What takes a product down and starts it again, or null where it has no command for that. */
export function restartCommand(
  product: Product,
  platform: Platform,
  services: DockerFacts['services'],
): string | null {
  switch (product) {
    case 'docker-desktop':
      // Docker Desktop 4.37 and later.
      return 'docker desktop restart';
    case 'docker-engine':
      return engineService('restart', platform, services);
    case 'orbstack':
      return 'orb restart docker';
    case 'colima':
      return 'colima restart';
    case 'rancher-desktop':
      return 'rdctl shutdown && rdctl start';
    case 'podman':
      return platform === 'linux'
        ? 'systemctl --user restart podman.socket'
        : 'podman machine stop; podman machine start';
  }
}

function engineService(
  action: 'start' | 'restart',
  platform: Platform,
  services: DockerFacts['services'],
): string {
  if (platform === 'win32') return `${action === 'start' ? 'Start' : 'Restart'}-Service docker`;
  return {
    systemd: `sudo systemctl ${action} docker`,
    snap: `sudo snap ${action} docker`,
    other: `sudo service docker ${action}`,
  }[services];
}
