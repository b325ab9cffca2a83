import { createHash } from 'node:crypto';
import type { Analysis } from '../../shared/analysis/analysis.ts';
import type { Translate } from '../../shared/words/i18n.ts';
import { machineText, serversText } from '../../shared/words/provenance.ts';
import { headlineLines, headlineText, sharingText } from '../../shared/words/wording.ts';
import type { Shareable } from '../privacy/shareable.ts';
import { BAR_PATTERNS } from '../../shared/pictures/bars.ts';
import { colorVariables, escapeXml } from '../../shared/pictures/svg.ts';
import type { AdviceItem, Block, Problem } from './document.ts';
import { pageBlocks } from './page.ts';

class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

type Value = string | number | Markup | readonly Markup[];

/** Escapes everything but Markup, for elements and quoted attributes. */
export function markup(template: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const html = template.map((text, index) => {
    const value = values[index];
    return value === undefined ? text : text + htmlOf(value);
  });
  return new Markup(html.join(''));
}

const NONE = new Markup('');

function htmlOf(value: Value): string {
  if (value instanceof Markup) return value.html;
  if (typeof value === 'string' || typeof value === 'number') return escapeXml(String(value));
  return value.map(({ html }) => html).join('\n');
}

const STYLE = `
:root{color-scheme:light dark;--bg:#f4f7f8;${colorVariables('light')}}
@media screen and (prefers-color-scheme:dark){:root{--bg:#0e1518;${colorVariables('dark')}}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',
'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
main{max-width:1080px;margin:0 auto;padding:32px clamp(14px,4vw,40px) 48px}
header,section{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:20px 24px;margin:0 0 16px}
header{border-left:4px solid var(--accent)}
h1{font-size:28px;line-height:1.25;margin:4px 0 8px;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{font-size:17px;margin:0 0 10px}
h3{font-size:15px;margin:18px 0 6px}
p{margin:0 0 8px}
p:last-child{margin-bottom:0}
ul{margin:0;padding-left:20px}
li+li{margin-top:6px}
.eyebrow{color:var(--text-2);font-weight:600;margin:0}
.soft,.note{color:var(--text-2)}
.note{font-size:13px}
h1 span{display:block}
ol{margin:0;padding-left:20px}
pre{margin:6px 0 0;padding:8px 12px;background:var(--bg);border-radius:6px;overflow-x:auto}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{padding:6px 10px;text-align:left;border-bottom:1px solid var(--line);vertical-align:middle}
tr>:first-child{padding-left:0}
tr>:last-child{padding-right:0}
thead th{color:var(--text-2);font-size:12.5px;font-weight:600;vertical-align:bottom}
tbody th{font-weight:500;min-width:150px}
tbody tr:last-child>*{border-bottom:0}
.number{text-align:right;white-space:nowrap}
.figure{overflow-x:auto}
.figure svg{display:block;width:100%;min-width:760px;height:auto}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:10px 24px;margin:0}
dt{color:var(--text-2);font-size:13px}
dd{margin:0;overflow-wrap:anywhere}
code{font:13px/1.5 ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}
.codes{list-style:none;padding:0}
.codes li+li{margin-top:2px}
summary{color:var(--text-2);cursor:pointer}
footer{color:var(--text-2);font-size:13px;padding:0 4px}
@media print{:root{color-scheme:light}body{background:#fff;font-size:11.5px}main{max-width:none;padding:0}
header,section{border:0;border-top:1px solid #bbb;border-radius:0;padding:10px 0;margin:0;background:none}header{border-top:0}
table{font-size:10.5px}tr,li,dl>div,.figure{break-inside:avoid}h2,h3{break-after:avoid}.scroll,.figure{overflow:visible}
.figure svg{min-width:0}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;

/** Nothing is loaded or run; only this style sheet applies. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

export function htmlReport({ state, sharing }: Shareable, analysis: Analysis, t: Translate): string {
  const { preset } = state.plan;
  const findings = headlineLines(analysis, t);
  const measured = t('report:html.measured', { when: dateText(state.startedAt, t) });
  return `${
    markup`${new Markup('<!doctype html>')}
<html lang="${t.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Whalemark ${state.appVersion}">
<title>${headlineText(analysis, t)} – Whalemark</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<header>
<p class="eyebrow">${preset.question}</p>
<h1>${findings.map(({ text }) => markup`<span>${text}</span>`)}</h1>
${findings.map(({ detail }) => markup`<p class="note">${detail}</p>`)}
<p class="soft">${machineText(state, t)} · ${serversText(state.plan, t)}</p>
<p class="note">${measured} · ${preset.name}</p>
</header>
${sections(pageBlocks(state, analysis, t), t)}
<footer>
<p>${sharingText(sharing, t)}</p>
<p>${t('report:share.source', { version: state.appVersion, run: state.runId })}</p>
</footer>
</main>
</body>
</html>
`.html
  }`;
}

function sections(blocks: readonly Block[], t: Translate): Markup[] {
  const all: Block[][] = [];
  for (const block of blocks) {
    if (block.kind === 'heading') all.push([]);
    all.at(-1)?.push(block);
  }
  return all.map((own) => markup`<section>${own.map((block) => blockHtml(block, t))}</section>`);
}

function blockHtml(block: Block, t: Translate): Markup {
  switch (block.kind) {
    case 'headline':
      return NONE;
    case 'heading':
      return markup`<h2>${block.text}</h2>`;
    case 'subheading':
      return markup`<h3>${block.text}</h3>`;
    case 'notices':
      return markup`<ul>${block.items.map(({ about, text }) =>
        about === ''
          ? markup`<li>${text}</li>`
          : markup`<li><strong>${t('ui:common.noticeAbout', { name: about })}</strong> ${text}</li>`,
      )}</ul>`;
    case 'advice':
      return markup`<ol>${block.items.map((item) => adviceHtml(item))}</ol>`;
    case 'list':
      return markup`<ul>${block.items.map((item) => markup`<li>${item}</li>`)}</ul>`;
    case 'lines':
      return markup`${block.lines.map((line) => markup`<p>${line}</p>`)}`;
    case 'table':
      return table(block.rows);
    case 'facts':
      return markup`<dl>${block.facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
    case 'codes':
      return codes(block.summary, block.lines);
    case 'problems':
      return markup`<ul>${block.items.map((item) => problemHtml(item, t))}</ul>`;
    case 'figure':
      return markup`<div class="figure"><svg viewBox="0 0 ${block.width} ${block.height}" font-family="system-ui, sans-serif" role="img" aria-label="${block.label}"><defs>${new Markup(BAR_PATTERNS)}</defs>${new Markup(block.svg)}</svg></div>`;
  }
}

