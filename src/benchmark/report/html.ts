import { createHash } from 'node:crypto';
import type { Analysis } from '../../shared/analysis/analysis.ts';
import {
  type AdviceItem,
  type Block,
  type Cell,
  cellText,
  type Column,
  sectionsIn,
  type Note,
  type NoticeItem,
  type Problem,
  type Section,
  type Table,
  type TableGroup,
} from '../../shared/document/blocks.ts';
import { documentOf } from '../../shared/document/document.ts';
import type { Translate } from '../../shared/words/i18n.ts';
import { FLAG_SIGNS, flagSigns, headlineText } from '../../shared/words/wording.ts';
import type { Shareable } from '../privacy/shareable.ts';
import { plotsOf } from '../../shared/document/plots.ts';
import { type LegendItem, swatchSvg } from '../../shared/pictures/stack.ts';
import { colorVariables, escapeXml } from '../../shared/pictures/svg.ts';
import { curveMark, PANELS, sweepPanelSvg } from '../../shared/pictures/sweep.ts';
import { utcText } from './utc-text.ts';

class Markup {
  constructor(readonly html: string) {}
}

type Value = string | number | Markup | readonly Markup[];

/** Safe in elements and quoted attributes. */
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
.new{font-weight:600}
pre span{display:block}
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
.group{padding-top:14px;font-weight:600}
.group .soft{margin-left:10px;font-weight:400}
.plot{position:relative;width:34%;min-width:200px;padding-inline:0;border:0}
tbody .plot{height:34px}
.stack tbody .plot{height:30px}
.plot svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible}
tfoot td{border:0;height:18px;padding:0}
.axis{fill:var(--text-2);font-size:11.5px}
.stack{margin-bottom:10px}
.stack .plot{width:60%}
.dense .plot{width:46%}
.dense :is(th,td){border:0;min-width:0}
.dense tbody :is(th,td):not(.group){height:26px;padding-block:0}
.part{fill:var(--surface);font-size:12.5px}
.legend{display:flex;flex-wrap:wrap;gap:2px 14px;list-style:none;padding:0;margin:8px 0;color:var(--text-2);font-size:13px}
.legend li{margin:0}
.slower{color:var(--slower)}
.faster{color:var(--faster)}
.notes{list-style:none;padding:0;margin-top:10px;color:var(--text-2);font-size:13px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:20px}
figure{margin:10px 0}
figcaption{font-weight:600;font-size:14px}
figure svg{display:block;width:100%;height:auto}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:10px 24px;margin:0}
dt{color:var(--text-2);font-size:13px}
dd{margin:0;overflow-wrap:anywhere}
code{font:13px/1.5 ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}
.codes{list-style:none;padding:0}
.codes li+li{margin-top:2px}
summary{color:var(--text-2);cursor:pointer}
.advice{margin:6px 0}
.advice summary{color:var(--text)}
summary h2{display:inline;color:var(--text)}
footer{color:var(--text-2);font-size:13px;padding:0 4px}
@media print{:root{color-scheme:light}body{background:#fff;font-size:11.5px}main{max-width:none;padding:0}
header,section{border:0;border-top:1px solid #bbb;border-radius:0;padding:10px 0;margin:0;background:none}header{border-top:0}
table{font-size:10.5px}tr,li,dl>div,figure{break-inside:avoid}h2,h3{break-after:avoid}.scroll{overflow:visible}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;

/** The page loads and runs nothing. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

export function htmlReport({ state, sharing }: Shareable, analysis: Analysis, t: Translate): string {
  const all = documentOf(state, analysis, { t, sharing, dateText: utcText(t) });
  return sectionsHtml(all, { title: headlineText(analysis, t), version: state.appVersion }, t);
}

export function sectionsHtml(
  all: readonly Section[],
  { title, version }: { title: string; version: string },
  t: Translate,
): string {
  const sections = sectionsIn('page', all);
  return `${
    markup`${new Markup('<!doctype html>')}
<html lang="${t.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Whalemark ${version}">
<title>${title} – Whalemark</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
${sections.map((section) => sectionHtml(section, t))}
</main>
</body>
</html>
`.html
  }`;
}

function sectionHtml({ title, level, isLong, blocks }: Section, t: Translate): Markup {
  const content = blocks.map((block) => blockHtml(block, t));
  if (level === 'end') return markup`<footer>${content}</footer>`;
  if (title === null) return markup`<header>${content}</header>`;
  return isLong === true
    ? markup`<section><details><summary><h2>${title}</h2></summary>${content}</details></section>`
    : markup`<section><h2>${title}</h2>${content}</section>`;
}

function blockHtml(block: Block, t: Translate): Markup {
  switch (block.kind) {
    case 'headline':
      return markup`<p class="eyebrow">${block.question}</p>
<h1>${block.findings.map(({ text }) => markup`<span>${text}</span>`)}</h1>
${block.findings.map(({ detail }) => markup`<p class="note">${detail}</p>`)}`;
    case 'subheading':
      return markup`<h3>${block.text}</h3>`;
    case 'lead':
      return markup`<p class="soft">${block.text}</p>`;
    case 'notices':
      return markup`${notices(block.items, t)}${
        block.others.length === 0
          ? NONE
          : markup`<details><summary>${t('ui:result.moreNotes', { count: block.others.length })}</summary>${notices(block.others, t)}</details>`
      }`;
    case 'advice': {
      const { keep, items, others, more } = block;
      return markup`${lines(keep)}${items.length === 0 ? NONE : markup`<ol>${items.map(adviceHtml)}</ol>`}${others.map(
        ({ line, item }) =>
          markup`<details class="advice"><summary>${line}</summary>${howHtml(item)}</details>`,
      )}${lines(more)}`;
    }
    case 'list':
      return markup`<ul>${block.items.map((item) => markup`<li>${item}</li>`)}</ul>`;
    case 'order':
      return markup`<ol>${block.items.map((item) => markup`<li>${item}</li>`)}</ol>`;
    case 'lines':
      return markup`${block.items.map((line) => markup`<p>${line}</p>`)}`;
    case 'notes':
      return markup`<ul class="notes">${block.items.map(noteHtml)}</ul>`;
    case 'legend':
      return markup`<ul class="legend"><li>${block.text}</li>${block.items.map(legendHtml)}</ul>`;
    case 'curves':
      return curves(block, t);
    case 'table':
      return block.isFolded === true
        ? markup`<details><summary>${t('ui:charts.showTable')}</summary>${table(block, t)}</details>`
        : table(block, t);
    case 'facts':
      return markup`<dl>${block.items.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
    case 'codes':
      return codes(block.summary, block.items);
    case 'problems':
      return markup`<ul>${block.items.map((item) => problemHtml(item, t))}</ul>`;
    case 'slot':
      return NONE;
  }
}

function notices(items: readonly NoticeItem[], t: Translate): Markup {
  return markup`<ul>${items.map(({ about, text }) =>
    about === ''
      ? markup`<li>${text}</li>`
      : markup`<li><strong>${t('ui:common.noticeAbout', { name: about })}</strong> ${text}</li>`,
  )}</ul>`;
}

function lines(text: string | undefined): Markup {
  return text === undefined ? NONE : markup`<p>${text}</p>`;
}

function noteHtml({ text, flag }: Note): Markup {
  if (flag === undefined) return markup`<li>${text}</li>`;
  return markup`<li>${FLAG_SIGNS[flag]} ${text}</li>`;
}

function legendHtml({ color, text }: LegendItem): Markup {
  if (color === '') return NONE;
  return markup`<li><svg width="12" height="12" aria-hidden="true">${new Markup(swatchSvg(color))}</svg> ${text}</li>`;
}

function curves({ sweeps, items }: Extract<Block, { kind: 'curves' }>, t: Translate): Markup {
  const legend = items.map(
    (text, index) =>
      markup`<li><svg width="44" height="12" viewBox="0 -6 44 12" aria-hidden="true">${new Markup(curveMark(index))}</svg> ${text}</li>`,
  );
  const panels = PANELS.map((panel) => {
    const [width, height] = [520, 280];
    const svg = sweepPanelSvg(panel, sweeps, { x: 0, y: 8, width, height: height - 8 }, t);
    const title = t(`ui:charts.${panel}`);
    return markup`<figure><figcaption>${title}</figcaption><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${new Markup(svg)}</svg></figure>`;
  });
  return markup`<ul class="codes">${legend}</ul><div class="figures">${panels}</div>`;
}

function table({ name, columns, groups, isDense = false }: Table, t: Translate): Markup {
  const plots = plotsOf(groups, t);
  const cellHtml = (cell: Cell, column: Column | undefined): Markup => {
    if (column !== undefined && column.kind === plots?.kind) {
      return markup`<td class="plot"><svg aria-hidden="true">${new Markup(plots.cellSvg(cell))}</svg></td>`;
    }
    const text = textHtml(cell);
    if (column?.kind === 'name') return markup`<th scope="row">${text}</th>`;
    if (column?.kind === 'code') return markup`<td><code>${text}</code></td>`;
    return column?.kind === 'number' ? markup`<td class="number">${text}</td>` : markup`<td>${text}</td>`;
  };
  const groupHtml = ({ heading, note = '', rows }: TableGroup): Markup => markup`<tbody>${
    heading === null
      ? NONE
      : markup`<tr><th class="group" scope="rowgroup" colspan="${columns.length}">${heading} <span class="soft">${note}</span></th></tr>`
  }
${rows.map(({ cells }) => markup`<tr>${cells.map((cell, at) => cellHtml(cell, columns[at]))}</tr>`)}
</tbody>`;
  const head = columns.map(({ title, kind }) => {
    if (kind === plots?.kind)
      return markup`<th scope="col" class="plot"><span class="hidden">${title}</span></th>`;
    return kind === 'number'
      ? markup`<th scope="col" class="number">${title}</th>`
      : markup`<th scope="col">${title}</th>`;
  });
  const axis = columns.map(({ kind }) =>
    kind === plots?.kind
      ? markup`<td class="plot"><svg height="18">${new Markup(plots.axis)}</svg></td>`
      : markup`<td></td>`,
  );
  const foot = plots === undefined ? NONE : markup`<tfoot aria-hidden="true"><tr>${axis}</tr></tfoot>`;
  return markup`<div class="scroll"><table class="${plots?.kind ?? ''}${isDense ? ' dense' : ''}" aria-label="${name}"><thead><tr>${head}</tr></thead>
${groups.map(groupHtml)}${foot}</table></div>`;
}

function textHtml(cell: Cell): Markup {
  if (typeof cell === 'string' || !('text' in cell)) return markup`${cellText(cell)}`;
  const { text, flags = [], badge, tone } = cell;
  const said =
    tone === 'slower' || tone === 'faster' ? markup`<span class="${tone}">${text}</span>` : markup`${text}`;
  const about = badge === undefined ? NONE : markup` <span class="soft">(${badge})</span>`;
  return flags.length === 0 ? markup`${said}${about}` : markup`${said} ${flagSigns(flags)}${about}`;
}

function adviceHtml({ title, gain, cost, ...how }: AdviceItem): Markup {
  return markup`<li><strong>${title}</strong><br>${sentences([gain, cost])}${howHtml(how)}</li>`;
}

function howHtml({ text, link, snippet }: Pick<AdviceItem, 'text' | 'link' | 'snippet'>): Markup {
  const excerpt = (snippet?.excerpt ?? []).map(
    ({ text, isNew }) => markup`<span class="${isNew ? 'new' : 'soft'}">${text}</span>`,
  );
  const code = snippet === null ? NONE : markup`<pre><code>${excerpt}</code></pre>`;
  return markup`<p>${sentences([text, link])}</p>${code}`;
}

function sentences(parts: readonly (string | null)[]): string {
  return parts.flatMap((part) => (part === null || part === '' ? [] : [part])).join(' ');
}

function problemHtml({ title, text, failure }: Problem, t: Translate): Markup {
  const more = ({ error, hint, evidence }: NonNullable<Problem['failure']>): Markup => {
    const help = hint === '' ? NONE : markup`<br><span class="soft">${hint}</span>`;
    return markup` <code>${error.code}</code>${help}${evidence.length === 0 ? NONE : codes(t('ui:common.evidence'), evidence)}`;
  };
  return markup`<li><strong>${title}</strong><br>${text}${failure === undefined ? NONE : more(failure)}</li>`;
}

function codes(summary: string | null, items: readonly string[]): Markup {
  const all = markup`<ul class="codes">${items.map((line) => markup`<li><code>${line}</code></li>`)}</ul>`;
  return summary === null ? all : markup`<details><summary>${summary}</summary>${all}</details>`;
}
