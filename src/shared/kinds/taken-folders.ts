/** The system itself, mounted into a container that runs as root. */
const SYSTEM = [
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|libx32|ostree|proc|sbin|snap|sys|sysroot|usr|System|Library)(?:\/|$)/iu,
  /^\/(?:private\/etc|private\/var\/db|var\/(?:lib|log|run|cache|spool|lock|mail))(?:\/|$)/iu,
  /^\/run(?!\/media\/.)(?:\/|$)/iu,
  /^\/(?:var|private|private\/var)\/?$/iu,
  /^\/\./u,
];

/** Homes, and folders through which a VM shows its host, with all below. */
const SOMEBODYS = [
  /^\/(?:root|home|Users|var\/home|var\/roothome|private\/var\/root)(?:\/|$)/iu,
  /^\/(?:host_mnt|mnt\/(?:host|mac|wslg))(?:\/|$)/iu,
  // Drives of Windows: its own, and homes and programs on any.
  /^\/mnt\/c\/?$/iu,
  /^\/mnt\/[a-z]\/(?:Users|Documents and Settings|Windows|Program Files[^/]*|ProgramData)(?:\/|$)/iu,
];

/** Judged by the path's text, since a remote engine or VM tells no more. */
export function isTakenFolder(path: string): boolean {
  return path === '/' || [...SYSTEM, ...SOMEBODYS].some((one) => one.test(path));
}
