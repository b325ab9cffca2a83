import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { methodHtml } from '../../../../scripts/build/method.mjs';
import { EXTERNAL_LINKS } from '../../../../src/main/window/security.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(join(root, 'docs/explanation', file), 'utf8');
const markdown = read('method.md');
/** The page and its translations; each is held against the English one. */
const PAGES = [
  ['method.md', markdown],
  ['method.zh-CN.md', read('method.zh-CN.md')],
] as const;

describe.each(PAGES)('%s', (_, text) => {
  const html = methodHtml(text, markdown);
  it('leads nowhere but to the addresses of the list', () => {
    const links = EXTERNAL_LINKS.map((address) => `<a href="${address}" target="_blank">${address}</a>`);
    for (const link of links) expect(html.split(link), link).toHaveLength(2);
    const rest = links.reduce((page, link) => page.replace(link, ''), html);
    expect(rest).not.toMatch(/<(a|img|script|style|iframe)\b|\s(style|on\w+|href|src)=/i);
  });
});

describe('the HTML of the method page', () => {
  it('holds no markup but what the build makes', () => {
    expect(methodHtml('[here](https://example.com) ![x](y.png)')).toBe('<p>here </p>\n');
    expect(methodHtml('`<b>` & "c"')).toBe('<p><code>&lt;b&gt;</code> &amp; &quot;c&quot;</p>\n');
    for (const markup of ['<script>alert(1)</script>', 'a <b>word</b>', '<a id="x"></a>']) {
      expect(() => methodHtml(markup)).toThrow('has markup');
    }
  });

  it('makes anchors as GitHub does, a level below the title around it, and none twice', () => {
    expect(methodHtml('# Title\n\n## Can’t `x_y` be?')).toBe(
      '<h3 id="method-cant-x_y-be">Can’t <code>x_y</code> be?</h3>\n',
    );
    expect(() => methodHtml('## A\n\n## A')).toThrow('two headings');
  });

  it('gives a translation the anchors of the original', () => {
    expect(methodHtml('# 标题\n\n## 往返', '# Title\n\n## Round trip')).toBe(
      '<h3 id="method-round-trip">往返</h3>\n',
    );
    expect(() => methodHtml('## 一', '## One\n\n## Two')).toThrow('1 headings');
  });
});
