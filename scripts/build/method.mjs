import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Marked } from 'marked';

const EXTERNAL_LINKS = JSON.parse(
  readFileSync(new URL('../../src/shared/contract/external-links.json', import.meta.url), 'utf8'),
);

/**
 * Anchor of a heading, as GitHub makes it.
 *
 * @param {string} text
 */
export const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/** @param {string} markdown */
function anchorsOf(markdown) {
  return new Marked({ gfm: true })
    .lexer(markdown)
    .flatMap((token) => (token.type === 'heading' && token.depth > 1 ? [anchorOf(token.text)] : []));
}

/**
 * Links become their words, except those that the system's browser opens. Markup is an error.
 *
 * @type {import('marked').RendererObject}
 */
const SAFE = {
  link({ href, tokens }) {
    const words = this.parser.parseInline(tokens);
    return EXTERNAL_LINKS.includes(href) ? `<a href="${href}" target="_blank">${words}</a>` : words;
  },
  image() {
    return '';
  },
  html({ text }) {
    throw new Error(`a page of the app has markup: ${text}`);
  },
};

/**
 * Each heading has the id `method-` + its anchor in the English page `original`, so a translation needs the
 * same headings.
 *
 * @param {string} markdown
 * @param {string} [original]
 */
export function methodHtml(markdown, original = markdown) {
  const anchors = anchorsOf(original);
  const count = anchorsOf(markdown).length;
  if (count !== anchors.length) {
    throw new Error(
      `the translated method has ${count} headings, docs/explanation/method.md has ${anchors.length}`,
    );
  }
  const seen = new Set();
  const marked = new Marked({
    gfm: true,
    renderer: {
      ...SAFE,
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        if (depth === 1) return '';
        const anchor = anchors[seen.size] ?? '';
        if (seen.has(anchor)) throw new Error(`docs/explanation/method.md has two headings “${anchor}”`);
        seen.add(anchor);
        return `<h${depth + 1} id="method-${anchor}">${text}</h${depth + 1}>\n`;
      },
    },
  });
  return /** @type {string} */ (marked.parse(markdown, { async: false }));
}

/**
 * @param {readonly string[]} pages
 * @returns {Record<string, string>}
 */
export function errorHelp(pages) {
  const marked = new Marked({ gfm: true, renderer: SAFE });
  const sections = pages.flatMap((page) => page.split(/^(?=#{2,3} )/m));
  return Object.fromEntries(
    sections.flatMap((section) => {
      const [heading, code] = /^### ([A-Z][A-Z_]+)\n/.exec(section) ?? [];
      if (heading === undefined) return [];
      return [[code, marked.parse(section.slice(heading.length), { async: false })]];
    }),
  );
}

/**
 * `import help from '…/docs/reference/errors/README.md'`: the help on each code.
 *
 * @returns {import('vite').Plugin}
 */
export function errorPages() {
  return {
    name: 'error-pages',
    load(id) {
      if (!id.endsWith('/docs/reference/errors/README.md')) return null;
      const folder = dirname(id);
      const files = readdirSync(folder).map((name) => join(folder, name));
      for (const file of files) this.addWatchFile(file);
      const help = errorHelp(files.map((file) => readFileSync(file, 'utf8')));
      return { code: `export default ${JSON.stringify(help)};`, moduleType: 'js' };
    },
  };
}

/**
 * `import html from '…/method.md'`, `'…/method.zh-CN.md'`: the page's HTML.
 *
 * @returns {import('vite').Plugin}
 */
export function methodPage() {
  return {
    name: 'method-page',
    load(id) {
      const page = /^(.*\/docs\/explanation\/method)(\.[\w-]+)?\.md$/.exec(id);
      if (page === null) return null;
      const original = `${page[1]}.md`;
      for (const file of new Set([id, original])) this.addWatchFile(file);
      const html = methodHtml(readFileSync(id, 'utf8'), readFileSync(original, 'utf8'));
      return {
        code: `export default ${JSON.stringify(html)};`,
        moduleType: 'js',
      };
    },
  };
}
