import { rename, rm, writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { analyse } from '../../shared/analyse.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { createTranslator, type Language, type Translate } from '../../shared/i18n.ts';
import type { ExportFormat } from '../../shared/requests/results.ts';
import type { Analysis } from '../../shared/model/analysis.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { PrivateKind } from '../../shared/model/sharing.ts';
import { runIn } from '../../shared/plan-in-words.ts';
import {
  machineText,
  methodText,
  publishedBaselineText,
  publishedText,
  serversText,
} from '../../shared/provenance.ts';
import { rampSentence } from '../../shared/ramp-wording.ts';
import { serialiseResult } from '../../shared/result-file.ts';
import { sharingText } from '../../shared/sharing-wording.ts';
import { formatRatio } from '../../shared/units.ts';
import { whySentences } from '../../shared/why-wording.ts';
import { headlineDetail, headlineText, verdictText } from '../../shared/wording.ts';
import { draftOf } from '../replace-file.ts';
import { summaryCsv, windowsCsv } from './csv.ts';
import { htmlReport } from './html/report.ts';
import { markdownReport } from './markdown.ts';
import { withPngTexts } from './png-text.ts';
import { renderPng, type PngAssets } from './png.ts';
import { shareable, type OwnNames, type Shareable } from './shareable.ts';
import { shareCard } from './share-card.ts';

/** How an export is made; without it in English, with nothing private in it. */
export interface ExportOptions {
  language?: Language;
  include?: readonly PrivateKind[];
}

/**
 * The bytes of an export, whatever there is of a run: partial results, failures and an unmeasured baseline included.
 * No host or user name, path or address goes into any of them unless its kind is included. `assets` is only asked for
 * when a picture is drawn.
 */
export async function renderExport(
  format: ExportFormat,
  state: RunState,
  assets: () => Promise<PngAssets>,
  { language = 'en', include = [] }: ExportOptions = {},
): Promise<Uint8Array> {
  return renderShareable(format, shareable(state, ownNames(), include), assets, createTranslator(language));
}

/** The bytes of an export of what may be given away as it is. */
export async function renderShareable(
  format: ExportFormat,
  shared: Shareable,
  assets: () => Promise<PngAssets>,
  t: Translate,
): Promise<Uint8Array> {
  const { state, sharing } = shared;
  // Data stays as it was measured; what is read speaks the reader's language.
  const said: Shareable = { state: runIn(state, t.language), sharing };
  const analysis = (): Analysis => analyse(said.state, { language: t.language });
  switch (format) {
    case 'csv':
      return utf8(summaryCsv(shared, analyse(state)));
    case 'windows-csv':
      return utf8(windowsCsv(state));
    case 'json':
      return utf8(serialiseResult(state, sharing));
    case 'html':
      return utf8(htmlReport(said, analysis(), t));
    case 'md':
      return utf8(markdownReport(said, analysis(), t));
    case 'png': {
      const drawn = analysis();
      const png = await renderPng(shareCard(said.state, drawn, t), await assets());
      return withPngTexts(png, pictureTexts(said, drawn, t));
    }
  }
}

/** Writes beside the target first and renames then, so that nobody ever sees half a file. Rejects with EXPORT_FAILED. */
export async function writeExport(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = draftOf(path);
  try {
    await writeFile(unfinished, bytes, { flag: 'wx' });
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    const reason = cause instanceof Error ? cause.message.replaceAll(unfinished, path) : String(cause);
    throw new BenchmarkError('EXPORT_FAILED', { reason }, { cause });
  }
}

/** What the picture shows, as text within it. */
function pictureTexts(
  { state, sharing }: Shareable,
  analysis: Analysis,
  t: Translate,
): Record<string, string> {
  return {
    Title: state.plan.preset.question,
    Headline: headlineText(analysis, t),
    Description: [
      headlineDetail(analysis, t),
      ...analysis.scenarios.map((one) => verdictText(one, analysis, t)),
      ...analysis.ramps.map((ramp) => rampSentence(ramp, t)),
      ...whySentences(analysis, t).map(({ text }) => text),
    ].join('\n'),
    Servers: serversText(state.plan, t),
    Machine: machineText(state, t),
    Method: methodText(state, analysis, t),
    ...publishedTexts(state, analysis, t),
    Privacy: sharingText(sharing, t),
    Run: state.runId,
    Software: `Whalemark ${state.appVersion}`,
  };
}

/** The numbers behind the hollow bars, and where they come from. */
function publishedTexts({ plan }: RunState, analysis: Analysis, t: Translate): Record<string, string> {
  if (plan.reference === null) return {};
  const figures = analysis.scenarios.flatMap(({ name, reference }) =>
    reference === null ? [] : [`${name}: ${formatRatio(reference.ratio)} (${reference.label})`],
  );
  const { url } = plan.reference;
  const source = [publishedText(plan.reference, t), ...(url === null ? [] : [url])].join(' ');
  return { Published: [source, publishedBaselineText(analysis, t), ...figures].join('\n') };
}

/** Names of this machine and its user; where the system knows no user there is none to hide. */
export function ownNames(): OwnNames {
  const host = hostname();
  try {
    return { host, user: userInfo().username };
  } catch {
    // A process without an entry in the user database.
    return { host };
  }
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}
