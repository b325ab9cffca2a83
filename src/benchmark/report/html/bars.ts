import type { Translate } from '../../../shared/words/i18n.ts';
import { MARK_SIGNS, markNotes, percentText } from '../../../shared/words/wording.ts';
import { MARKS, type Analysis, type Mark } from '../../../shared/model/analysis.ts';
import type { RunState } from '../../../shared/model/run-state.ts';
import { publishedBaselineText, publishedText } from '../../../shared/words/provenance.ts';
import { equivalenceZone } from '../../../shared/statistics/paired-ratio.ts';
import { NO_VALUE } from '../../../shared/words/units.ts';
import { axisEnd, ticks, type ChartGroup, type ChartRow } from '../chart-layout.ts';
import { axisName, chartGroups, chartTick, isCompared } from '../share-chart.ts';
import { markup, NONE, type Markup } from './markup.ts';

interface Axis {
  most: number;
  compared: boolean;
  zone: [number, number];
}

/** The share card's chart as tables, one per comparison. */
export function barsSection(state: RunState, analysis: Analysis, t: Translate): Markup {
  const groups = chartGroups(state, analysis, t);
  const compared = isCompared(analysis);
  const rows = groups.flatMap((group) => group.rows);
  const axis: Axis = {
    most: axisEnd(rows, compared ? 1 : 0),
    compared,
    zone: equivalenceZone(analysis.equivalence),
  };
  const published = rows.some((row) => row.published !== null) ? state.plan.reference : null;
  const key = t(`report:card.${axisName(analysis, groups.length > 1)}`, {
    confidence: percentText(analysis.confidence, t),
  });
  return markup`<section><h2>${t('report:html.comparison')}</h2>
${definitions()}
${compared ? markup`<p class="note">${key}</p>` : NONE}
${groups.map((group) => groupTable(group, axis, t))}
${markNotes(analysis, t).map(({ mark, text }) => markup`<p class="note">${swatch(mark)} ${MARK_SIGNS[mark]} ${text}</p>`)}
${
  published === null
    ? NONE
    : markup`<p class="note">${t('report:card.published', { line: publishedText(published, t) })}. ${publishedBaselineText(analysis, t)} ${published.url ?? ''}</p>`
}
</section>`;
}

function groupTable({ title, rows }: ChartGroup, axis: Axis, t: Translate): Markup {
  return markup`${title === null ? NONE : markup`<h3>${title}</h3>`}
<div class="scroll"><table><thead><tr><th scope="col">${t('report:table.scenario')}</th><th scope="col" class="bar">${scale(rows, axis, t)}</th>
<th scope="col">${t('report:table.verdict')}</th><th scope="col" class="number">${t('report:html.rate')}</th></tr></thead><tbody>
${rows.map((row) => barRow(row, axis))}
</tbody></table></div>`;
}

function barRow(row: ChartRow, axis: Axis): Markup {
  const { label, tone, value, verdict, rates, remark, published } = row;
  return markup`<tr><th scope="row" class="${tone === 'baseline' ? 'baseline' : 'plain'}">${label}</th><td class="bar">${
    value === null ? markup`<span class="soft">${remark}</span>` : bar(row, value, axis)
  }${published === null ? NONE : publishedBar(published, axis)}</td><td class="verdict ${tone}">${
    verdict === '' ? NO_VALUE : verdict
  }</td><td class="number">${rates.length === 0 ? NO_VALUE : rates.join(' · ')}</td></tr>`;
}

/** Percent of the plot's width. */
function share(value: number, { most }: Axis): string {
  return `${Math.round((10_000 * Math.min(Math.max(0, value), most)) / most) / 100}%`;
}

function bar({ tone, marks, low, high }: ChartRow, value: number, axis: Axis): Markup {
  const width = share(value, axis);
  const fills = [tone, ...marks];
  const whiskers = low === null || high === null || tone === 'baseline' ? null : { low, high };
  return markup`<svg height="26" aria-hidden="true" focusable="false">${backdrop(axis, 26)}
${fills.map((fill) => markup`<rect x="0" y="4" width="${width}" height="18" rx="2" class="fill-${fill}"/>`)}
${whiskers === null ? NONE : whisker(whiskers.low, whiskers.high, axis)}</svg>`;
}

/** Dark with a light edge; an arrowhead beyond the axis. */
function whisker(low: number, high: number, axis: Axis): Markup {
  const [from, to] = [share(low, axis), share(high, axis)];
  return markup`${['whisker-edge', 'whisker'].map(
    (name) =>
      markup`<line x1="${from}" x2="${to}" y1="13" y2="13" class="${name}"/><line x1="${from}" x2="${from}" y1="8" y2="18" class="${name}"/>${
        high > axis.most
          ? markup`<svg x="${to}" overflow="visible"><path d="M-7 8L0 13L-7 18" class="${name}"/></svg>`
          : markup`<line x1="${to}" x2="${to}" y1="8" y2="18" class="${name}"/>`
      }`,
  )}`;
}

function publishedBar({ value, text }: { value: number; text: string }, axis: Axis): Markup {
  return markup`<svg height="12" aria-hidden="true" focusable="false"><rect x="1" y="1" width="${share(value, axis)}" height="9" class="hollow"/></svg><span class="note">${text}</span>`;
}

/** The zone of equivalence and the baseline. */
function backdrop({ compared, zone, ...axis }: Axis, height: number): Markup {
  const whole = { ...axis, compared, zone };
  if (!compared) return NONE;
  const [from, to] = zone;
  const width = `${Math.round((10_000 * (Math.min(to, axis.most) - from)) / axis.most) / 100}%`;
  return markup`<rect x="${share(from, whole)}" y="0" width="${width}" height="${height}" class="zone"/>
<line x1="${share(1, whole)}" x2="${share(1, whole)}" y1="0" y2="${height}" class="one"/>`;
}

function scale(rows: ChartRow[], axis: Axis, t: Translate): Markup {
  const drawn = rows.some(({ value, published }) => value !== null || published !== null);
  const marks = drawn ? ticks(axis.most) : [];
  return markup`<svg height="22" aria-hidden="true" focusable="false">${marks.map(
    (tick) =>
      markup`<text x="${share(tick, axis)}" y="13" class="tick">${chartTick(tick, axis.compared, t)}</text><line x1="${share(tick, axis)}" x2="${share(tick, axis)}" y1="17" y2="22" class="grid"/>`,
  )}</svg>`;
}

function swatch(mark: Mark): Markup {
  return markup`<svg width="26" height="11" aria-hidden="true" focusable="false"><rect width="26" height="11" class="fill-same"/><rect width="26" height="11" class="fill-${mark}"/></svg>`;
}

/** Bars without enough evidence are hatched; marks are patterns on top. */
function definitions(): Markup {
  const [cache, client] = MARKS;
  return markup`<svg class="definitions" aria-hidden="true" focusable="false"><defs>
<pattern id="unsettled" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" class="zone"/><rect width="3" height="7" class="hatch"/></pattern>
<pattern id="${cache}" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="2" height="9" class="hatch-paper" opacity="0.55"/><rect x="2" width="1" height="9" class="ink" opacity="0.7"/></pattern>
<pattern id="${client}" width="9" height="9" patternUnits="userSpaceOnUse"><circle cx="4.5" cy="4.5" r="2.1" class="hatch-paper" opacity="0.7"/><circle cx="4.5" cy="4.5" r="1.1" class="ink"/></pattern>
</defs></svg>`;
}
