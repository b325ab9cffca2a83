/**
 * The words of the field, once: every kind of thing that a preset, an event or a report can name.
 */

/** Where the datadir lives. */
export const STORAGE_KINDS = [
  'named-volume',
  'anonymous-volume',
  'bind-mount',
  'image-layer',
  'data-container',
  'volume-options',
  'tmpfs',
  /** The datadir of a server that runs on this machine without a container. */
  'native',
  /** Wherever a server that is not ours keeps its data. */
  'external',
] as const;
export type StorageKind = (typeof STORAGE_KINDS)[number];

/** Storages whose server is no container. */
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

/** Whether the server on a storage runs in a container. */
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
  /** TCP to the address of an external server. */
  'external',
] as const;
export type PathKind = (typeof PATH_KINDS)[number];

/** Statement mixes, named as sysbench names its scripts; `oltp_complex` is what 0.4 ran as `--test=oltp` (5 writes). */
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

/** How row ids are drawn, with sysbench's names. */
export const DISTRIBUTIONS = ['uniform', 'special', 'gaussian', 'pareto', 'zipfian'] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

/** What produces the load. */
export const DRIVER_KINDS = ['node', 'sysbench'] as const;
export type DriverKind = (typeof DRIVER_KINDS)[number];

export const FLAVOURS = ['mysql', 'percona', 'mariadb'] as const;
export type Flavour = (typeof FLAVOURS)[number];

/** Where the load client runs; it follows from the path. */
export const PLACEMENTS = ['host', 'container'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** What a comparison with the baseline comes to. */
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
