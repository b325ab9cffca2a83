import { msg } from '../../message.ts';
import type { Notes } from './notes.ts';
import { entryOf, itemsOf, type At, type Mapping, type Tree } from './tree.ts';

/** A range of ports of a container. */
export interface PublishedPorts {
  targets: Range;
  /** Of the first target; null: the engine chooses one. */
  published: number | null;
  /** Each target has the next port; otherwise all share the one. */
  isRange: boolean;
  at: At;
}

interface Range {
  first: number;
  last: number;
}

/** Where one port of the container is published. */
export function publicationsOf(
  ports: readonly PublishedPorts[],
  port: number,
): { published: number | null; at: At }[] {
  return ports
    .filter(({ targets }) => targets.first <= port && port <= targets.last)
    .map(({ targets, published, isRange, at }) => ({
      published: published === null ? null : published + (isRange ? port - targets.first : 0),
      at,
    }));
}

/** TCP only. Source: Docker documentation, "Services top-level element", ports. */
export function portsOf(service: Mapping, notes: Notes): PublishedPorts[] {
  return itemsOf(entryOf(service, 'ports')).flatMap((item) => {
    if (item.kind === 'map') return longPort(item, notes);
    const text = notes.text(item);
    if (text === undefined) return [];
    const ports = shortPorts(text, item.at);
    if (ports === undefined) notes.refuse(item.at, msg('compose.port'));
    return ports ?? [];
  });
}

function longPort(item: Mapping, notes: Notes): PublishedPorts[] {
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
      targets: { first: target.first, last: target.first },
      published: range?.first || null,
      isRange: false,
      at: (written ?? item).at,
    },
  ];
}

function rangeOf(text: string | undefined): Range | undefined {
  const [, from, to] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text ?? '') ?? [];
  if (from === undefined) return undefined;
  const [first, last] = [Number(from), Number(to ?? from)];
  return first <= last && last <= 65_535 ? { first, last } : undefined;
}

/** `[[ADDRESS:]PUBLISHED:]TARGET[/PROTOCOL]`, where both ports may be ranges. */
function shortPorts(text: string, at: At): PublishedPorts[] | undefined {
  const [, rest = '', protocol = 'tcp'] = /^([^/]*)(?:\/(\w+))?$/.exec(text.trim()) ?? [];
  // An address, also one of IPv6 with its colons, comes before both.
  const [target = '', published = ''] = rest.split(':').reverse();
  const inside = rangeOf(target);
  const outside = published === '' ? null : rangeOf(published);
  if (inside === undefined || outside === undefined) return undefined;
  if (protocol !== 'tcp') return [];
  // One target and a range outside: the engine takes a free one of them.
  const isRange = outside !== null && outside.last - outside.first === inside.last - inside.first;
  return [{ targets: inside, published: outside?.first || null, isRange, at }];
}
