import type { Flavor } from '../model/names.ts';

export interface ServerImage {
  /** Null: a server of an unknown flavor. */
  flavor: Flavor | null;
  datadir: string;
  volume: string | null;
  /** A server with synchronous replication. */
  isCluster: boolean;
  /** The publisher declares the data directory a volume. */
  isOfficial: boolean;
  /** The image starts its server in an unknown way. */
  startsItself: boolean;
  /** Null: the image is official, or a registry's copy. */
  official: string | null;
}

/** Owners of official images and copies; empty: Docker's own. */
const PUBLISHERS =
  /^(?:|library|mysql|mariadb|percona|(?:arm|amd|i)\d+\w*|ppc64le|riscv64|s390x|bitnami\w*|linuxserver|ddev|wodby|[\w-]+(?:\.[\w-]+)+(?::\d+)?)$/;

export const OFFICIAL_DATADIR = '/var/lib/mysql';

const QUALIFIERS = new Set(
  `server community enterprise official oracle docker image container custom lts slim alpine debian ubuntu centos rhel ubi
  rpi arm armhf arm64 arm64v8 arm32v7 amd64 aarch64 x86 galera xtradb cluster ndb db database test dev local
  ddev dbserver`.split(/\s+/),
);
const VERSION = /^v?\d[\d.]*$|^(?:c|el|rhel|ubi|centos|debian|alpine|ubuntu)\d+s?$/;
const OWN_START = /^(?:bitnami\w*|linuxserver|ddev|wodby)$/;
/** Names of Red Hat's Software Collections. */
const SCLORG = /^(?:mysql|mariadb)-(\d+)(?:-(?:centos|c|el|rhel|ubi)\d+s?)?$/;
const CLUSTERS = ['galera', 'xtradb', 'cluster', 'ndb'];

/** Undefined: no server's image, or an unknown one. */
export function serverImage(reference: string): ServerImage | undefined {
  const parts = partsOf(reference);
  const { flavor, name, words, tag } = namedServer(parts.at(-1) ?? '');
  if (flavor === undefined) return undefined;
  const others = words.filter((word) => !FLAVOR_WORDS.has(word) && !VERSION.test(word));
  if (others.some((word) => !QUALIFIERS.has(word))) return undefined;
  const owner = parts.at(-2) ?? '';
  const startsItself = OWN_START.test(owner) || SCLORG.test(name);
  const isOfficial = PUBLISHERS.test(owner);
  const isCopy = isOfficial || parts.length > 2;
  const official = [OFFICIAL_NAMES[flavor], versionOf(owner, name, tag) ?? []].flat().join(':');
  return {
    flavor,
    ...placesOf(owner, name, flavor),
    isCluster: others.some((word) => CLUSTERS.includes(word)),
    isOfficial,
    startsItself,
    official: startsItself || !isCopy ? official : null,
  };
}

/** "mysql:8.0.36" → "mysql:8.0"; null: not official, or no whole version. */
export function newestOfLine(reference: string): string | null {
  const found = serverImage(reference);
  const [, name, major = '', minor, suffix = ''] =
    /^([^@]+):(\d+)\.(\d+)\.\d+(?:-\d[\d.]*)?(-[a-z][\w.]*)?$/.exec(reference) ?? [];
  if (name === undefined || found === undefined || !found.isOfficial || found.startsItself) return null;
  // Since 9.0 a minor version of MySQL ends with the next.
  const line = found.flavor !== 'mariadb' && Number(major) >= 9 ? major : `${major}.${minor}`;
  return `${name}:${line}${suffix}`;
}

export function addsOptions(reference: string): boolean {
  return serverImage(reference)?.startsItself === true && !/(?:^|\/)ddev\//.test(reference);
}

export function officialImage({ flavor, version }: { flavor: Flavor; version: string }): string {
  return `${OFFICIAL_NAMES[flavor]}:${/^\d+(?:\.\d+)?/.exec(version)?.[0] ?? 'latest'}`;
}

