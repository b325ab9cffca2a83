import { msg } from '../message.ts';
import { baseOf } from './file-names.ts';
import type { ComposeModel, ComposeService } from './model.ts';
import type { Notes } from './notes.ts';
import { isWithin, normalPath, type Mount } from './storage.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Option files in a server's order. Sources: MySQL Reference Manual and MariaDB Server documentation, "Option
 * files"; the Dockerfiles of the official images (MariaDB's reads conf.d last), DDEV, LinuxServer.io, and
 * Bitnami.
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
  target: string;
  path: string;
}

export async function configFilesOf(
  service: ComposeService,
  mounts: readonly Pick<Mount, 'kind' | 'source' | 'target'>[],
  { model, find }: Pick<Surroundings, 'model' | 'find'>,
  notes: Notes,
): Promise<string[]> {
  const found: OptionFile[] = [];
  for (const { kind, source, target } of mounts) {
    if (kind === 'bind' && source !== null) found.push(...(await filesAt(target, source, find, notes)));
  }
  return inServerOrder([...found, ...givenConfigs(service, model, notes)]);
}

/** The later of two at one place counts. */
function inServerOrder(files: readonly OptionFile[]): string[] {
  const known = files.filter(({ target }) => rankOf(target) < OPTION_PLACES.length);
  const byTarget = new Map(known.map((file) => [file.target, file]));
  return [...byTarget.values()]
    .sort((a, b) => rankOf(a.target) - rankOf(b.target) || (a.target < b.target ? -1 : 1))
    .map(({ path }) => path);
}

/** Options may be read from, inside, or around this path. */
export function isOptionPlace(path: string): boolean {
  const target = normalPath(path);
  const isNear = OPTION_PLACES.some((place) => isWithin(target, place) || isWithin(place, target));
  return isNear && target !== '/' && target !== '/etc';
}

function rankOf(target: string): number {
  const at = OPTION_PLACES.findIndex(
    (place) => target === place || (isWithin(target, place) && /\.cnf$/.test(target)),
  );
  return at === -1 ? OPTION_PLACES.length : at;
}

async function filesAt(
  target: string,
  path: string,
  find: Surroundings['find'],
  notes: Notes,
): Promise<OptionFile[]> {
  if (!isOptionPlace(target)) return [];
  const found = await find(path);
  if (found.kind === 'text') return [{ target, path }];
  if (found.kind === 'unread') {
    if (rankOf(target) < OPTION_PLACES.length)
      notes.warn(msg('compose.configFile', { file: baseOf(path), reason: found.reason }));
    return [];
  }
  const files: OptionFile[] = [];
  for (const name of found.names) {
    const file = { target: normalPath(`${target}/${name}`), path: `${path}/${name}` };
    if (file.target.endsWith('.cnf')) files.push(file);
    // A mount of the whole /etc/mysql has more such folders.
    else if (OPTION_PLACES.includes(file.target))
      files.push(...(await filesAt(file.target, file.path, find, notes)));
  }
  return files;
}

function givenConfigs(
  { configs: given }: ComposeService,
  { configs }: ComposeModel,
  notes: Notes,
): OptionFile[] {
  return (given ?? []).flatMap(({ source, target }) => {
    const place = normalPath(target ?? `/${source}`);
    if (rankOf(place) === OPTION_PLACES.length) return [];
    const path = configs?.[source]?.file ?? undefined;
    if (path !== undefined) return [{ target: place, path }];
    notes.warn(msg('compose.configContent', { name: source }));
    return [];
  });
}
