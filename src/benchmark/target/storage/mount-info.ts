/** A mounted file system. */
export interface Mount {
  /** Where it is mounted. */
  point: string;
  /** As mount(8) names it. */
  type: string;
  /** What is mounted: a device, a share. */
  source: string;
  /** Number of the device, "major:minor", where the table tells it. */
  number?: string;
}

/** The mounts of /proc/self/mountinfo; later ones lie over earlier ones at the same point. */
export function parseMountInfo(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    // "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw" (man 5 proc_pid_mountinfo)
    const [left = '', right = ''] = line.split(' - ');
    const [, , number = '', , point] = left.split(' ');
    const [type, source = ''] = right.split(' ');
    return point === undefined || type === undefined || type === ''
      ? []
      : [{ point: unescaped(point), type, source: unescaped(source), number }];
  });
}

/** What macOS's mount(8) prints: "//me@nas/share on /Volumes/share (smbfs, nodev, nosuid)". */
export function parseMacMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, source, point, type] = /^(.*?) on (\/.*) \(([^,)]+)[^)]*\)$/.exec(line) ?? [];
    return source === undefined || point === undefined || type === undefined ? [] : [{ point, type, source }];
  });
}

/** The mount that holds `path`; undefined when none does. */
export function mountOf(mounts: readonly Mount[], path: string): Mount | undefined {
  let best: Mount | undefined;
  for (const mount of mounts) {
    const { point } = mount;
    const holds = point === '/' || path === point || path.startsWith(`${point}/`);
    if (holds && (best === undefined || point.length >= best.point.length)) best = mount;
  }
  return best;
}

/** File system that holds `path`, read from the text of /proc/self/mountinfo; undefined when no mount fits. */
export function fileSystemOf(mountInfo: string, path: string): string | undefined {
  return mountOf(parseMountInfo(mountInfo), path)?.type;
}

/** Space, tab, newline and backslash stand as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));
}

/**
 * Whether a path of Windows leads to another computer (\\server\share): even to ask whether it is there logs in over
 * there, so that no path that a stranger may have written is asked. Elsewhere shares are mounted by their user.
 */
export function isNetworkShare(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && /^[\\/]{2}/.test(path);
}
