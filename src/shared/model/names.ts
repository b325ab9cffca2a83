/** Every kind that presets, events, and reports name. */

/** Where the data directory is. */
export const STORAGE_KINDS = [
  'named-volume',
  'anonymous-volume',
  'bind-mount',
  'image-layer',
  'data-container',
  'volume-options',
  'tmpfs',
  /** Of a server on this machine without a container. */
  'native',
  /** Of a server that is not ours. */
  'external',
] as const;
export type StorageKind = (typeof STORAGE_KINDS)[number];

export type PlainStorageKind = 'native' | 'external';
const SERVER_IS_CONTAINER: { [K in StorageKind]: K extends PlainStorageKind ? false : true } = {
  'named-volume': true,
  'anonymous-volume': true,
  'bind-mount': true,
  'image-layer': true,
  'data-container': true,
  'volume-options': true,
  tmpfs: true,
  native: false,
  external: false,
};

export function isContainerStorage(kind: StorageKind): kind is Exclude<StorageKind, PlainStorageKind> {
  return SERVER_IS_CONTAINER[kind];
}

/** How the client reaches the server. */
export const PATH_KINDS = [
  'published-port',
  'host-network',
  'container-ip',
  'user-bridge',
  'shared-netns',
  'unix-socket',
  'overlay',
  'ingress',
  /** TCP to a native server on this machine. */
  'loopback',
  /** TCP to an external server. */
  'external',
] as const;
export type PathKind = (typeof PATH_KINDS)[number];

/** Named as sysbench's scripts; `oltp_complex` is 0.4's `--test=oltp` (5 writes). */
export const OLTP_KINDS = [
  'oltp_read_write',
  'oltp_read_only',
  'oltp_write_only',
  'oltp_point_select',
  'oltp_update_index',
  'oltp_update_non_index',
  'oltp_insert',
  'oltp_delete',
  'oltp_complex',
] as const;
export type OltpKind = (typeof OLTP_KINDS)[number];

/** sysbench's names. */
export const DISTRIBUTIONS = ['uniform', 'special', 'gaussian', 'pareto', 'zipfian'] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

export const DRIVER_KINDS = ['node', 'sysbench'] as const;
export type DriverKind = (typeof DRIVER_KINDS)[number];

export const FLAVOURS = ['mysql', 'percona', 'mariadb'] as const;
export type Flavour = (typeof FLAVOURS)[number];

/** Follows from the path. */
export const PLACEMENTS = ['host', 'container'] as const;
export type Placement = (typeof PLACEMENTS)[number];

export type Verdict = 'slower' | 'faster' | 'same' | 'unsettled';

export const RUNTIME_KINDS = [
  'docker-desktop',
  'docker-engine',
  'docker-rootless',
  'orbstack',
  'colima',
  'rancher-desktop',
  'lima',
  'podman',
  'unknown',
] as const;
export type RuntimeKind = (typeof RUNTIME_KINDS)[number];
