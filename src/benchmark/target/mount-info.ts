/** File system that holds `path`, read from the text of /proc/self/mountinfo; undefined when no mount fits. */
export function fileSystemOf(mountInfo: string, path: string): string | undefined {
  let best: { point: string; type: string } | undefined;
  for (const line of mountInfo.split('\n')) {
    // "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw" (man 5 proc_pid_mountinfo)
    const [left, right] = line.split(' - ');
    const point = left?.split(' ')[4]?.replace(/\\040/g, ' ');
    const type = right?.split(' ')[0];
    if (point === undefined || type === undefined) continue;
    const holds = point === '/' || path === point || path.startsWith(`${point}/`);
    // Later lines lie over earlier ones at the same point.
    if (holds && (best === undefined || point.length >= best.point.length)) best = { point, type };
  }
  return best?.type;
}
