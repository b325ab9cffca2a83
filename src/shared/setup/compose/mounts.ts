import { msg } from '../../message.ts';
import { mebibytesOf } from './amounts.ts';
import type { ComposeInput } from './input.ts';
import type { Notes } from './notes.ts';
import { entryOf, itemsOf, type At, type Mapping, type Scalar, type Tree } from './tree.ts';

export interface ComposeMount {
  kind: 'volume' | 'bind' | 'tmpfs' | 'other';
  /** The volume's name in the file, or the absolute folder; null: anonymous. */
  source: string | null;
  target: string;
  /** Of a tmpfs. */
  sizeMiB: number | undefined;
  at: At;
}

/** In the order of the file; for one target the last one counts. */
export function mountsOf(service: Mapping, input: ComposeInput, notes: Notes): ComposeMount[] {
  const volumes = itemsOf(entryOf(service, 'volumes')).flatMap((item) => {
    if (item.kind === 'map') return longMount(item, input, notes);
    return item.kind === 'scalar' ? shortMount(item, input, notes) : [];
  });
  const memory = itemsOf(entryOf(service, 'tmpfs')).flatMap((item) => tmpfsMount(item, notes));
  return [...new Map([...volumes, ...memory].map((mount) => [mount.target, mount])).values()];
}

/** The one that holds a path of the container: the deepest. */
export function mountAt(mounts: readonly ComposeMount[], path: string): ComposeMount | undefined {
  return mounts
    .filter(({ target }) => isWithin(path, target))
    .reduce<ComposeMount | undefined>(
      (best, one) => (best === undefined || one.target.length > best.target.length ? one : best),
      undefined,
    );
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** Of a container: Linux. */
export function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/;

function shortMount(item: Scalar, input: ComposeInput, notes: Notes): ComposeMount[] {
  const text = notes.text(item);
  if (text === undefined) return [];
  const drive = WINDOWS.test(text) ? text.slice(0, 2) : '';
  const [first = '', second, ...rest] = text.slice(drive.length).split(':');
  // One part only: an anonymous volume.
  const [source, target] = second === undefined ? [null, first] : [drive + first, second];
  if (target === '' || source === '' || rest.length > 1) {
    notes.refuse(item.at, msg('compose.mount'));
    return [];
  }
  return mountOf(source === null ? 'volume' : kindOfSource(source), source, target, item.at, input, notes);
}

function kindOfSource(source: string): 'volume' | 'bind' {
  return /^[./~]/.test(source) || WINDOWS.test(source) ? 'bind' : 'volume';
}

function longMount(item: Mapping, input: ComposeInput, notes: Notes): ComposeMount[] {
  const type = notes.text(entryOf(item, 'type')) ?? 'volume';
  const target = notes.text(entryOf(item, 'target'));
  const source = notes.text(entryOf(item, 'source')) ?? null;
  if (target === undefined || target === '' || (type === 'bind' && source === null)) {
    notes.refuse(item.at, msg('compose.mount'));
    return [];
  }
  if (type === 'tmpfs') {
    const size = notes.text(entryOf(item, 'tmpfs', 'size'));
    const sizeMiB = size === undefined ? undefined : mebibytesOf(size);
    return [{ kind: 'tmpfs', source: null, target: normalPath(target), sizeMiB, at: item.at }];
  }
  const kind = type === 'volume' || type === 'bind' ? type : 'other';
  return mountOf(kind, source, target, item.at, input, notes);
}

const VOLUME_NAME = /^[A-Za-z0-9][\w.-]*$/;

function mountOf(
  kind: ComposeMount['kind'],
  source: string | null,
  target: string,
  at: At,
  input: ComposeInput,
  notes: Notes,
): ComposeMount[] {
  const mount = { kind, target: normalPath(target), sizeMiB: undefined, at };
  if (kind === 'bind' && source !== null) return [{ ...mount, source: hostPath(source, at, input) }];
  if (kind === 'volume' && source !== null && !VOLUME_NAME.test(source)) {
    notes.refuse(at, msg('compose.volumeName'));
    return [];
  }
  return [{ ...mount, source }];
}

export function hostPath(
  path: string,
  { source }: At,
  input: Pick<ComposeInput, 'home' | 'resolve'>,
): string {
  if (WINDOWS.test(path)) return path;
  const [, ownPath] = /^~(?:[\\/](.*))?$/s.exec(path) ?? [path, undefined];
  if (path.startsWith('~') && input.home !== null) return input.resolve(input.home, ownPath ?? '.');
  return input.resolve(source.base, path);
}

export function isWindowsPath(path: string): boolean {
  return WINDOWS.test(path);
}

function tmpfsMount(item: Tree, notes: Notes): ComposeMount[] {
  const text = notes.text(item);
  if (text === undefined) return [];
  const [target = '', options = ''] = text.split(':');
  const size = /(?:^|,)size=([^,]+)/.exec(options)?.[1];
  const sizeMiB = size === undefined ? undefined : mebibytesOf(size);
  return [{ kind: 'tmpfs', source: null, target: normalPath(target), sizeMiB, at: item.at }];
}
