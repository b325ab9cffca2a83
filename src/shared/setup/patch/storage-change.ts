import { isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { msg, type Message } from '../../message.ts';
import type { ComposeFiles } from './compose-files.ts';
import { isFolder, mountsIn, mountsOf, normal, type Mount } from './mounts.ts';
import { textOf, TextEdits } from './text-edits.ts';
import { isEmpty, refused, startOf, type YamlFile } from './yaml-file.ts';

export type NewStorage = 'named-volume' | 'bind-mount';

/** The data directory on a new volume or in a new folder; `place` is what Compose calls it. */
export function onStorage(
  compose: ComposeFiles,
  kind: NewStorage,
  datadir: string,
): { edits: TextEdits; place: string; notes: Message[] } {
  const target = normal(datadir);
  const mounts = mountsOf(compose, 'volumes');
  const memory = mountsOf(compose, 'tmpfs').filter((mount) => mount.target === target);
  const mount = mounts.filter((one) => one.target === target).at(-1);
  if (mount === undefined && memory.length === 0) {
    refuseUnclear(mounts, target);
    refuseAbove(mounts, target);
    // What another service mounts there can't be taken away from here.
    compose.refuseInherited([['tmpfs']]);
  }
  if (mount !== undefined && isAlready(compose, mount, kind)) throw refused('already');
  const file =
    compose.inOneFile([...memory.map(({ found }) => found), ...(mount === undefined ? [] : [mount.found])]) ??
    compose.home().file;
  const name = freeName(compose);
  const place = kind === 'named-volume' ? name : `./${name}`;
  const edits = new TextEdits(file, compose.service);
  for (const one of memory) remove(edits, one);
  if (mount === undefined) add(compose, edits, `${place}:${target}`);
  else replace(edits, mount, kind, place, target);
  if (kind === 'named-volume') declare(edits, name);
  return { edits, place, notes: othersAt(compose, mount?.source ?? null) };
}

/** Services that would keep the old place. */
function othersAt(compose: ComposeFiles, source: string | null): Message[] {
  if (source === null) return [];
  return compose.others().flatMap(({ file, name, map }) => {
    const found = file.find(['volumes'], map);
    const mount = found && mountsIn({ file, ...found }, 'volumes').find((one) => one.source === source);
    if (mount === undefined) return [];
    return [msg('setupPatch.note.alsoThere', { place: file.placeOf(mount.item), service: name })];
  });
}

function refuseUnclear(mounts: readonly Mount[], target: string): void {
  const unclear = mounts.find((mount) => mount.target === null);
  if (unclear !== undefined)
    throw unclear.found.file.refusal('mountVariable', unclear.item, { path: target });
}

function refuseAbove(mounts: readonly Mount[], target: string): void {
  const above = mounts.find((mount) => mount.target !== null && target.startsWith(`${mount.target}/`));
  if (above !== undefined) throw above.found.file.refusal('mountAbove', above.item, { path: target });
}

function isAlready(compose: ComposeFiles, { long, source }: Mount, kind: NewStorage): boolean {
  const type = textOf(long?.get('type', true)) ?? (source !== null && isFolder(source) ? 'bind' : 'volume');
  if (kind === 'bind-mount') return type === 'bind';
  if (type !== 'volume' || source === null || source.includes('$')) return false;
  return !compose.files.some((file) => {
    const volume = file.find(['volumes', source])?.value;
    return isMap(volume) && (volume.has('driver_opts') || volume.has('driver'));
  });
}

function freeName({ service, files }: ComposeFiles): string {
  const isTaken = (name: string): boolean => files.some((file) => file.find(['volumes', name]) !== undefined);
  for (let count = 1; ; count++) {
    const name = count === 1 ? `${service}-data` : `${service}-data-${count}`;
    if (!isTaken(name)) return name;
  }
}

function remove(edits: TextEdits, { found, list, item }: Mount): void {
  found.file.claim(found);
  if (list === null || list.items.length === 1) edits.removePair(found.map, found.pair);
  else edits.removeItem(list, item);
}

function add(compose: ComposeFiles, edits: TextEdits, entry: string): void {
  const { map, file } = compose.serviceIn(edits.file);
  const found = file.find(['services', compose.service, 'volumes']);
  if (found === undefined) {
    edits.addPair(map, 'volumes', [entry]);
    return;
  }
  file.claim(found);
  if (isSeq(found.value)) edits.addItems(found.value, [entry]);
  else if (isEmpty(found.value, file.text)) edits.fill(found.map, found.pair, [entry]);
  else throw file.refusal('form', found.pair.key);
}

function replace(edits: TextEdits, mount: Mount, kind: NewStorage, place: string, target: string): void {
  const { found, item, long } = mount;
  found.file.claim(found);
  if (isAlias(item)) throw found.file.refusal('shared', item, { name: item.source });
  if (long !== null) replaceLong(edits, long, kind, place);
  else if (isScalar(item)) edits.setScalar(item, `${place}:${target}`);
  else throw found.file.refusal('form', item);
}

/** What belongs to the old kind goes. */
function replaceLong(edits: TextEdits, mount: YAMLMap, kind: NewStorage, place: string): void {
  const { file } = edits;
  file.claim({ passed: [], chain: [mount] });
  const [type, source] = ['type', 'source'].map((key) => mount.get(key, true));
  const wanted = kind === 'named-volume' ? 'volume' : 'bind';
  if (!isScalar(type)) throw file.refusal('form', mount);
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
  const found = file.find(['volumes']);
  if (found === undefined) {
    edits.addPair(file.contents, 'volumes', { [name]: null }, { spaced: isSpaced(file) });
    return;
  }
  file.claim(found);
  if (isMap(found.value)) edits.addPair(found.value, name, null);
  else if (isEmpty(found.value, file.text) || isScalar(found.value))
    edits.fill(found.map, found.pair, { [name]: null });
  else throw file.refusal('form', found.pair.key);
}

/** Whether empty lines are between the fields of the file. */
function isSpaced({ contents, text }: YamlFile): boolean {
  return contents.items.slice(1).some(({ key }) => /\n\r?\n$/.test(text.slice(0, startOf(key))));
}
