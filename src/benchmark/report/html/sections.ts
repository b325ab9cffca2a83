import { comparisonsOf } from '../../../shared/analysis/comparisons.ts';
import {
  passportDetails,
  passportFacts,
  loadFacts,
  setupFacts,
  type Fact,
} from '../../../shared/words/facts.ts';
import { failureGroups } from '../../../shared/run/failures.ts';
import { groupedNotices } from '../../../shared/words/grouped-notices.ts';
import type { Translate } from '../../../shared/words/i18n.ts';
import type { Analysis, ScenarioAnalysis } from '../../../shared/model/analysis.ts';
import type { RunState } from '../../../shared/model/run-state.ts';
import { imageContents, imageText, serversText } from '../../../shared/words/provenance.ts';
import {
  asSentence,
  rampSentence,
  scenarioNameOf,
  verdictText,
  whereText,
} from '../../../shared/words/wording.ts';
import { tpccFigures, type TpccFigures } from '../../../shared/analysis/tpcc-figures.ts';
import {
  formatCount,
  formatDuration,
  formatLatency,
  formatRate,
  NO_VALUE,
} from '../../../shared/words/units.ts';
import { FIGURE_COLUMNS, figureText, whySentences } from '../../../shared/words/why-wording.ts';
import { errorText, messageText } from '../../../shared/words/message-text.ts';
import { rampSvg, leastRampHeight } from '../ramp-svg.ts';
import { rampRows } from '../text-table.ts';
import { Markup, markup, NONE } from './markup.ts';
import { labelText, setupText } from '../../../shared/words/labels.ts';

export function remarksSection(analysis: Analysis, t: Translate): Markup {
  const groups = groupedNotices(analysis.notices, t);
  if (groups.length === 0) return NONE;
  const items = groups.map(({ message, scenarioIds }) => {
    const names = scenarioIds.map((id) => scenarioNameOf(analysis, id)).join('; ');
    return names === ''
      ? markup`<li>${message}</li>`
      : markup`<li><strong>${t('ui:common.noticeAbout', { name: names })}</strong> ${message}</li>`;
  });
  return markup`<section class="remarks"><h2>${t('ui:common.notices')}</h2><ul>${items}</ul></section>`;
}

const CURVES = { width: 1000, least: 380 };

export function rampSection({ ramps }: Analysis, t: Translate): Markup {
  if (ramps.length === 0) return NONE;
  const height = Math.max(CURVES.least, leastRampHeight(ramps));
  const box = { x: 8, y: 4, width: CURVES.width - 16, height: height - 8 };
  // All its texts went through `escapeXml`.
  const curves = new Markup(rampSvg(ramps, box, t));
  const tables = ramps.map((ramp) => {
    const rows = rampRows(ramp, t);
    return markup`<h3>${rampSentence(ramp, t)}</h3>${table(rows[0] ?? [], rows.slice(1))}`;
  });
  return markup`<section><h2>${t('ui:ramp.title')}</h2>
<p class="note">${t('report:ramp.curveNote')}</p>
<div class="curves"><svg viewBox="0 0 ${CURVES.width} ${height}" font-family="system-ui, sans-serif" role="img" aria-label="${ramps
    .map((ramp) => rampSentence(ramp, t))
    .join('. ')}">${curves}</svg></div>
${tables}</section>`;
}

export function wordsSection(analysis: Analysis, t: Translate): Markup {
  const items = analysis.scenarios
    .filter(({ isNoiseFloor }) => !isNoiseFloor)
    .map((scenario) => markup`<li>${verdictText(scenario, analysis, t)}</li>`);
  return markup`<section><h2>${t('report:html.inWords')}</h2><ul>${items}</ul></section>`;
}

