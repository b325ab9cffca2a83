import { msg, type Message } from '../message.ts';
import type { DatabaseService } from '../model/database.ts';
import { baseOf } from './file-names.ts';
import type { ComposeService } from './model.ts';
import { isWithin, mountAt, mountsOf, type Mount } from './storage.ts';
import type { Surroundings } from './surroundings.ts';

type Around = Pick<Surroundings, 'model' | 'locate'>;

const ASIDE =
  /^\/(?:etc|docker-entrypoint[^/]*|var\/log|logs?|run|var\/run|tmp|backups?|dumps?|root|home|mnt|usr|opt|scripts?|certs?|ssl|secrets)(?:\/|$)|backup|dump|\.\w+$/i;
const LIKE_DATA = /(?:^|\/)[^/]*(?:mysql|mariadb|percona|data|db|lib)[^/]*/i;

/** Warnings of mounts like the data's, although the server keeps its data elsewhere. */
export function emptyMounts(
  mounts: readonly Mount[],
  { kind: stored, datadir }: Pick<DatabaseService['storage'], 'kind' | 'datadir'>,
  placeOf: (target: string) => string,
): Message[] {
  if (stored !== 'anonymous-volume' && stored !== 'container-layer') return [];
  return mounts
    .filter(({ kind, source, target }) => {
      const mayHold = kind === 'volume' || ((kind === 'bind' || kind === 'tmpfs') && LIKE_DATA.test(target));
      const isBeside = !ASIDE.test(target) && !isWithin(target, datadir);
      return mayHold && isBeside && (kind === 'tmpfs' || source !== null);
    })
    .map(({ target }) => msg('compose.emptyMount', { target: `${target}${placeOf(target)}`, datadir }));
}

/** " (compose.yaml:12)", or an empty text. */
export function inFile(place: DatabaseService['storage']['at']): string {
  return place === null ? '' : ` (${baseOf(place.file)}:${place.line})`;
}

export function withClashes(services: readonly DatabaseService[], around: Around): DatabaseService[] {
  const all = around.model.services ?? {};
  return services.map((service) => {
    const sharing = services.filter((other) => other !== service && isSameData(service, other, all));
    const told = sharing.map(({ name, storage }) =>
      msg('compose.sameData', { other: `${name}${inFile(storage.at)}` }),
    );
    return { ...service, warnings: [...service.warnings, ...told, ...samePorts(service.name, around)] };
  });
}

function isSameData(
  a: DatabaseService,
  b: DatabaseService,
  all: Readonly<Record<string, ComposeService>>,
): boolean {
  const keyOf = ({ name, storage: { kind, place, datadir } }: DatabaseService): string => {
    const target = mountAt(mountsOf(all[name] ?? {}), datadir)?.target ?? '';
    return `${kind} ${place ?? ''} ${datadir.slice(target.length)}`;
  };
  return a.storage.place !== null && keyOf(a) === keyOf(b);
}

function samePorts(name: string, { model, locate }: Around): Message[] {
  const own = model.services?.[name]?.ports ?? [];
  return Object.entries(model.services ?? {}).flatMap(([other, { ports }]) => {
    const taken =
      other === name ? undefined : (ports ?? []).find((port) => own.some((one) => isSamePort(one, port)));
    if (taken === undefined) return [];
    const port = taken.published ?? '';
    return [msg('compose.samePort', { port, other: `${other}${inFile(locate(other, 'ports', port))}` })];
  });
}

type Port = NonNullable<ComposeService['ports']>[number];

function isSamePort(a: Port, b: Port): boolean {
  const addresses = [a.host_ip ?? '', b.host_ip ?? ''].map((one) =>
    /^(?:0\.0\.0\.0|::)?$/.test(one) ? '' : one,
  );
  const isSameAddress = addresses[0] === addresses[1] || addresses.includes('');
  const isFixed = Number(a.published ?? 0) > 0;
  return (
    isFixed && a.published === b.published && (a.protocol ?? 'tcp') === (b.protocol ?? 'tcp') && isSameAddress
  );
}
