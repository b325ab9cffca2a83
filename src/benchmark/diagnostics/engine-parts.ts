import { englishOf } from '../../shared/message.ts';
import { toErrorData, type ErrorData } from '../../shared/errors.ts';
import { failureGroups } from '../../shared/run/failures.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import type { RuntimeAttempt, RuntimeReport } from '../../shared/model/passport.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { DiagnosticsPart } from '../../shared/contract/requests/app.ts';
import { formatBytes } from '../../shared/units.ts';
import { headlineText } from '../../shared/words/wording.ts';
import { DatasetRecords } from '../servers/dataset/dataset-records.ts';
import type { InstallationPaths } from '../installation/installation.ts';
import type { Cleaner } from '../privacy/cleaner.ts';
import { cleanerFor, whoseMachine } from '../log/log.ts';
import { privatePlaces } from '../privacy/shareable-plan.ts';
import { RunStore } from '../store/run-store.ts';
import { namesIn } from '../runtime/runtime-log.ts';

const MOST_FAILURES = 10;
const MOST_EVIDENCE = 15;

/** Private details are left out. Never rejects. */
export async function engineParts(
  paths: Pick<InstallationPaths, 'dataDir' | 'datasetDir'>,
  look: () => Promise<RuntimeReport>,
): Promise<DiagnosticsPart[]> {
  const cleaner = cleanerFor(whoseMachine(paths.dataDir));
  const parts: [string, () => Promise<string[]>][] = [
    ['Docker', async () => dockerLines(await look(), cleaner)],
    ['Cached datasets', () => datasetLines(paths.datasetDir)],
    ['Last run', () => lastRunLines(new RunStore(paths.dataDir), cleaner)],
  ];
  return Promise.all(
    parts.map(async ([title, make]) => {
      const lines = await make().catch((error: unknown) => errorLines(toErrorData(error)));
      return { title, lines: lines.map(cleaner.text) };
    }),
  );
}

function dockerLines(report: RuntimeReport, cleaner: Cleaner): string[] {
  cleaner.learn(namesIn(report));
  const engines = report.attempts.flatMap(({ passport, says }) =>
    passport === null ? [] : JSON.stringify({ ...passport.runtime, says }),
  );
  const { facts } = report;
  return [
    ...report.attempts.flatMap(attemptLines),
    ...new Set(engines),
    ...(facts === null ? [] : [JSON.stringify({ ...facts, user: undefined, sockets: undefined })]),
  ];
}

function attemptLines({ id, source, label, chosen, passport, error }: RuntimeAttempt): string[] {
  const place = source === 'socket' ? label : id.replace(/:.*$/s, '');
  const [what = '', ...evidence] = error === null ? [passport?.runtime.name ?? ''] : errorLines(error);
  return [`${chosen ? 'chosen' : 'looked at'}: ${place}: ${what}`, ...evidence];
}

async function datasetLines(directory: string | null): Promise<string[]> {
  if (directory === null) return ['none are kept'];
  const records = await new DatasetRecords(directory).all();
  return [`${records.length}, ${formatBytes(records.reduce((sum, { bytes }) => sum + bytes, 0))}`];
}

async function lastRunLines(store: RunStore, cleaner: Cleaner): Promise<string[]> {
  const [last] = await store.recent(1);
  if (last === undefined) return ['none'];
  const run = await store.load(last.runId);
  cleaner.learn(privatePlaces(run.plan).map(({ word }) => word));
  const counts = new Map<string, number>();
  for (const { status } of run.trials) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [
    `${last.runId}, Whalemark ${run.appVersion}, ${run.plan.mode}: ${last.outcome}`,
    `headline: ${headlineText(last, ENGLISH)}`,
    `servers: ${last.servers.join(', ')}`,
    `trials: ${[...counts].map(([status, count]) => `${count} ${status}`).join(', ')}`,
    `notices: ${[...new Set(run.notices.map(({ code }) => code))].join(', ') || 'none'}`,
    ...failureLines(run),
  ];
}

function failureLines(run: RunState): string[] {
  const groups = failureGroups(run).slice(0, MOST_FAILURES);
  return [
    ...(run.error === null ? [] : errorLines(run.error)),
    ...run.steps.flatMap(({ error }) => (error === null ? [] : errorLines(error))),
    ...groups.flatMap(({ scenarioId, rounds, error }) => [
      `${scenarioId}, round ${rounds.join(', ')}:`,
      ...errorLines(error),
    ]),
  ];
}

function errorLines({ code, message, evidence }: ErrorData): string[] {
  return [`${code}: ${message}`, ...evidence.slice(-MOST_EVIDENCE).map((line) => `  ${englishOf(line)}`)];
}
