import { readFile, stat } from 'node:fs/promises';
import * as z from 'zod';
import { analyze } from '../../shared/analysis/analyze.ts';
import { recentRunSchema, type RecentRun } from '../../shared/model/history-entry.ts';
import { scenarioCount } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { failedTrials } from '../../shared/run/failures.ts';
import { serverNames } from '../../shared/words/provenance.ts';
import { replaceFile } from '../files/replace-file.ts';

/** The cache counts as missing if broken or made from another file. */
const FORMAT = 'whalemark-listed';
const VERSION = 1;

const fileSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  source: z.object({ bytes: z.number(), modifiedMs: z.number() }),
  run: recentRunSchema,
});

export function recentRunOf(run: RunState): RecentRun | null {
  const { runId, plan, startedAt, outcome } = run;
  if (outcome === null) return null;
  const { runtime, host } = plan.engines[0].passport;
  const { name, vm, rootless, cpus, memoryBytes, kind, engineVersion, kernel } = runtime;
  return {
    runId,
    name: plan.preset.name,
    startedAt,
    outcome,
    scenarios: scenarioCount(plan),
    failed: failedTrials(run).length,
    headline: analyze(run).headline,
    machine: { name, vm, rootless, cpus, memoryBytes, kind, engineVersion, kernel },
    host: { platform: host.platform, release: host.release },
    servers: serverNames(plan),
  };
}

export async function saveListed(path: string, sourcePath: string, run: RecentRun): Promise<void> {
  const file = { format: FORMAT, version: VERSION, source: await identityOf(sourcePath), run };
  await replaceFile(path, `${JSON.stringify(file)}\n`);
}

export async function loadListed(path: string, sourcePath: string): Promise<RecentRun | undefined> {
  try {
    const { source, run } = fileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    const { bytes, modifiedMs } = await identityOf(sourcePath);
    return source.bytes === bytes && source.modifiedMs === modifiedMs ? run : undefined;
  } catch {
    return undefined;
  }
}

async function identityOf(sourcePath: string): Promise<z.infer<typeof fileSchema>['source']> {
  const { size, mtimeMs } = await stat(sourcePath);
  return { bytes: size, modifiedMs: mtimeMs };
}
