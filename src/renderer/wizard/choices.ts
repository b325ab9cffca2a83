import { OWN_SERVER } from '../../shared/model/server-spec.ts';
import type { Draft } from './draft.ts';
import { type Edit, freeId, idFromName } from './preset-text.ts';

const FIRST_GRID = { storages: ['named-volume'], paths: ['published-port'] };
const NATIVE = { storage: 'native', path: 'loopback' };

export const KNOWN_IMAGES: Readonly<Record<string, string>> = {
  'mysql:8.4': 'MySQL 8.4',
  'mariadb:11.8': 'MariaDB 11.8',
  'percona/percona-server:8.4': 'Percona Server 8.4',
};

const toggled = (all: string[], one: string, isChosen: boolean): string[] => [
  ...all.filter((other) => other !== one),
  ...(isChosen ? [one] : []),
];

export function gridEdits(draft: Draft, part: 'storages' | 'paths', id: string, isChosen: boolean): Edit[] {
  const other = part === 'storages' ? 'paths' : 'storages';
  const now = toggled(draft.list(['grid', part]), id, isChosen);
  if (now.length === 0 && draft.list(['grid', other]).length === 0) {
    return [{ path: ['grid'], value: undefined }];
  }
  return [
    ...(draft.at('grid') === undefined ? [{ path: ['grid', other], value: FIRST_GRID[other] }] : []),
    { path: ['grid', part], value: now },
  ];
}

function nativeScenarios(draft: Draft): number[] {
  const scenarios = draft.at('scenarios');
  if (!Array.isArray(scenarios)) return [];
  return [...scenarios.keys()].filter((index) => draft.at(['scenarios', index, 'storage']) === 'native');
}

export function hasNative(draft: Draft): boolean {
  return nativeScenarios(draft).length > 0;
}

export function nativeEdits(draft: Draft, isChosen: boolean): Edit[] {
  const scenarios = draft.at('scenarios');
  if (isChosen) {
    return [{ path: ['scenarios', Array.isArray(scenarios) ? scenarios.length : 0], value: NATIVE }];
  }
  return nativeScenarios(draft)
    .reverse()
    .map((index) => ({ path: ['scenarios', index], value: undefined }));
}

interface ServerChoice {
  /** A name in `servers`, or an image. */
  id: string;
  /** The key stays when an image becomes an entry of `servers`. */
  key: string;
  name: string;
  image: string;
  isChosen: boolean;
}

function isPlain(draft: Draft, name: string): boolean {
  const fields = draft.names(['servers', name]);
  return fields.includes('image') && fields.every((field) => field === 'image' || field === 'name');
}

export function serverChoices(draft: Draft, local: readonly string[]): ServerChoice[] {
  const names = draft.names('servers');
  const inGrid = draft.list('grid.servers');
  const own = draft.text('server.image');
  const entries = names.map((id) => ({
    id,
    image: draft.text(['servers', id, 'image']) || own,
    isChosen: inGrid.includes(id),
    name: draft.text(['servers', id, 'name']) || id,
  }));
  const plain = entries.filter(({ id }) => isPlain(draft, id));
  const images = [
    ...Object.keys(KNOWN_IMAGES),
    ...(inGrid.length === 0 ? [own] : []),
    ...plain.map(({ image }) => image),
    ...local,
  ];
  const ofImages = [...new Set(images)].map((image): ServerChoice => {
    const {
      id = image,
      name = KNOWN_IMAGES[image] ?? image,
      isChosen = false,
    } = plain.find((entry) => entry.image === image) ?? {};
    return { id, key: image, name, image, isChosen: inGrid.length === 0 ? image === own : isChosen };
  });
  const others = entries.filter((entry) => !plain.includes(entry));
  return [...ofImages, ...others.map((entry) => ({ ...entry, key: `servers.${entry.id}` }))];
}

/** One image is the preset's server; several are entries of `servers`. */
export function serverEdits(draft: Draft, chosen: readonly string[]): Edit[] {
  const isEntry = (id: string): boolean => draft.names('servers').includes(id);
  const [only = ''] = chosen;
  if (chosen.length === 1 && (!isEntry(only) || isPlain(draft, only))) {
    const image = isEntry(only) ? draft.text(['servers', only, 'image']) : only;
    return [
      { path: ['server', 'image'], value: image },
      { path: ['grid', 'servers'], value: undefined },
    ];
  }
  const names: string[] = [];
  const edits: Edit[] = [];
  for (const id of chosen) {
    if (isEntry(id)) names.push(id);
    else {
      const name = freeId(idFromName(id, 'server'), [...draft.names('servers'), ...names, OWN_SERVER]);
      names.push(name);
      edits.push({ path: ['servers', name], value: { name: KNOWN_IMAGES[id] ?? id, image: id } });
    }
  }
  const missing = draft.at('grid') === undefined ? Object.entries(FIRST_GRID) : [];
  return [
    ...edits,
    ...missing.map(([part, value]) => ({ path: ['grid', part], value })),
    { path: ['grid', 'servers'], value: names },
  ];
}

/** Replaces a baseline that is gone; of several, the rest stays. */
export function baselineEdits(draft: Draft): Edit[] {
  const { scenarios } = draft;
  const before = draft.list('baseline');
  const kept = before.filter((id) => scenarios.some(({ baseId }) => baseId === id));
  if (scenarios.length === 0 || (kept.length > 0 && kept.length === before.length)) return [];
  const [old = ''] = before;
  const next =
    scenarios.find(({ baseId }) => baseId.endsWith(`.${old}`) || old.endsWith(`.${baseId}`)) ??
    scenarios.find(({ path }) => path === 'published-port') ??
    scenarios[0];
  return [{ path: ['baseline'], value: kept.length > 1 ? kept : (kept[0] ?? next?.baseId) }];
}
