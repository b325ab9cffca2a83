import { isAlias, isScalar, type YAMLMap } from 'yaml';
import { msg, type Message } from '../../message.ts';
import type { ProjectFile } from '../project.ts';
import {
  claim,
  find,
  type Found,
  isEmpty,
  refused,
  refusedAt,
  refusedIn,
  type ServiceText,
  startOf,
  textOf,
} from './service-text.ts';
import { isWithin, mountIn, normalPath, type ComposeMount } from '../storage.ts';
import { TextEdits } from './text-edits.ts';
import { entryOf, Notes, type Tree } from '../tree.ts';

type NewStorage = 'named-volume' | 'bind-mount';

interface Mount extends ComposeMount {
  found: Found;
  item: Tree;
}

interface Places {
  datadir: string;
  home: string;
}

export function onStorage(
  service: ServiceText,
  kind: NewStorage,
  { datadir, home }: Places,
): { edits: TextEdits; place: string; home: string; notes: Message[] } {
  const target = normalPath(datadir);
  const mounts = service.found(['volumes']).flatMap((found) => mountsAt(service, found, 'volumes'));
  const memory = service
    .found(['tmpfs'])
    .flatMap((found) => mountsAt(service, found, 'tmpfs'))
    .filter((mount) => mount.target === target);
  const mount = [home, target].flatMap((place) => mounts.filter((one) => one.target === place)).at(-1);
  if (mount === undefined && memory.length === 0) {
    const above = mounts.find((one) => isWithin(target, one.target));
    if (above !== undefined) throw refusedAt(above.at, 'mountAbove', { path: target });
    // What another service mounts there can't be taken away from here.
    service.refuseInherited([['tmpfs']]);
  }
  if (mount !== undefined && isAlready(service, mount, kind)) throw refused('already');
  const all = [...memory, ...(mount === undefined ? [] : [mount])];
  const file = service.inOneFile(all.map(({ found }) => found)) ?? service.home().file;
  const name = freeName(service);
  const place = kind === 'named-volume' ? name : `./${name}`;
  const edits = new TextEdits(file);
  for (const one of memory) remove(edits, one);
  const moved = mount?.target ?? (memory.length === 0 ? home : target);
  if (mount === undefined) add(service, edits, `${place}:${moved}`);
  else replace(edits, mount, kind, place, moved);
  if (kind === 'named-volume') declare(edits, name);
  return { edits, place, home: moved, notes: mount === undefined ? [] : othersAt(service, mount) };
}

/** The data directory in memory; what was mounted there is not. */
export function inMemory(service: ServiceText, { datadir, home }: Places): TextEdits {
  const target = normalPath(datadir);
  const [mounts, memory] = (['volumes', 'tmpfs'] as const).map((field) =>
    service.found([field]).flatMap((found) => mountsAt(service, found, field)),
  );
  const own = (mounts ?? []).filter((one) => one.target === target || one.target === home);
  if (
    [...own.filter(({ kind }) => kind === 'tmpfs'), ...(memory ?? [])].some((one) =>
      isWithin(target, one.target),
    )
  ) {
    throw refused('already');
  }
  const above = own.length === 0 ? mounts?.find((one) => isWithin(target, one.target)) : undefined;
  if (above !== undefined) throw refusedAt(above.at, 'mountAbove', { path: target });
  service.refuseInherited([['volumes'], ['tmpfs']]);
  const edits = new TextEdits(service.inOneFile(own.map(({ found }) => found)) ?? service.home().file);
  for (const one of own) remove(edits, one);
  add(service, edits, own[0]?.target ?? home, 'tmpfs');
  return edits;
}

/** As they are read, with variables in place. */
function mountsAt({ project }: ServiceText, found: Found, field: 'volumes' | 'tmpfs'): Mount[] {
  const { value } = found;
  const notes = new Notes(project.variables);
  return (value.kind === 'list' ? value.items : [value]).flatMap((item) =>
    mountIn(item, field, project.input, notes).map((mount) => ({ ...mount, found, item })),
  );
}

