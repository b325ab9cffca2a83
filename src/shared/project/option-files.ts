import { msg } from '../message.ts';
import { hostPath, type ComposeInput, type Texts } from './input.ts';
import { isWithin, normalPath, type ComposeMount } from './storage.ts';
import { entryOf, itemsOf, type At, type Mapping, type Notes, type Tree } from './tree.ts';

/**
 * In a server's order. Sources: MySQL Reference Manual and MariaDB Server documentation, "Option files"; the
 * Dockerfiles of the official images (MariaDB's reads conf.d last), DDEV, LinuxServer.io, and Bitnami.
 */
export const OPTION_PLACES: readonly string[] = [
  '/etc/my.cnf',
  '/etc/my.cnf.d',
  '/etc/mysql/my.cnf',
  '/etc/mysql/mariadb.cnf',
  '/etc/mysql/mysql.cnf',
  '/etc/mysql/mariadb.conf.d',
  '/etc/percona-server.conf.d',
  '/etc/mysql/percona-server.conf.d',
  '/etc/mysql/conf.d',
  '/etc/mysql/mysql.conf.d',
  '/mnt/ddev_config/mysql',
  '/config/custom.cnf',
  ...['mysql', 'mariadb'].flatMap((server) =>
    ['my.cnf', 'my_custom.cnf', 'bitnami/my_custom.cnf'].map((name) => `/opt/bitnami/${server}/conf/${name}`),
  ),
];

interface OptionFile {
  /** In the container. */
  target: string;
  path: string;
}

/** Bind mounts and `configs`; folders are listed. */
export function configFilesOf(
  service: Mapping,
  mounts: readonly ComposeMount[],
  configs: Tree | undefined,
  input: ComposeInput,
  texts: Texts,
  notes: Notes,
): string[] {
  const found = [
    ...mounts.flatMap((mount) =>
      mount.kind === 'bind' && mount.source !== null
        ? filesAt(mount.target, mount.source, mount.at, input, texts, notes)
        : [],
    ),
    ...givenConfigs(service, configs, input, notes),
  ];
  return inServerOrder(found);
}

/** Paths of those that it reads; of two at one place the last. */
export function inServerOrder(files: readonly OptionFile[]): string[] {
  const known = files.filter(({ target }) => rankOf(target) < OPTION_PLACES.length);
  const byTarget = new Map(known.map((file) => [file.target, file]));
  return [...byTarget.values()]
    .sort((a, b) => rankOf(a.target) - rankOf(b.target) || (a.target < b.target ? -1 : 1))
    .map(({ path }) => path);
}

function rankOf(target: string): number {
  const at = OPTION_PLACES.findIndex(
    (place) => target === place || (isWithin(target, place) && /\.cnf$/.test(target)),
  );
  return at === -1 ? OPTION_PLACES.length : at;
}

function filesAt(
  target: string,
  path: string,
  at: At,
  input: ComposeInput,
  texts: Texts,
  notes: Notes,
): OptionFile[] {
  const concerns =
    OPTION_PLACES.some((place) => isWithin(target, place) || isWithin(place, target)) && target !== '/';
  if (!concerns || target === '/etc') return [];
  const found = texts.at(path);
  if (found === undefined) return [];
  if (found.kind === 'text') return [{ target, path }];
  if (found.kind === 'unread') {
    if (rankOf(target) < OPTION_PLACES.length)
      notes.warn(at, msg('compose.configFile', { reason: found.reason }));
    return [];
  }
  return found.names
    .map((name) => ({ target: normalPath(`${target}/${name}`), path: input.resolve(path, name) }))
    .flatMap((file) => {
      if (file.target.endsWith('.cnf')) return [file];
      // The whole of /etc/mysql.
      return OPTION_PLACES.includes(file.target)
        ? filesAt(file.target, file.path, at, input, texts, notes)
        : [];
    });
}

function givenConfigs(
  service: Mapping,
  configs: Tree | undefined,
  input: ComposeInput,
  notes: Notes,
): OptionFile[] {
  return itemsOf(entryOf(service, 'configs')).flatMap((item) => {
    const name = notes.text(item.kind === 'map' ? entryOf(item, 'source') : item);
    const target = normalPath(notes.text(entryOf(item, 'target')) ?? `/${name ?? ''}`);
    if (name === undefined || rankOf(target) === OPTION_PLACES.length) return [];
    const file = entryOf(configs, name, 'file');
    const path = notes.text(file);
    if (file === undefined || path === undefined) {
      notes.warn(item.at, msg('compose.configContent', { name }));
      return [];
    }
    return [{ target, path: hostPath(path, file.at, input) }];
  });
}
