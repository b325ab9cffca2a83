/**
 * Which folders of the engine's machine a preset may name to be mounted, judged by the words of the path alone: where
 * the engine is elsewhere or in a virtual machine, nothing more is known. Upper and lower case are the same to some of
 * those.
 */

/** What would be the system itself, mounted whole into a container that runs as root there. */
const SYSTEM = [
  // Themselves and all below.
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|libx32|ostree|proc|sbin|snap|sys|sysroot|usr|System|Library)(?:\/|$)/iu,
  /^\/(?:private\/etc|private\/var\/db|var\/(?:lib|log|run|cache|spool|lock|mail))(?:\/|$)/iu,
  // Removable disks are below /run/media.
  /^\/run(?!\/media\/.)(?:\/|$)/iu,
  // What lies below is its user's.
  /^\/(?:var|private|private\/var)\/?$/iu,
  // Snapshots of the system, and what is in the bin.
  /^\/\./u,
];

/** Homes, and folders through which a virtual machine shows the machine around it; with all that is below. */
const SOMEBODYS = [
  /^\/(?:root|home|Users|var\/home|var\/roothome|private\/var\/root)(?:\/|$)/iu,
  /^\/(?:host_mnt|mnt\/(?:host|mac|wslg))(?:\/|$)/iu,
  // Drives of Windows: where it is, and homes and programs on any.
  /^\/mnt\/c\/?$/iu,
  /^\/mnt\/[a-z]\/(?:Users|Documents and Settings|Windows|Program Files[^/]*|ProgramData)(?:\/|$)/iu,
];

/** Whether an absolute path is somebody's home, lies in one, or belongs to the system. */
export function isTakenFolder(path: string): boolean {
  return path === '/' || [...SYSTEM, ...SOMEBODYS].some((one) => one.test(path));
}

/** Whether an absolute path is somebody's home, or lies in one. */
export function isSomebodysFolder(path: string): boolean {
  return SOMEBODYS.some((one) => one.test(path));
}
