import { posix } from 'node:path';
import { Marked, type Token } from 'marked';
import { anchorOf } from '../build/method.mjs';
import type { Problem, Repository } from './problem.ts';

/** Only paths that begin with one of these belong to the repository. */
const ROOTS = ['src', 'docs', 'tests', 'presets', 'assets', 'scripts', 'bench', '.github'];
const ROOT = ROOTS.map((name) => name.replace('.', '\\.')).join('|');
const FROM_ROOT = new RegExp(`^(?:${ROOT})/`);
/** Such a path in prose and commands; behind a `/`, it is part of a longer path or address. */
const IN_TEXT = new RegExp(`(?<![\\w/.~@-])(?:${ROOT})/(?:[\\w./*{},-]|<[\\w -]+>)*[\\w/*}>]`, 'g');
/** Sources, which pages may name by the end of their path: `plan/plan.ts`. */
const SOURCE = /^(?:[\w@.*-]+\/)*[\w@.*-]+\.(?:ts|svelte|mjs|md|Dockerfile)$/;
const WRITTEN = new Set(['report.md']);
const HAS_SCHEME = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

interface Named {
  links: string[];
  images: { href: string; alt: string }[];
  /** Code within a line. */
  codes: string[];
  /** Plain words and blocks of code. */
  texts: string[];
  headings: string[];
  /** Anchors of HTML in the page. */
  ids: string[];
}

function namedBy(markdown: string): Named {
  const named: Named = { links: [], images: [], codes: [], texts: [], headings: [], ids: [] };
  const marked = new Marked({ gfm: true });
  marked.walkTokens(marked.lexer(markdown), (token) => {
    switch (token.type) {
      case 'link':
        return void named.links.push(String(token['href']));
      case 'image':
        return void named.images.push({ href: String(token['href']), alt: String(token['text']) });
      case 'codespan':
        return void named.codes.push(String(token['text']));
      case 'heading':
        return void named.headings.push(plainText(token['tokens'] as Token[]));
      case 'code':
        return void named.texts.push(String(token['text']));
      case 'text':
        // Blocks of text contain their tokens again.
        if (!('tokens' in token) || token.tokens === undefined) named.texts.push(String(token['text']));
        return;
      case 'html':
        readMarkup(token.raw, named);
    }
  });
  return named;
}

function readMarkup(markup: string, named: Named): void {
  for (const [, tag = '', attributes = ''] of markup.matchAll(/<(img|a|[a-z][\w-]*)\b([^>]*)>/gi)) {
    const attribute = (name: string): string | undefined =>
      new RegExp(`\\b${name}\\s*=\\s*(["'])(.*?)\\1`, 'is').exec(attributes)?.[2];
    const isLink = tag.toLowerCase() === 'a';
    if (tag.toLowerCase() === 'img') {
      named.images.push({ href: attribute('src') ?? '', alt: attribute('alt') ?? '' });
    }
    if (isLink) named.links.push(...[attribute('href') ?? []].flat());
    named.ids.push(...[attribute('id') ?? [], (isLink ? attribute('name') : undefined) ?? []].flat());
  }
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      return token.type === 'html' || token.type === 'image' || !('text' in token)
        ? ''
        : String(token['text']);
    })
    .join('');
}

/** Anchors as GitHub makes them of headings; the second heading of a name gets `-1`. */
function anchorsOf(markdown: string): Set<string> {
  const { headings, ids } = namedBy(markdown);
  const anchors = new Set<string>();
  const seen = new Map<string, number>();
  for (const heading of headings) {
    const slug = anchorOf(heading.trim());
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    anchors.add(before === 0 ? slug : `${slug}-${before}`);
  }
  for (const id of ids) anchors.add(id);
  return anchors;
}

