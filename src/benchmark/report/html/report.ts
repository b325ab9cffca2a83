import { DARK_LINES } from '../ramp-svg.ts';
import { INK } from '../svg.ts';
import { createHash } from 'node:crypto';
import type { Translate } from '../../../shared/words/i18n.ts';
import type { Analysis } from '../../../shared/model/analysis.ts';
import { machineText, methodText, serversText } from '../../../shared/words/provenance.ts';
import { headlineDetail, headlineText, noiseFloorText, sharingText } from '../../../shared/words/wording.ts';
import type { Shareable } from '../../privacy/shareable.ts';
import { barsSection } from './bars.ts';
import { Markup, markup, NONE } from './markup.ts';
import {
  conditionsSection,
  numbersSection,
  passportSection,
  rampSection,
  remarksSection,
  troubleSections,
  whySection,
  wordsSection,
} from './sections.ts';

/** Pictures use the share card's ink, recolored in the dark theme. */
const DARK_INK: Partial<Record<keyof typeof INK, string>> = {
  text: '#e6eef0',
  muted: '#a3b5bc',
  faint: '#2a393f',
  sea: '#4fc3d9',
};

function recoloured(): string {
  const pairs = [
    ...Object.entries(DARK_INK).map(([name, dark]) => [INK[name as keyof typeof INK], dark] as const),
    ...Object.entries(DARK_LINES),
  ];
  return pairs
    .map(
      ([light, dark]) => `.curves [fill="${light}"]{fill:${dark}}.curves [stroke="${light}"]{stroke:${dark}}`,
    )
    .join('\n');
}

/** Contains nothing from a result. */
const STYLE = `
:root{color-scheme:light dark;--bg:#f4f7f8;--surface:#fff;--line:#dbe4e7;--strong:#8b9aa0;--text:#12232a;--soft:#4b5f67;
--accent:#0b6e82;--slower:#b8541a;--slower-text:#9c4410;--faster:#0b6e82;--faster-text:#0b6e82;--same:#6a7c84;
--unsettled:#8b9aa0;--baseline:#12232a;--zone:#e8eff6;--published:#8a5a1f;--warn:#8a4b00;--warn-soft:#fdf1de;--ok:#1a6b46}
@media screen and (prefers-color-scheme:dark){:root{--bg:#0e1518;--surface:#162024;--line:#2a393f;--strong:#71858d;--text:#e6eef0;
--soft:#a3b5bc;--accent:#4fc3d9;--slower:#ee9655;--slower-text:#f3a76d;--faster:#4fc3d9;--faster-text:#6fd2e5;--same:#93a5ad;
--unsettled:#71858d;--baseline:#dfe8eb;--zone:#22323a;--published:#e0b070;--warn:#f0b866;--warn-soft:#37290f;--ok:#6fd3a1}
${recoloured()}}
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
.eyebrow{color:var(--soft);font-weight:600;margin:0}
.soft,.note{color:var(--soft)}
.note{font-size:13px}
.untied{color:var(--warn)}
.tied{color:var(--ok)}
.remarks{background:var(--warn-soft)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{padding:6px 10px;text-align:left;border-bottom:1px solid var(--line);vertical-align:middle}
tr>:first-child{padding-left:0}
tr>:last-child{padding-right:0}
thead th{color:var(--soft);font-size:12.5px;font-weight:600;vertical-align:bottom}
tbody th{font-weight:500;min-width:150px}
tbody tr:last-child>*{border-bottom:0}
.number{text-align:right;white-space:nowrap}
.bar{width:38%;min-width:180px}
.bar svg{display:block;width:100%;overflow:visible}
.verdict{font-weight:600}
.baseline{font-weight:650}
.slower{color:var(--slower-text)}
.faster{color:var(--faster-text)}
.fill-baseline{fill:var(--baseline)}
.fill-slower{fill:var(--slower)}
.fill-faster{fill:var(--faster)}
.fill-same{fill:var(--same)}
.fill-unsettled{fill:url(#unsettled)}
.fill-flush-in-cache{fill:url(#flush-in-cache)}
.fill-client-bound{fill:url(#client-bound)}
.hatch-paper{fill:var(--surface)}
.hatch{fill:var(--unsettled)}
.ink{fill:var(--text)}
.zone{fill:var(--zone)}
.grid{stroke:var(--line)}
.one{stroke:var(--text);stroke-dasharray:4 4}
.whisker{stroke:var(--text);stroke-width:2;fill:none}
.whisker-edge{stroke:var(--surface);stroke-width:4;fill:none}
.hollow{fill:none;stroke:var(--published);stroke-width:1.5}
.tick{fill:var(--soft);font-size:12px;text-anchor:middle}
.tick:first-of-type{text-anchor:start}
.curves svg{display:block;width:100%;height:auto}
.definitions{position:absolute;width:0;height:0}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:10px 24px;margin:0}
dt{color:var(--soft);font-size:13px}
dd{margin:0;overflow-wrap:anywhere}
code{font:13px/1.5 ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}
.codes{list-style:none;padding:0}
.codes li+li{margin-top:2px}
summary{color:var(--soft);cursor:pointer}
footer{color:var(--soft);font-size:13px;padding:0 4px}
@media print{:root{color-scheme:light}body{background:#fff;font-size:11.5px}main{max-width:none;padding:0}
header,section{border:0;border-top:1px solid #bbb;border-radius:0;padding:10px 0;margin:0;background:none}header{border-top:0}
table{font-size:10.5px}tr,li,dl>div,figure{break-inside:avoid}h2,h3{break-after:avoid}.scroll{overflow:visible}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;

/** Nothing is loaded or run; only this style sheet applies. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** A self-contained HTML page: no script, no network, no font. */
export function htmlReport({ state, sharing }: Shareable, analysis: Analysis, t: Translate): string {
  const { preset } = state.plan;
  const noise = noiseFloorText(analysis, t);
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
<h1>${headlineText(analysis, t)}</h1>
<p>${headlineDetail(analysis, t)}</p>
${noise === undefined ? NONE : markup`<p class="${analysis.noiseFloor?.outcome ?? ''}">${noise}</p>`}
<p class="soft">${machineText(state, t)} · ${serversText(state.plan, t)}</p>
<p class="note">${measured} · ${preset.name}</p>
</header>
${remarksSection(analysis, t)}
${rampSection(analysis, t)}
${barsSection(state, analysis, t)}
${wordsSection(analysis, t)}
${whySection(analysis, t)}
${numbersSection(state, analysis, t)}
${troubleSections(state, t)}
${conditionsSection(state, t)}
${passportSection(state, t)}
<section><h2>${t('report:html.method')}</h2>
<p>${methodText(state, analysis, t)}</p>
<p class="note">${t('report:html.methodLead')}</p>
<p class="note">${t('report:text.docs')}</p>
</section>
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

/** UTC: a time zone would be private. */
function dateText(at: number, { language }: Translate): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}
