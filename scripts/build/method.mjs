import { readFileSync } from 'node:fs';
import { Marked } from 'marked';

/**
 * Anchor of a heading, as GitHub makes it: `### Pool hits` is `#pool-hits`.
 *
 * @param {string} text
 */
function anchorOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * docs/method.md as HTML for the reader in the app. Every heading has the id `method-` + its anchor, and is one level
 * deeper, since the page around it has a title. Links become their words: the window goes nowhere. Markup of its own
 * is an error, so that nothing but what is made here gets into the page.
 *
 * @param {string} markdown
 */
export function methodHtml(markdown) {
  const seen = new Set();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        // The reader has the page's title.
        if (depth === 1) return '';
        const anchor = anchorOf(this.parser.parseInline(tokens, this.parser.textRenderer));
        if (seen.has(anchor)) throw new Error(`docs/method.md has two headings “${anchor}”`);
        seen.add(anchor);
        return `<h${depth + 1} id="method-${anchor}">${text}</h${depth + 1}>\n`;
      },
      link({ tokens }) {
        return this.parser.parseInline(tokens);
      },
      image() {
        return '';
      },
      html({ text }) {
        throw new Error(`docs/method.md has markup of its own: ${text}`);
      },
    },
  });
  return /** @type {string} */ (marked.parse(markdown, { async: false }));
}

/**
 * `import html from '…/method.md'`: the page's HTML.
 *
 * @returns {import('vite').Plugin}
 */
export function methodPage() {
  return {
    name: 'method-page',
    load(id) {
      if (!id.endsWith('/docs/method.md')) return null;
      this.addWatchFile(id);
      return {
        code: `export default ${JSON.stringify(methodHtml(readFileSync(id, 'utf8')))};`,
        moduleType: 'js',
      };
    },
  };
}