/** Missing targets of a page; nothing is fetched. */
export function pageProblems(page: string, { files, read }: Pick<Repository, 'files' | 'read'>): Problem[] {
  const markdown = read(page);
  const { links, images, codes, texts } = namedBy(markdown);
  const problems: Problem[] = [];
  const complain = (about: string, problem: string): void => {
    const line = markdown.slice(0, Math.max(0, markdown.indexOf(about))).split('\n').length;
    if (!problems.some((known) => known.problem === problem)) problems.push({ file: page, line, problem });
  };

  for (const href of [...links, ...images.map((image) => image.href)]) {
    const problem = linkProblem(page, href, { files, read });
    if (problem !== undefined) complain(href, problem);
  }
  for (const { href, alt } of images) {
    if (!/\p{L}/u.test(alt)) complain(href, `the image ${href} has no alternative text`);
  }
  const paths = [
    ...codes.filter((code) => FROM_ROOT.test(code) && !/\s/.test(code.replace(/<[^>]*>/g, ''))),
    ...texts.flatMap((text) => [...text.matchAll(IN_TEXT)].map(([path]) => path)),
  ];
  for (const path of paths) {
    if (!isThere(path, files, 'from the root')) complain(path, `there is no ${path}`);
  }
  for (const code of codes) {
    if (FROM_ROOT.test(code) || WRITTEN.has(code) || !SOURCE.test(code)) continue;
    if (!isThere(code, files, 'by its end')) complain(code, `no file’s path ends with ${code}`);
  }
  return problems;
}

const MOST_PICTURE_BYTES = 200_000;

export function pictureProblems({ files, read, bytes }: Repository): Problem[] {
  const shown = new Set(
    [...files]
      .filter((path) => path.endsWith('.md'))
      .flatMap((page) =>
        namedBy(read(page)).images.map(({ href }) =>
          posix.join(posix.dirname(page), href.replace(/#.*/, '')),
        ),
      ),
  );
  return [...files]
    .filter((path) => /^docs\/.*\.(?:png|jpg|gif|svg)$/.test(path))
    .flatMap((file) => [
      ...(shown.has(file) ? [] : [{ file, problem: 'no page shows this picture' }]),
      ...(bytes(file) > MOST_PICTURE_BYTES
        ? [{ file, problem: `a picture has at most ${MOST_PICTURE_BYTES} bytes` }]
        : []),
    ]);
}

function linkProblem(
  page: string,
  href: string,
  { files, read }: Pick<Repository, 'files' | 'read'>,
): string | undefined {
  if (HAS_SCHEME.test(href)) {
    const isWeb = URL.canParse(href) && ['https:', 'http:', 'mailto:'].includes(new URL(href).protocol);
    return isWeb ? undefined : `the link ${href} is no address of the web`;
  }
  const [path = '', anchor] = decodeURIComponent(href).split('#');
  const from = path.startsWith('/') ? '' : posix.dirname(page);
  const target = path === '' ? page : posix.join(from, path).replace(/^\/|\/$/g, '');
  if (!isThere(target, files, 'from the root'))
    return `the link ${href} leads to ${target}, which is not there`;
  if (anchor === undefined) return undefined;
  if (!target.endsWith('.md')) return `the link ${href} has an anchor, and ${target} is no page`;
  return anchorsOf(read(target)).has(anchor)
    ? undefined
    : `the link ${href} leads to a heading that ${target} has not`;
}

/** `*` and `<name>` match any name, `{a,b}` needs both, and a line number may follow. */
function isThere(path: string, files: ReadonlySet<string>, how: 'from the root' | 'by its end'): boolean {
  return alternatives(path.replace(/:\d+(?:-\d+)?$/, '').replace(/\/$/, '')).every((one) => {
    const pattern = one
      .split(/(\*|<[^>]*>)/)
      .map((part, index) => (index % 2 === 1 ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
      .join('');
    const found = new RegExp(how === 'from the root' ? `^${pattern}(?:/|$)` : `(?:^|/)${pattern}$`);
    return [...files].some((file) => found.test(file));
  });
}

function alternatives(path: string): string[] {
  const [, before = '', inner, after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(path) ?? [];
  if (inner === undefined) return [path];
  return inner.split(',').flatMap((one) => alternatives(before + one + after));
}
