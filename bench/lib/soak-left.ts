import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { homeId } from '../../src/benchmark/servers/dataset/dataset-records.ts';
import type { ContainerRuntime } from '../../src/benchmark/runtime/container-runtime.ts';
import { DATASET_HOME_LABEL, DATASET_LABEL, RUN_LABEL } from '../../src/benchmark/runtime/labels.ts';
import type { App } from './app.ts';
import { runIdsOf } from './journal.ts';
import { commandOf } from './processes.ts';

/** Processes and files that are there when nothing is measured, taken once before the first run. */
export interface Untouched {
  temporary: ReadonlySet<string>;
  processes: ReadonlySet<number>;
}

export async function untouched(home: string, app: App): Promise<Untouched> {
  return { temporary: new Set(temporaryFiles(home)), processes: new Set(await processesOf(app)) };
}

/**
 * Everything of the data folder's runs that is still somewhere: on the engine, in its folders, among the temporary files and
 * the processes. A line each; empty when nothing is left.
 */
export async function leftBy(
  home: string,
  runtime: ContainerRuntime,
  app: App,
  before: Untouched,
): Promise<string[]> {
  const runIds = new Set(await runIdsOf(home));
  const records = list(join(home, 'datasets'));
  const owned = (await runtime.listOwned()).filter(({ labels }) => runIds.has(labels[RUN_LABEL] ?? ''));
  const tables = (await runtime.volumes.list(DATASET_LABEL)).filter(
    ({ name, labels }) =>
      labels[DATASET_HOME_LABEL] === homeId(join(home, 'datasets')) && !records.includes(`${name}.json`),
  );
  const drafts = [...runIds].flatMap((runId) => {
    const known = new Set(['journal.ndjson', 'result.json', 'listed.json']);
    return list(join(home, 'runs', runId)).filter((name) => !known.has(name));
  });
  const processes = (await processesOf(app)).filter((pid) => !before.processes.has(pid));
  return [
    ...owned.map(({ kind, name }) => `${kind} ${name}`),
    ...tables.map(({ name }) => `tables ${name}`),
    ...list(join(home, 'bind')).map((name) => `folder ${name}`),
    ...drafts.map((name) => `file ${name}`),
    ...temporaryFiles(home)
      .filter((name) => !before.temporary.has(name))
      .map((name) => `temporary ${name}`),
    ...processes.map((pid) => `process ${pid} ${commandOf(pid).slice(0, 60)}`),
  ];
}

async function processesOf(app: App): Promise<number[]> {
  return (await app.processes()).map(({ pid }) => pid);
}

function temporaryFiles(home: string): string[] {
  return list(join(home, 'tmp'));
}

function list(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