function table([[first = '', ...header] = [], ...rows]: string[][]): Markup {
  return markup`<div class="scroll"><table><thead><tr><th scope="col">${first}</th>${header.map(
    (name) => markup`<th scope="col" class="number">${name}</th>`,
  )}</tr></thead><tbody>
${rows.map(
  ([name = '', ...cells]) =>
    markup`<tr><th scope="row">${name}</th>${cells.map((cell) => markup`<td class="number">${cell}</td>`)}</tr>`,
)}
</tbody></table></div>`;
}

function adviceHtml({ title, text, gain, cost, link, snippet }: AdviceItem): Markup {
  const parts = [gain, text, cost, link].flatMap((part) => (part === null ? [] : [part])).join(' ');
  return markup`<li><strong>${title}</strong><br>${parts}${
    snippet === null ? NONE : markup`<pre><code>${snippet.text}</code></pre>`
  }</li>`;
}

function problemHtml({ title, text, code, hint, evidence = [] }: Problem, t: Translate): Markup {
  return markup`<li><strong>${title}</strong><br>${text}${code === undefined ? NONE : markup` <code>${code}</code>`}${
    hint === undefined ? NONE : markup`<br><span class="soft">${hint}</span>`
  }${evidence.length === 0 ? NONE : codes(t('ui:common.evidence'), evidence)}</li>`;
}

function codes(summary: string | null, lines: readonly string[]): Markup {
  const list = markup`<ul class="codes">${lines.map((line) => markup`<li><code>${line}</code></li>`)}</ul>`;
  return summary === null ? list : markup`<details><summary>${summary}</summary>${list}</details>`;
}

/** UTC: a time zone would be private. */
function dateText(at: number, { language }: Translate): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}
