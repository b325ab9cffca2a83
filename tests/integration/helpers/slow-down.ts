import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { docker } from './docker-server.ts';

/** Lets a container write only so many times a second to the disk that holds a path of it. */
export async function throttleWrites(
  containerId: string,
  path: string,
  perSecond: number,
  engine = docker,
): Promise<void> {
  const pid = await engine('inspect', '--format', '{{.State.Pid}}', containerId);
  const device = diskOf(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'), path);
  const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8').split('\n');
  const v1 = groups.map((line) => /^\d+:(?:.*,)?blkio(?:,.*)?:(.+)$/.exec(line)?.[1]).find(Boolean);
  const v2 = groups.map((line) => /^0::(.+)$/.exec(line)?.[1]).find(Boolean) ?? '/';
  if (v1 !== undefined) {
    const file = join('/sys/fs/cgroup/blkio', v1, 'blkio.throttle.write_iops_device');
    writeFileSync(file, `${device} ${perSecond}`);
  } else writeFileSync(join('/sys/fs/cgroup', v2, 'io.max'), `${device} wiops=${perSecond}`);
}

/** "254:0" of the whole disk: limits are not for partitions. */
function diskOf(mountInfo: string, path: string): string {
  const mounts = mountInfo.split('\n').map((line) => line.split(' '));
  const found = mounts
    .filter((fields) => path === fields[4] || path.startsWith(`${fields[4]}/`) || fields[4] === '/')
    .sort((a, b) => (b[4]?.length ?? 0) - (a[4]?.length ?? 0))[0];
  const device = found?.[2];
  if (device === undefined) throw new Error(`no mount holds ${path}`);
  const parent = join(dirname(realpathSync(`/sys/dev/block/${device}`)), 'dev');
  return existsSync(parent) ? readFileSync(parent, 'utf8').trim() : device;
}

/** A TCP forwarder to a port of this machine that holds every piece back for so many ms, either way. */
export async function delayingForwarder(toPort: number, delayMs: number) {
  const open = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(toPort, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      from.on('data', (bytes) => setTimeout(() => to.destroyed || to.write(bytes), delayMs));
      from.on('error', () => undefined);
      from.on('close', () => {
        open.delete(from);
        setTimeout(() => to.end(), delayMs);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    close: async (): Promise<void> => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
