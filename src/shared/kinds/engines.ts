/** Engines as they describe themselves. */
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
