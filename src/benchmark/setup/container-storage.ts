import { posix } from 'node:path';
import { msg, type Message } from '../../shared/message.ts';
import type { StorageKind } from '../../shared/kinds/storages.ts';
import type { SetupService } from '../../shared/model/setup.ts';
import { sizeIn, storageOfOptions, tmpfsSpec } from '../../shared/setup/volume-options.ts';
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
      return storage('tmpfs', { spec: tmpfsSpec(sizeIn(mount.options)) });
    case 'volume': {
      const place = mount.Name ?? null;
      const { driver, options } = volumes.get(place ?? '') ?? {
        driver: mount.Driver ?? 'local',
        options: {},
      };
      if (driver !== 'local') {
        const read = storage('named-volume', { spec: null, place, driver });
        return { ...read, refusal: msg('compose.volumeDriver', { driver }) };
      }
      if (Object.keys(options).length > 0) {
        const { kind, spec, folder, refusal } = storageOfOptions(options);
        const read = storage(kind, { spec, place: folder ?? place, driver });
        return refusal === undefined
          ? read
          : { ...read, refusal: msg('compose.volumeOptions', { reason: refusal }) };
      }
      if (!ANONYMOUS.test(place ?? '')) return storage('named-volume', { place, driver });
      const isShared = (HostConfig.VolumesFrom ?? []).length > 0;
      return storage(isShared ? 'data-container' : 'anonymous-volume', { place, driver });
    }
    default: {
      const read = storage('named-volume', { spec: null });
      return { ...read, refusal: msg('compose.mountType') };
    }
  }
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
