/** Folders of the system, which a root container could damage. */
const SYSTEM = [
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|libx32|ostree|proc|sbin|snap|sys|sysroot|usr|System|Library)(?:\/|$)/iu,
  /^\/(?:private\/etc|private\/var\/db|var\/(?:lib|log|run|cache|spool|lock|mail))(?:\/|$)/iu,
  /^\/run(?!\/media\/.)(?:\/|$)/iu,
  /^\/(?:var|private|private\/var)\/?$/iu,
  /^\/\./u,
];

/** Homes, and a VM's folders of its host, with all below. */
const USERS = [
  /^\/(?:root|home|Users|var\/home|var\/roothome|private\/var\/root)(?:\/|$)/iu,
  /^\/(?:host_mnt|mnt\/(?:host|mac|wslg))(?:\/|$)/iu,
  // WSL's drive of Windows itself, and homes and programs on any drive.
  /^\/mnt\/c\/?$/iu,
  /^\/mnt\/[a-z]\/(?:Users|Documents and Settings|Windows|Program Files[^/]*|ProgramData)(?:\/|$)/iu,
];

/** Only the path's text is known of a remote engine or VM. */
export function isTakenFolder(path: string): boolean {
  return path === '/' || [...SYSTEM, ...USERS].some((one) => one.test(path));
}
