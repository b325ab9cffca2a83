import { datasetCache } from '../../benchmark/servers/dataset/dataset-cache.ts';
import type { InstallationPaths } from '../../benchmark/installation/installation.ts';
import { findLeftovers, removeLeftovers } from '../../benchmark/run/leftovers.ts';
import { RunStore } from '../../benchmark/store/run-store.ts';
import { connectRuntime, findEngines } from '../../benchmark/runtime/engine/dockerode-runtime.ts';
import type { FindEngines } from '../../benchmark/service.ts';
import type { RuntimeReport } from '../../shared/model/passport.ts';
import { contextName } from '../../shared/model/plan.ts';
import type { ContainerRuntime } from '../../benchmark/runtime/container-runtime.ts';
import { discoverRuntimes } from '../../benchmark/runtime/discovery/discover.ts';
import { logRuntimes } from '../../benchmark/runtime/runtime-log.ts';
import { note } from '../text/terminal.ts';
import { englishOf } from '../../shared/message.ts';
import type { Leftover, LeftThing } from '../../shared/model/leftovers.ts';
import { formatDuration } from '../../shared/units.ts';

export async function findRuntime(name: string | undefined, before?: string): Promise<ContainerRuntime> {
  return (await engineFinder(name, before)()).engines[0];
}

export const engineFinder = (name: string | undefined, before?: string): FindEngines => {
  return async (wanted, client) => {
    const report = await discoverRuntimes(name === undefined ? {} : { preferId: idOf(name) });
    logRuntimes(report);
    return findEngines(report, () => connectOne(report, name, before), wanted, client);
  };
};

function connectOne(
  report: RuntimeReport,
  name: string | undefined,
  before: string | undefined,
): ContainerRuntime {
  if (name === undefined) {
    const usable = report.attempts.find((attempt) => attempt.id === before && attempt.usable);
    return connectRuntime(report, usable?.id);
  }
  const context = report.attempts.find(({ id }) => id === idOf(name));
  return connectRuntime(report, context?.id ?? name);
}

/** Names of contexts contain no colon (Docker's CLI, context/store). */
function idOf(name: string): string {
  return name.includes(':') ? name : `context:${name}`;
}

export async function cleanUpBefore(
  runtimes: readonly ContainerRuntime[],
  installation: InstallationPaths,
): Promise<void> {
  const { dataDir, appVersion } = installation;
  await new RunStore(dataDir).recover();
  for (const runtime of runtimes) {
    const cache = datasetCache(runtime, installation);
    const { removed, failed } = await removeLeftovers(runtime, dataDir, appVersion, cache);
    if (removed.length > 0) note(`Removed leftovers of earlier runs: ${countsOf(removed)}.`);
    for (const { name, error } of failed) note(`Could not remove ${name}: ${error.message}`);
    const left = await findLeftovers(runtime, dataDir, cache);
    for (const line of undecidedLines(left.filter(({ consent }) => consent !== null))) note(line);
  }
}

/** `left` is undefined if the engine didn't answer. */
export function leftText(left: readonly LeftThing[] | undefined, runtimeIds: readonly string[]): string {
  if (left?.length === 0) return 'Nothing is left on the engine.';
  const what =
    left === undefined
      ? 'The engine doesn’t answer, so something may be left. Whalemark tries to remove it in the background'
      : `Left on the engine: ${countsOf(left)}. Whalemark removes this in the background, which takes seconds`;
  const commands = [...new Set(runtimeIds.map(contextName))].map((name) =>
    name === undefined || name === 'default' ? 'whalemark clean' : `whalemark clean --context ${name}`,
  );
  return `${what}. If something stays: ${commands.join(', ') || 'whalemark clean'}`;
}

function countsOf(things: readonly LeftThing[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of things) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`).join(', ');
}

export function leftoverLine({ kind, name, runId, since, owner, consent }: Leftover, now: number): string {
  const facts: string[] = [
    runId === null || runId === name ? '' : `run ${runId}`,
    owner === null ? (consent === null ? 'its process has ended' : '') : englishOf(owner),
    since === null ? '' : `${formatDuration(Math.max(0, now - since))} old`,
  ];
  return `${kind} ${name}: ${facts.filter((fact) => fact !== '').join(', ')}`;
}

export function undecidedLines(left: readonly Leftover[]): string[] {
  const engines = left.filter(({ kind }) => kind === 'engine');
  const others = left.length - engines.length;
  const lines = engines.map(
    ({ runId, name }) =>
      `Run ${runId ?? ''} may have left resources on ${name}. To remove them: ` +
      `whalemark clean --context ${name.replace(/^context:/, '').replace(/ .*$/, '')}`,
  );
  if (others > 0)
    lines.push(
      `${others} leftover resources may belong to processes not visible from here. To list them: whalemark clean --all`,
    );
  return lines;
}