const OFFICIAL_NAMES: Readonly<Record<Flavor, string>> = {
  mysql: 'mysql',
  mariadb: 'mariadb',
  percona: 'percona/percona-server',
};

function versionOf(owner: string, name: string, tag: string): string | undefined {
  const [, major, minor] = SCLORG.exec(name)?.[1]?.match(/^(1\d|\d)(\d+)$/) ?? [];
  if (major !== undefined) return `${major}.${minor ?? ''}`;
  if (owner === 'ddev') return /\d+(?:\.\d+)+$/.exec(name)?.[0];
  return /^(?:v|version-|(?:amd|arm)\w+-)?(\d+(?:\.\d+){0,2})/.exec(tag)?.[1];
}

const FLAVOR_WORDS = new Map<string, Flavor>([
  ['mariadb', 'mariadb'],
  ['percona', 'percona'],
  ['mysql', 'mysql'],
]);

/** Tags such as "mariadb-10.6-0.21" and "v2-percona8.0". */
const TAGGED = /^(mariadb|percona|mysql)(?![a-z])[-_.]?|[-_.](mariadb|percona|mysql)[-_.]?(?=v?\d)/;

interface NamedServer {
  flavor: Flavor | undefined;
  name: string;
  words: string[];
  tag: string;
}

function partsOf(reference: string): string[] {
  return reference.toLowerCase().split('@', 1).join('').split('/');
}

function namedServer(part: string): NamedServer {
  const [name = '', tag = ''] = part.split(':');
  const words = name.split(/[-_.]/).filter((word) => word !== '');
  const tagged = TAGGED.exec(tag);
  const [flavor] = [...FLAVOR_WORDS].flatMap(([word, one]) => (name.includes(word) ? [one] : []));
  if (tagged === null) return { flavor, name, words, tag };
  const told = FLAVOR_WORDS.get(tagged[1] ?? tagged[2] ?? '');
  return { flavor: told ?? flavor, name, words, tag: tag.slice(tagged.index + tagged[0].length) };
}

/** The version is the tag, or its part after a server's name. */
export function requestedServer(reference: string): { flavor: Flavor; version: string } | undefined {
  const { flavor, tag } = namedServer(partsOf(reference).at(-1) ?? '');
  return flavor === undefined ? undefined : { flavor, version: tag };
}

/** Sources: the Dockerfiles of bitnami/containers, linuxserver/docker-mariadb, and sclorg. */
function placesOf(owner: string, name: string, flavor: Flavor): Pick<ServerImage, 'datadir' | 'volume'> {
  if (owner.startsWith('bitnami')) {
    const folder = `/bitnami/${flavor === 'mariadb' ? 'mariadb' : 'mysql'}`;
    return { datadir: `${folder}/data`, volume: folder };
  }
  if (owner === 'linuxserver') return { datadir: '/config/databases', volume: '/config' };
  if (SCLORG.test(name)) return { datadir: `${OFFICIAL_DATADIR}/data`, volume: null };
  return { datadir: OFFICIAL_DATADIR, volume: OFFICIAL_DATADIR };
}

/** Variables for passwords of a new data directory. */
const SERVER_VARIABLE =
  /^(?:MYSQL|MARIADB)_(?:ROOT_PASSWORD|ALLOW_EMPTY_(?:ROOT_)?PASSWORD|RANDOM_ROOT_PASSWORD|ROOT_PASSWORD_HASH|ONETIME_PASSWORD)(?:_FILE)?$/;

export function isServerVariable(name: string): boolean {
  return SERVER_VARIABLE.test(name);
}

export function imageByVariables(names: readonly string[]): ServerImage {
  const flavor = names.some((name) => name.startsWith('MARIADB_')) ? ('mariadb' as const) : null;
  return {
    ...{ flavor, datadir: OFFICIAL_DATADIR, volume: OFFICIAL_DATADIR },
    ...{ isCluster: false, isOfficial: false, startsItself: false, official: null },
  };
}
