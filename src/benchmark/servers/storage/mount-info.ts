export interface Mount {
  point: string;
  type: string;
  source: string;
  number?: string;
}

/** Later mounts cover earlier ones. */
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

/** macOS's mount(8): "//me@nas/share on /Volumes/share (smbfs, nodev, nosuid)". */
export function parseMacMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, source, point, type] = /^(.*?) on (\/.*) \(([^,)]+)[^)]*\)$/.exec(line) ?? [];
    return source === undefined || point === undefined || type === undefined ? [] : [{ point, type, source }];
  });
}

export function mountOf(mounts: readonly Mount[], path: string): Mount | undefined {
  let best: Mount | undefined;
  for (const mount of mounts) {
    const { point } = mount;
    const holds = point === '/' || path === point || path.startsWith(`${point}/`);
    if (holds && (best === undefined || point.length >= best.point.length)) best = mount;
  }
  return best;
}

export function fileSystemOf(mountInfo: string, path: string): string | undefined {
  return mountOf(parseMountInfo(mountInfo), path)?.type;
}

/** Space, tab, newline, and backslash are octal. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));
}

/** Even looking at a network share logs in there. */
export function isNetworkShare(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && /^[\\/]{2}/.test(path);
}
