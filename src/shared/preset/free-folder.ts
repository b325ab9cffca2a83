/**
 * Which folders of the engine's machine a preset may mount, judged by the path's text, since a remote engine or VM
 * tells no more. Ignores case.
 */

/** The system itself, mounted into a container that runs as root. */
const SYSTEM = [
  // With all below.
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|libx32|ostree|proc|sbin|snap|sys|sysroot|usr|System|Library)(?:\/|$)/iu,
  /^\/(?:private\/etc|private\/var\/db|var\/(?:lib|log|run|cache|spool|lock|mail))(?:\/|$)/iu,
  // Removable disks are below /run/media.
  /^\/run(?!\/media\/.)(?:\/|$)/iu,
  /^\/(?:var|private|private\/var)\/?$/iu,
  // Snapshots and trash.
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

/** Whether an absolute path belongs to a user or the system. */
export function isTakenFolder(path: string): boolean {
  return path === '/' || [...SYSTEM, ...SOMEBODYS].some((one) => one.test(path));
}

/** Whether an absolute path is or lies in a user's home. */
export function isSomebodysFolder(path: string): boolean {
  return SOMEBODYS.some((one) => one.test(path));
}
