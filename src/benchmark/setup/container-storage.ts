import { posix } from 'node:path';
import { msg, type Message } from '../../shared/message.ts';
import type { StorageKind } from '../../shared/kinds/storages.ts';
import type { StorageSpec } from '../../shared/model/server-spec.ts';
import type { SetupService } from '../../shared/model/setup.ts';
import { optionProblem } from '../../shared/preset/mount-options.ts';
import type { VolumeFacts } from '../runtime/container-runtime.ts';
import type { ExaminedContainer } from '../runtime/examined-container.ts';

type Storage = SetupService['storage'];

interface ReadStorage {
  storage: Storage;
  refusal: Message | null;
}

/** The engine gives volumes without a name one of these. */
const ANONYMOUS = /^[0-9a-f]{64}$/;

/** What holds the data directory: the mount nearest to it, or else the container's own layer. */
export function storageOf(
  { Mounts, HostConfig }: Pick<ExaminedContainer, 'Mounts' | 'HostConfig'>,
  datadir: string,
  volumes: ReadonlyMap<string, VolumeFacts>,
  platform: NodeJS.Platform,
): ReadStorage {
  const storage = (kind: StorageKind, more: Partial<Storage> = {}): ReadStorage => ({
    storage: { kind, spec: { kind }, place: null, driver: null, datadir, at: null, ...more },
    refusal: null,
  });
  const memory = Object.entries(HostConfig.Tmpfs ?? {}).map(([Destination, options]) => ({
    ...{ Type: 'tmpfs', Destination, Driver: null, Name: null, Source: null },
    options,
  }));
  const all = [...Mounts.map((mount) => ({ ...mount, options: '' })), ...memory];
  const mount = all
    .filter(({ Destination }) => holds(Destination, datadir))
    .sort((a, b) => b.Destination.length - a.Destination.length)[0];
  switch (mount?.Type) {
    case undefined:
      return storage('container-layer');
    case 'bind':
      return storage('bind-mount', { place: hostPath(mount.Source ?? '', platform) });
    case 'tmpfs':
      return storage('tmpfs', { spec: tmpfs(mount.options) });
    case 'volume': {
      const place = mount.Name ?? null;
      const { driver, options } = volumes.get(place ?? '') ?? {
        driver: mount.Driver ?? 'local',
        options: {},
      };
      if (driver !== 'local') {
        const read = storage('named-volume', { spec: null, place, driver });
        return { ...read, refusal: msg('mySetup.driver', { driver }) };
      }
      if (Object.keys(options).length > 0) return ofOptions({ place, driver, datadir, at: null }, options);
      if (!ANONYMOUS.test(place ?? '')) return storage('named-volume', { place, driver });
      const isShared = (HostConfig.VolumesFrom ?? []).length > 0;
      return storage(isShared ? 'data-container' : 'anonymous-volume', { place, driver });
    }
    default: {
      const read = storage('named-volume', { spec: null });
      return { ...read, refusal: msg('mySetup.mountType', { type: mount?.Type ?? '' }) };
    }
  }
}

/** Of a volume of Docker's own driver with options. Its folder or device may hold the user's data at its root. */
export function ofOptions(
  base: Omit<Storage, 'kind' | 'spec'>,
  { type = '', device = '', o = '' }: Record<string, string>,
): ReadStorage {
  const words = o.split(',').filter((word) => word !== '');
  if (type === 'tmpfs') return { storage: { ...base, kind: 'tmpfs', spec: tmpfs(o) }, refusal: null };
  if (words.includes('bind') || words.includes('rbind')) {
    return {
      storage: { ...base, kind: 'bind-mount', place: device, spec: { kind: 'bind-mount' } },
      refusal: null,
    };
  }
  const spec: StorageSpec = nfsOf(type, device, words) ?? {
    kind: 'volume-options',
    options: { type, device, ...(o === '' ? {} : { o }) },
  };
  const problem = optionProblem(spec);
  return problem === undefined
    ? { storage: { ...base, kind: spec.kind, spec }, refusal: null }
    : {
        storage: { ...base, kind: spec.kind, spec: null },
        refusal: msg('mySetup.volumeOptions', { problem: msg(problem.code, problem.params) }),
      };
}

const NFS_VERSIONS = ['3', '4', '4.0', '4.1', '4.2'] as const;

/** Undefined if it says more than the kind `nfs` can. */
function nfsOf(type: string, device: string, words: readonly string[]): StorageSpec | undefined {
  if (!/^nfs4?$/.test(type)) return undefined;
  const value = (...names: string[]): string | undefined =>
    words.find((word) => names.some((name) => word.startsWith(`${name}=`)))?.replace(/^[^=]*=/, '');
  const [, host = '', path = ''] = /^([^/]*):(\/.*)$/.exec(device) ?? [];
  const address = value('addr') ?? host;
  const wanted = value('nfsvers', 'vers') ?? (type === 'nfs4' ? '4.2' : undefined);
  const version = NFS_VERSIONS.find((one) => one === wanted);
  const isKnown = words.every((word) => /^(?:addr=.*|rw|(?:nfs)?vers=.*|soft|hard|nolock|lock)$/.test(word));
  if (!isKnown || version === undefined || address === '' || path === '') return undefined;
  const [soft, lock] = [words.includes('soft'), !words.includes('nolock')];
  return { kind: 'nfs', nfs: { address, path, version, soft, lock } };
}

function tmpfs(options: string): StorageSpec {
  const [, digits, unit = ''] = /(?:^|,)size=(\d+)([kmg]?)/i.exec(options) ?? [];
  const factor = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }[unit.toLowerCase()] ?? 1;
  const sizeMiB = digits === undefined ? 0 : Math.floor((Number(digits) * factor) / 2 ** 20);
  return sizeMiB < 1 ? { kind: 'tmpfs' } : { kind: 'tmpfs', sizeMiB };
}

function holds(folder: string, path: string): boolean {
  const plain = posix.normalize(folder).replace(/(?<=.)\/$/, '');
  return plain === '/' || path === plain || path.startsWith(`${plain}/`);
}

/**
 * The folder on this machine of a source that the engine names by its virtual machine's path: `/host_mnt/Users/ada` of
 * Docker Desktop on a Mac; `/run/desktop/mnt/host/c/db`, `/mnt/host/c/db`, or `/c/db` on Windows.
 */
export function hostPath(source: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const [, drive, rest = ''] =
      /^(?:\/run\/desktop\/mnt\/host|\/host_mnt|\/mnt\/host)?\/([a-z])(\/.*)?$/i.exec(source) ?? [];
    return drive === undefined ? source : `${drive.toUpperCase()}:${rest.replaceAll('/', '\\') || '\\'}`;
  }
  return platform === 'darwin' ? source.replace(/^\/host_mnt(?=\/)/, '') : source;
}