export function whySection(analysis: Analysis, t: Translate): Markup {
  const columns = FIGURE_COLUMNS.filter((column) =>
    analysis.scenarios.some(({ figures }) => figureText(column, figures, t) !== NO_VALUE),
  );
  if (columns.length === 0) return NONE;
  const sentences = whySentences(analysis, t);
  const said =
    sentences.length === 0
      ? markup`<p>${t('report:why.nothing')}</p>`
      : markup`<ul>${sentences.map(({ text }) => markup`<li>${text}</li>`)}</ul>`;
  const figures = scenarioTables(
    analysis,
    columns.map((column) => t(`report:why.columns.${column}`)),
    (scenario) => columns.map((column) => figureText(column, scenario.figures, t)),
    t,
  );
  return markup`<section><h2>${t('report:why.title')}</h2><p class="note">${t('report:why.lead')}</p>${said}${figures}</section>`;
}

export function numbersSection(state: RunState, analysis: Analysis, t: Translate): Markup {
  const tpcc = tpccFigures(state);
  const isTpcc = tpcc.size > 0;
  const { language } = t;
  const time = (us: number | undefined): string => formatLatency(us ?? null, language);
  const header = [
    t('ui:result.tps'),
    ...(isTpcc ? [t('ui:result.newOrders'), t('ui:result.transactionsPerMinute')] : []),
    ...(['qps', 'mean', 'p50', 'p95', 'p99', 'max', 'errors', 'trialsMeasured'] as const).map((column) =>
      t(`ui:result.${column}`),
    ),
  ];
  const perMinute = (figures: TpccFigures | undefined): string[] => [
    formatRate(figures?.newOrdersPerMinute ?? null, language),
    formatRate(figures?.transactionsPerMinute ?? null, language),
  ];
  const cells = ({ id, tps, qps, latency, errors, measured, failed }: ScenarioAnalysis): string[] => [
    formatRate(tps, language),
    ...(isTpcc ? perMinute(tpcc.get(id)) : []),
    formatRate(qps, language),
    ...[latency?.meanUs, latency?.p50Us, latency?.p95Us, latency?.p99Us, latency?.maxUs].map(time),
    formatCount(
      Object.values(errors).reduce((sum, one) => sum + one, 0),
      language,
    ),
    t('ui:result.trialsOf', { measured, all: measured + failed }),
  ];
  const tables = scenarioTables(analysis, header, cells, t);
  return markup`<section><h2>${t('ui:result.numbers')}</h2>${tables}</section>`;
}

export function conditionsSection(state: RunState, t: Translate): Markup {
  const { plan } = state;
  const setups = plan.setups.map(
    (setup) => markup`${plan.setups.length === 1 ? NONE : markup`<h3>${setupText(setup, t) ?? ''}</h3>`}
<p>${plan.setups.length > 1 ? imageText(setup.image, t) : serversText(plan, t)}</p>
${facts(setupFacts(setup, plan, t))}
${setup.native === null ? NONE : markup`<p class="note">${t('ui:result.server')}: <code>${setup.native.binary}</code></p>`}
${codes(setup.options)}`,
  );
  const contents = imageContents(plan).map((content) => markup`<p class="note"><code>${content}</code></p>`);
  const schedule: Fact = [
    t('ui:plan.rounds'),
    `${formatCount(plan.schedule.rounds, t.language)}; ${t('ui:plan.roundsNote', {
      warmup: formatDuration(plan.schedule.warmupSeconds * 1000, t.language),
      duration: formatDuration(plan.schedule.durationSeconds * 1000, t.language),
    })}`,
  ];
  return markup`<section><h2>${t('ui:result.settings')}</h2>${setups}${contents}</section>
<section><h2>${t('ui:plan.load')}</h2>${facts([...loadFacts(plan, t), schedule])}</section>
${serversSection(state, t)}`;
}

