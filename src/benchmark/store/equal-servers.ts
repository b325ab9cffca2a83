import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { speedsOf } from '../../shared/analysis/samples.ts';
import { nullContrastsOf } from '../../shared/analysis/servers-apart.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { SERVERS_APART, serversApart, withoutEffects } from '../../shared/statistics/components.ts';
import { jsonOf } from '../files/json.ts';
import { replaceFile } from '../files/replace-file.ts';

/** Numbers alone, from this machine's earlier runs. */
export const EQUAL_SERVERS = 'equal-servers.json';
const MOST_RUNS = 50;
/** With more degrees of freedom, a run's own figures would hardly count. */
const MOST_DEGREES = 20;

const contrastSchema = z.object({
  mean: z.number(),
  variance: z.number().nonnegative(),
  degrees: z.number().nonnegative(),
  share: z.number().nonnegative(),
});
/** Null contrasts by run. */
const recordSchema = z.array(z.array(contrastSchema));
type EqualServers = z.infer<typeof recordSchema>;

async function readRecord(dataDir: string): Promise<EqualServers> {
  const text = await readFile(join(dataDir, EQUAL_SERVERS), 'utf8').catch(() => undefined);
  return recordSchema.safeParse(jsonOf(text)).data ?? [];
}

/** Undefined without a record of this machine. */
export async function expectedApart(
  engines: Plan['engines'],
  dataDir: string | undefined,
): Promise<Plan['serversApart']> {
  if (dataDir === undefined || areElsewhere(engines)) return undefined;
  const runs = await readRecord(dataDir);
  if (runs.length === 0) return undefined;
  const { variance, degrees } = serversApart(runs.flat(), SERVERS_APART);
  return { variance, degrees: Math.min(MOST_DEGREES, degrees), runs: runs.length };
}

/** Rejects with system errors. */
export async function noteEqualServers(
  dataDir: string,
  { outcome, plan, trials }: Pick<RunState, 'outcome' | 'plan' | 'trials'>,
): Promise<void> {
  const isSideBySide = plan.task === null && plan.schedule.sliceSeconds !== undefined;
  if (outcome !== 'completed' || !isSideBySide || areElsewhere(plan.engines)) return;
  const speeds = speedsOf(trials);
  const { start, clone } = nullContrastsOf(plan.scenarios, speeds, plan.serversApart ?? SERVERS_APART);
  const own = withoutEffects([...start, ...clone]);
  if (own.length === 0) return;
  const record = [...(await readRecord(dataDir)), own].slice(-MOST_RUNS);
  await replaceFile(join(dataDir, EQUAL_SERVERS), `${JSON.stringify(record)}\n`);
}

function areElsewhere(engines: Plan['engines']): boolean {
  return engines.some(({ passport }) => passport.runtime.remote);
}
