import { createHash } from 'node:crypto';
import { parseEndpoint } from '../runtime/engine/endpoints.ts';
import type { Platform } from '../runtime/discovery/surroundings.ts';

/** Names that discovery looks for; any other part of a path is private. */
const KNOWN = new Set([
  ...['', '.', 'Users', 'home', 'root', 'mnt', 'c', 'var', 'run', 'tmp', 'private', 'folders', 'T', 'user'],
  ...['Library', 'Group Containers', 'group.com.docker', 'Preferences', 'AppData', 'Roaming', 'Docker'],
  ...['.docker', 'docker', 'desktop', 'docker.sock', 'config.json', 'contexts', 'meta', 'tls', 'meta.json'],
  ...['settings-store.json', 'settings.json', 'ca.pem', 'cert.pem', 'key.pem', '.orbstack', '.rd', '.config'],
  ...['.colima', 'colima', 'colima.yaml', '.lima', 'lima', 'lima.yaml', 'sock', '.local', 'share', 'snap'],
  ...['containers', 'podman', 'machine', 'podman.sock', 'podman-machine-default-api.sock', 'pipe'],
  ...['docker_engine', 'dockerDesktopLinuxEngine', 'podman-machine-default', 'localhost', '::1'],
  ...['default', 'rootless', 'desktop-linux', 'desktop-windows', 'orbstack', 'rancher-desktop'],
  ...['docker-desktop', 'lima-rancher-desktop', 'podman-machine-default-root'],
]);

export class StandIns {
  readonly #platform: Platform;
  readonly #names = new Map<string, string>();
  readonly #contexts = new Map<string, string>();

  constructor(platform: Platform, homeDirectory: string, uid: number | undefined) {
    this.#platform = platform;
    const user = homeDirectory.split(/[\\/]/).at(-1) ?? '';
    if (!KNOWN.has(user)) this.#names.set(user, 'ada');
    if (uid !== undefined) this.#names.set(String(uid), String(this.uid(uid)));
  }

  get hidden(): string[] {
    return [...this.#names.keys()].filter((name) => /\D/.test(name));
  }

  uid(uid: number): number {
    if (uid === 0) return 0;
    return this.#platform === 'darwin' ? 501 : 1000;
  }

  readonly name = (name: string): string => {
    if (KNOWN.has(name) || /^([a-z]:|127\.[\d.]+)$/i.test(name)) return name;
    const standIn = this.#names.get(name) ?? `name-${this.#names.size + 1}`;
    this.#names.set(name, standIn);
    return standIn;
  };

  context(name: string): string {
    const standIn = this.name(name);
    this.#contexts.set(hash(name), hash(standIn));
    return standIn;
  }

  /** Needs all contexts: their folders are named by hashes. */
  path(path: string): string {
    return path.replace(/[^\\/]+/g, (part) =>
      /^[0-9a-f]{64}$/.test(part) ? (this.#contexts.get(part) ?? hash(this.name(part))) : this.name(part),
    );
  }

  machine(name: string): string {
    const [, product, profile] = /^(colima|lima)-(.+)$/.exec(KNOWN.has(name) ? '' : name) ?? [];
    return profile === undefined ? this.name(name) : `${product}-${this.name(profile)}`;
  }

  endpoint(text: string): string {
    if (text === '') return '';
    try {
      const connection = parseEndpoint(text, this.#platform);
      const scheme = /^\w+:\/\//.exec(text)?.[0] ?? 'tcp://';
      if (connection.kind === 'socket') return scheme + this.path(connection.path);
      const host = this.name(connection.host);
      const place = host.includes(':') ? `[${host}]` : host;
      const port = connection.port === undefined ? '' : `:${connection.port}`;
      if (connection.kind === 'tcp') return scheme + place + port;
      const user = connection.user === undefined ? '' : `${this.name(connection.user)}@`;
      return scheme + user + place + port + this.path(connection.socketPath ?? '');
    } catch {
      return 'unsupported://left-out';
    }
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