function serversSection({ servers }: RunState, t: Translate): Markup {
  const known = Object.entries(servers).flatMap(([id, one]) =>
    one.facts === null ? [] : [{ id, ...one.facts }],
  );
  if (known.length === 0) return NONE;
  const items = known.map(({ id, version, versionComment, datadirFileSystem, options, variables }) => {
    const read = Object.entries(variables).map(([name, value]) => `${name} = ${value}`);
    return markup`<h3>${id}</h3><p>${version} ${versionComment} · ${t('ui:result.mount')}: <code>${
      datadirFileSystem ?? t('ui:result.mountUnknown')
    }</code></p>${details(t('ui:result.optionsCount', { count: options.length }), options)}${details(
      t('report:html.variables', { count: read.length }),
      read,
    )}`;
  });
  return markup`<section><h2>${t('ui:result.servers')}</h2>${items}</section>`;
}

export function passportSection({ plan }: RunState, t: Translate): Markup {
  const { passport, runtimeId } = plan;
  // Only if included.
  const context = runtimeId.includes(':') ? [[t('report:html.context'), runtimeId] satisfies Fact] : [];
  return markup`<section><h2>${t('ui:passport.title')}</h2><p class="verdict">${passport.runtime.name}</p>${facts(
    [...passportFacts(passport, t), ...passportDetails(passport, t), ...context],
  )}</section>`;
}

/** Failed trials and excluded scenarios. */
export function troubleSections(state: RunState, t: Translate): Markup {
  const failures = failureGroups(state).map(({ name, rounds, error }) => {
    const { message, hint, evidence } = errorText(error, t);
    const about = { name, rounds: rounds.join(t('report:list.items')), count: rounds.length };
    return markup`<li><strong>${t('ui:result.problemTitle', about)}</strong><br>${message} <code>${error.code}</code>
<br><span class="soft">${hint}</span>${details(t('ui:common.evidence'), evidence)}</li>`;
  });
  const excluded = state.plan.excluded.map(
    ({ name, reason }) =>
      markup`<li><strong>${asSentence(name, t)}</strong><br>${messageText(reason, t)}</li>`,
  );
  const list = (title: string, items: Markup[]): Markup =>
    items.length === 0 ? NONE : markup`<section><h2>${title}</h2><ul>${items}</ul></section>`;
  return markup`${list(t('ui:result.problems'), failures)}
${list(t('ui:result.excluded'), excluded)}`;
}

/** One table, or one per baseline with the same columns. */
function scenarioTables(
  analysis: Analysis,
  header: string[],
  cells: (scenario: ScenarioAnalysis) => string[],
  t: Translate,
): Markup[] {
  return comparisonsOf(analysis).map((comparison) => {
    const where = whereText(comparison, t);
    const rows = comparison.scenarios.map((scenario) => [
      asSentence(labelText(scenario.label, t, comparison), t),
      ...cells(scenario),
    ]);
    return markup`${where === undefined ? NONE : markup`<h3>${asSentence(where, t)}</h3>`}${table(
      [t('report:table.scenario'), ...header],
      rows,
    )}`;
  });
}

function table([first = '', ...header]: string[], rows: string[][]): Markup {
  return markup`<div class="scroll"><table><thead><tr><th scope="col">${first}</th>${header.map(
    (name) => markup`<th scope="col" class="number">${name}</th>`,
  )}</tr></thead><tbody>
${rows.map(
  ([name = '', ...cells]) =>
    markup`<tr><th scope="row">${name}</th>${cells.map((cell) => markup`<td class="number">${cell}</td>`)}</tr>`,
)}
</tbody></table></div>`;
}

function facts(list: Fact[]): Markup {
  return markup`<dl>${list.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function codes(lines: readonly string[]): Markup {
  if (lines.length === 0) return NONE;
  return markup`<ul class="codes">${lines.map((line) => markup`<li><code>${line}</code></li>`)}</ul>`;
}

/** Opens without a script. */
function details(summary: string, lines: readonly string[]): Markup {
  return lines.length === 0 ? NONE : markup`<details><summary>${summary}</summary>${codes(lines)}</details>`;
}
