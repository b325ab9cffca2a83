import { msg } from '../../message.ts';
import type { Notes } from './notes.ts';
import { entryOf, itemsOf, type At, type Mapping, type Tree } from './tree.ts';

export interface PublishedPort {
  target: number;
  /** Null: the engine chooses one. */
  published: number | null;
  at: At;
}

/** TCP only. Source: Docker documentation, "Services top-level element", ports. */
export function portsOf(service: Mapping, notes: Notes): PublishedPort[] {
  return itemsOf(entryOf(service, 'ports')).flatMap((item) => {
    if (item.kind === 'map') return longPort(item, notes);
    const text = notes.text(item);
    if (text === undefined) return [];
    const ports = shortPorts(text, item.at);
    if (ports === undefined) notes.refuse(item.at, msg('compose.port'));
    return ports ?? [];
  });
}

function longPort(item: Mapping, notes: Notes): PublishedPort[] {
  if ((notes.text(entryOf(item, 'protocol')) ?? 'tcp') !== 'tcp') return [];
  const target = rangeOf(notes.text(entryOf(item, 'target')));
  const written: Tree | undefined = entryOf(item, 'published');
  const published = notes.text(written);
  const range = published === undefined || published === '' ? null : rangeOf(published);
  if (target === undefined || range === undefined) {
    notes.refuse(written?.at ?? item.at, msg('compose.port'));
    return [];
  }
  return [
    {
      target: target.first,
      published: range === null ? null : range.first || null,
      at: (written ?? item).at,
    },
  ];
}

interface Range {
  first: number;
  last: number;
}

function rangeOf(text: string | undefined): Range | undefined {
  const [, from, to] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text ?? '') ?? [];
  if (from === undefined) return undefined;
  const [first, last] = [Number(from), Number(to ?? from)];
  return first <= last && last <= 65_535 ? { first, last } : undefined;
}

/** `[[ADDRESS:]PUBLISHED:]TARGET[/PROTOCOL]`, where both ports may be ranges. */
function shortPorts(text: string, at: At): PublishedPort[] | undefined {
  const [, rest = '', protocol = 'tcp'] = /^([^/]*)(?:\/(\w+))?$/.exec(text.trim()) ?? [];
  // An address, also one of IPv6 with its colons, comes before both.
  const [target = '', published = ''] = rest.split(':').reverse();
  const inside = rangeOf(target);
  const outside = published === '' ? null : rangeOf(published);
  if (inside === undefined || outside === undefined) return undefined;
  if (protocol !== 'tcp') return [];
  // One target and a range outside: the engine takes a free one of them.
  const isFixed = outside !== null && outside.last - outside.first === inside.last - inside.first;
  return Array.from({ length: inside.last - inside.first + 1 }, (_, index) => ({
    target: inside.first + index,
    published: outside === null || outside.first === 0 ? null : outside.first + (isFixed ? index : 0),
    at,
  }));
}
