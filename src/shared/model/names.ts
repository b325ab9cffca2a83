/**
 * The words of the field, once: every kind of thing that a preset, an event or a report can name.
 */

/** Where the datadir lives. */
export const STORAGE_KINDS = ['named-volume', 'bind-mount', 'image-layer', 'tmpfs'] as const;
export type StorageKind = (typeof STORAGE_KINDS)[number];

/** How the client reaches the server. */
export const PATH_KINDS = ['published-port', 'user-bridge', 'host-network'] as const;
export type PathKind = (typeof PATH_KINDS)[number];

/** Statement mixes, named as sysbench names its scripts. */
export const WORKLOAD_KINDS = ['oltp_read_write', 'oltp_read_only'] as const;

/** What produces the load. */
export const DRIVER_KINDS = ['node'] as const;

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
