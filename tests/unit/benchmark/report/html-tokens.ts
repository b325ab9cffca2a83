/** The parts of a page: tags with the names of their attributes, and the texts between them. */
export interface Page {
  tags: string[];
  attributes: Record<string, string[]>;
  text: string;
}

const VOID = new Set(['meta', 'br']);
const TOKEN = /<!doctype html>|<(\/?)([a-z][a-zA-Z0-9]*)((?: [a-zA-Z0-9-]+="[^"<>]*")*)(\/?)>|([^<]+)/y;

/** Parses strictly: anything but whole tags with quoted attributes, well nested, throws. */
export function parsePage(html: string): Page {
  const page: Page = { tags: [], attributes: {}, text: '' };
  const open: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < html.length) {
    const place = TOKEN.lastIndex;
    const match = TOKEN.exec(html);
    if (match === null) throw new Error(`no HTML of ours: ${html.slice(place, place + 80)}`);
    const [, end, tag, attributes = '', empty, text] = match;
    if (text !== undefined) page.text += decoded(text);
    if (tag === undefined) continue;
    if (end === '/') {
      if (open.pop() !== tag) throw new Error(`</${tag}> closes nothing`);
      continue;
    }
    const pairs = [...attributes.matchAll(/ ([a-zA-Z0-9-]+)="([^"]*)"/g)];
    page.tags.push([tag, ...pairs.map(([, name]) => name)].join(' '));
    for (const [, name = '', value = ''] of pairs) {
      (page.attributes[`${tag} ${name}`] ??= []).push(decoded(value));
    }
    if (empty !== '/' && !VOID.has(tag)) open.push(tag);
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(' ')}`);
  return page;
}

function decoded(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}