function othersAt(own: ServiceText, { kind, source }: Mount): Message[] {
  if (source === null) return [];
  return own.others().flatMap(({ file, name, service }) => {
    const found = find(file, ['volumes'], service);
    const all = found === undefined ? [] : mountsAt(own, found, 'volumes');
    const mount = all.find((one) => one.kind === kind && one.source === source);
    if (mount === undefined) return [];
    const place = `${mount.at.source.shown}:${mount.at.line}`;
    return [msg('databasePatch.note.alsoThere', { place, service: name })];
  });
}

function isAlready({ project }: ServiceText, { kind, source }: Mount, wanted: NewStorage): boolean {
  if (wanted === 'bind-mount') return kind === 'bind';
  const volume = entryOf(project.volumes, source ?? '');
  return (
    kind === 'volume' &&
    source !== null &&
    entryOf(volume, 'driver') === undefined &&
    entryOf(volume, 'driver_opts') === undefined
  );
}

function freeName({ name: service, project }: ServiceText): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? `${service}-data` : `${service}-data-${count}`;
    if (entryOf(project.volumes, name) === undefined) return name;
  }
}

function remove(edits: TextEdits, { found, item }: Mount): void {
  claim(found);
  const { map, pair, value } = found;
  if (value.kind !== 'list' || value.node === null || value.items.length === 1) edits.removePair(map, pair);
  else edits.removeItem(value.node, writtenItem(value, item));
}

/** What the list has for it: its node, or an alias. */
function writtenItem(list: Tree, item: Tree): unknown {
  return list.kind === 'list' ? list.node?.items[list.items.indexOf(item)] : item.node;
}

function add(
  service: ServiceText,
  edits: TextEdits,
  entry: string,
  field: 'volumes' | 'tmpfs' = 'volumes',
): void {
  const { map, file } = service.home(edits.file);
  const found = find(file, ['services', service.name, field]);
  if (found === undefined) {
    edits.addPair(map, field, [entry]);
    return;
  }
  claim(found);
  const { value } = found;
  if (value.kind === 'list' && value.node !== null) edits.addItems(value.node, [entry]);
  else if (isEmpty(value.node, file.text)) edits.fill(found.map, found.pair, [entry]);
  else throw refusedAt(value.at, 'form');
}

function replace(
  edits: TextEdits,
  { found, item }: Mount,
  kind: NewStorage,
  place: string,
  target: string,
): void {
  claim(found);
  const written = writtenItem(found.value, item);
  if (isAlias(written)) throw refusedIn(found.file, written, 'shared', { name: written.source });
  if (item.kind === 'map' && item.node !== null) replaceLong(edits, item.node, kind, place);
  else if (isScalar(written)) edits.setScalar(written, `${place}:${target}`);
  else throw refusedAt(item.at, 'form');
}

/** What belongs to the old kind goes. */
function replaceLong(edits: TextEdits, mount: YAMLMap, kind: NewStorage, place: string): void {
  const { file } = edits;
  claim({ file, way: [mount] });
  const [type, source] = ['type', 'source'].map((key) => mount.get(key, true));
  const wanted = kind === 'named-volume' ? 'volume' : 'bind';
  if (!isScalar(type)) throw refusedIn(file, mount, 'form');
  if (textOf(type) !== wanted) edits.setScalar(type, wanted);
  if (isScalar(source)) edits.setScalar(source, place);
  else edits.addPair(mount, 'source', place);
  for (const key of ['bind', 'tmpfs', 'volume', 'consistency', 'read_only']) {
    const pair = mount.items.find((one) => isScalar(one.key) && one.key.value === key);
    if (pair !== undefined) edits.removePair(mount, pair);
  }
}

function declare(edits: TextEdits, name: string): void {
  const { file } = edits;
  const found = find(file, ['volumes']);
  if (found === undefined) {
    if (file.tree.node !== null) {
      edits.addPair(file.tree.node, 'volumes', { [name]: null }, { spaced: isSpaced(file) });
    }
    return;
  }
  claim(found);
  const { value } = found;
  if (value.kind === 'map' && value.node !== null) edits.addPair(value.node, name, null);
  else if (value.kind === 'scalar') edits.fill(found.map, found.pair, { [name]: null });
  else throw refusedAt(value.at, 'form');
}

function isSpaced({ tree, text }: ProjectFile): boolean {
  return (tree.node?.items ?? []).slice(1).some(({ key }) => /\n\r?\n$/.test(text.slice(0, startOf(key))));
}
