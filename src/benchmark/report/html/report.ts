import { createHash } from 'node:crypto';
import type { Translate } from '../../../shared/words/i18n.ts';
import type { Analysis } from '../../../shared/model/analysis.ts';
import { machineText, methodText, serversText } from '../../../shared/words/provenance.ts';
import { sharingText } from '../../../shared/words/sharing-wording.ts';
import { headlineDetail, headlineText, noiseFloorText } from '../../../shared/words/wording.ts';
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
import { STYLE } from './style.ts';

/** Nothing is loaded, nothing runs; only this very style sheet counts. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** A run as one HTML page that needs nothing else: no script, no network, no font. */
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

/** In universal time: a zone would tell where somebody lives. */
function dateText(at: number, { language }: Translate): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}
