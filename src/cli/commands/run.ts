import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { datasetCache } from '../../benchmark/dataset/dataset-cache.ts';
import { loadInstallation } from '../../benchmark/installation.ts';
import { renderExport, writeExport } from '../../benchmark/report/export.ts';
import { loadPngAssets } from '../../benchmark/report/png.ts';
import { renderText } from '../../benchmark/report/text.ts';
import { removeLeftovers } from '../../benchmark/run/leftovers.ts';
import { RunStore } from '../../benchmark/run/run-store.ts';
import { startSession } from '../../benchmark/run/session.ts';
import { analyse } from '../../shared/analyse.ts';
import { failureGroups } from '../../shared/failures.ts';
import type { ExportFormat } from '../../shared/requests/results.ts';
import type { RunEvent } from '../../shared/model/events.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { exitCodeOfRun } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import { parsePlanArguments, planFrom } from '../plan-options.ts';
import { planText } from '../plan-text.ts';
import { progressLine } from '../progress.ts';
import { KEYS_HELP, listenToKeys, pauseIsOn } from '../run-keys.ts';
import { runSummary } from '../run-summary.ts';
import { note, print, printError } from '../terminal.ts';

/** Files that `--out` gets beside the result. */
const OUT_FILES: [ExportFormat, string][] = [
  ['json', 'result.json'],
  ['csv', 'summary.csv'],
  ['windows-csv', 'windows.csv'],
  ['png', 'card.png'],
  ['html', 'report.html'],
  ['md', 'report.md'],
];

/** `whalemark run`: one run from plan to report. */
export async function runPresetCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parsePlanArguments(argv);
  const { plan, runtime, consents, secrets } = await planFrom(positionals[0], values);
  // A folder that can't be written is found out before the run, not after it.
  if (values.out !== undefined) await mkdir(values.out, { recursive: true });
  const installation = await loadInstallation(paths);
  await new RunStore(installation.dataDir).recover();
  await removeLeftovers(
    runtime,
    installation.dataDir,
    installation.appVersion,
    datasetCache(runtime, installation),
  );

  note(planText(plan));
  note('');
  const onEvent = (event: RunEvent, state: RunState): void => {
    const line = progressLine(event, state);
    if (line !== undefined) note(line);
  };
  const session = await startSession(plan, runtime, installation, onEvent, {
    consents,
    secrets,
    freshDataset: values['fresh-dataset'] === true,
  });
  const stop = (): void => session.stop();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const stopListening = listenToKeys(process.stdin, {
    isPausing: () => pauseIsOn(session.state()),
    pause: () => session.pause(),
    resume: () => session.resume(),
    skip: () => session.skip(),
    interrupt: () => process.kill(process.pid, 'SIGINT'),
  });
  if (stopListening !== undefined) note(KEYS_HELP);
  const { state, resultPath, saveError } = await session.done;
  stopListening?.();
  process.removeListener('SIGINT', stop);
  process.removeListener('SIGTERM', stop);

  const path = values.out === undefined ? resultPath : await writeOut(values.out, state);
  const analysis = analyse(state);
  if (saveError !== null) printError(saveError);
  if (state.error !== null) printError(state.error);
  for (const { scenarioId, error, rounds } of failureGroups(state)) {
    note(`${scenarioId}, round ${rounds.join(', ')}: ${error.message} [${error.code}]`);
    note(`  → ${error.hint}`);
  }
  if (values.json === true) print(JSON.stringify(runSummary(state, analysis, path), null, 2));
  else print(`${renderText(state, analysis)}\nResult: ${path}`);
  return exitCodeOfRun(state);
}

async function writeOut(directory: string, state: RunState): Promise<string> {
  const assets = () => loadPngAssets(paths.assetsDir);
  for (const [format, name] of OUT_FILES) {
    await writeExport(join(directory, name), await renderExport(format, state, assets));
  }
  return join(directory, 'result.json');
}
