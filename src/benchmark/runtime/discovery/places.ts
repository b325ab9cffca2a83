import { joinPath, variable, type Surroundings } from './surroundings.ts';

export interface Place {
  label: string;
  path: string;
}

/** Podman's Mac socket: under TMPDIR since 5.0, before below the home directory (containers/podman#14231). */
export function wellKnownPlaces(surroundings: Surroundings): Place[] {
  if (surroundings.platform === 'win32') return windowsPipes();
  return surroundings.platform === 'darwin' ? macSockets(surroundings) : linuxSockets(surroundings);
}

function windowsPipes(): Place[] {
  return [
    { label: 'Docker Desktop pipe', path: '//./pipe/dockerDesktopLinuxEngine' },
    { label: 'Podman machine pipe', path: '//./pipe/podman-machine-default' },
  ];
}

function macSockets(surroundings: Surroundings): Place[] {
  const home = (...segments: string[]): string =>
    joinPath(surroundings, surroundings.homeDirectory, ...segments);
  const temporary = variable(surroundings, 'TMPDIR') ?? '/tmp';
  return [
    { label: 'Docker Desktop socket', path: home('.docker', 'run', 'docker.sock') },
    { label: 'OrbStack socket', path: home('.orbstack', 'run', 'docker.sock') },
    ...colimaSockets(surroundings),
    { label: 'Rancher Desktop socket', path: home('.rd', 'docker.sock') },
    ...limaSockets(surroundings),
    {
      label: 'Podman machine socket',
      path: joinPath(surroundings, temporary, 'podman', 'podman-machine-default-api.sock'),
    },
    {
      label: 'Podman machine socket (older)',
      path: home('.local', 'share', 'containers', 'podman', 'machine', 'podman.sock'),
    },
  ];
}

function linuxSockets(surroundings: Surroundings): Place[] {
  const home = (...segments: string[]): string =>
    joinPath(surroundings, surroundings.homeDirectory, ...segments);
  const runtimeDirectory = variable(surroundings, 'XDG_RUNTIME_DIR');
  const directories = [
    ...(runtimeDirectory === undefined ? [] : [runtimeDirectory]),
    // sudo and cron have no XDG_RUNTIME_DIR.
    ...(surroundings.uid === undefined ? [] : [`/run/user/${surroundings.uid}`]),
  ];
  const unique = [...new Set(directories)];
  return [
    ...unique.map((directory) => ({
      label: 'Rootless Docker socket',
      path: joinPath(surroundings, directory, 'docker.sock'),
    })),
    { label: 'Rootless Docker socket (without systemd)', path: home('.docker', 'run', 'docker.sock') },
    { label: 'Docker Desktop socket', path: home('.docker', 'desktop', 'docker.sock') },
    ...unique.map((directory) => ({
      label: 'Rootless Podman socket',
      path: joinPath(surroundings, directory, 'podman', 'podman.sock'),
    })),
    { label: 'Podman socket', path: '/run/podman/podman.sock' },
    { label: 'Rancher Desktop socket', path: home('.rd', 'docker.sock') },
    ...colimaSockets(surroundings),
    ...limaSockets(surroundings),
  ];
}

function colimaHomes(surroundings: Surroundings): string[] {
  const own = variable(surroundings, 'COLIMA_HOME');
  const xdg =
    variable(surroundings, 'XDG_CONFIG_HOME') ??
    joinPath(surroundings, surroundings.homeDirectory, '.config');
  return [
    ...(own === undefined ? [] : [own]),
    joinPath(surroundings, surroundings.homeDirectory, '.colima'),
    joinPath(surroundings, xdg, 'colima'),
  ];
}

function colimaSockets(surroundings: Surroundings): Place[] {
  const homes = colimaHomes(surroundings);
  const usual = joinPath(surroundings, surroundings.homeDirectory, '.colima', 'default');
  const profiles = homes.flatMap((home) =>
    surroundings
      .listDirectory(home)
      // `_lima`, `_store`, and the like are Colima's own.
      .filter((name) => !/^[._]/.test(name) && !name.includes('.'))
      .map((name) => joinPath(surroundings, home, name)),
  );
  return [...new Set([usual, ...profiles])].map((directory) => ({
    label: 'Colima socket',
    path: joinPath(surroundings, directory, 'docker.sock'),
  }));
}

function limaHome(surroundings: Surroundings): string {
  return variable(surroundings, 'LIMA_HOME') ?? joinPath(surroundings, surroundings.homeDirectory, '.lima');
}

function limaSockets(surroundings: Surroundings): Place[] {
  const machines = surroundings.listDirectory(limaHome(surroundings)).filter((name) => !/^[._]/.test(name));
  return [...new Set(['docker', ...machines])].map((machine) => ({
    label: 'Lima socket',
    path: joinPath(surroundings, limaHome(surroundings), machine, 'sock', 'docker.sock'),
  }));
}
