import type { Plan } from '../../shared/model/plan.ts';
import { formatBytes, formatDuration } from '../../shared/units.ts';
import { parse } from '../args.ts';
import { EXIT } from '../exit-codes.ts';
import { PLAN_OPTIONS, planFrom } from '../plan-options.ts';
import { print } from '../terminal.ts';

/** `whalemark plan` */
export async function planCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv, PLAN_OPTIONS, 1);
  const { plan } = await planFrom(positionals[0], values);
  print(values.json === true ? JSON.stringify(plan, null, 2) : describePlan(plan));
  return EXIT.done;
}

/** What would run, in words. */
export function describePlan(plan: Plan): string {
  const { schedule, workload, image } = plan;
  const width = Math.max(...plan.scenarios.map(({ id }) => id.length));
  return [
    `${plan.preset.name} — ${plan.preset.question}`,
    `Image: ${image.used}${image.version === null ? '' : ` (${image.flavour ?? ''} ${image.version})`}`,
    `Load: ${workload.kind}, ${workload.tables} × ${workload.tableSize} rows (${formatBytes(plan.estimate.dataBytes)}), ${plan.connections} connections`,
    `Schedule: ${schedule.rounds} rounds × ${plan.scenarios.length} scenarios × (${schedule.warmupSeconds} s warm-up + ${schedule.durationSeconds} s), seed ${plan.seed}`,
    `Takes about ${formatDuration(plan.estimate.seconds * 1000)} and ${formatBytes(plan.estimate.diskBytes)} of disk while it runs`,
    ...plan.toPrepare.map(({ kind, reference }) => `To ${kind} first: ${reference}`),
    '',
    ...plan.scenarios.map(
      ({ id, name, isBaseline }) => `  ${id.padEnd(width)}  ${name}${isBaseline ? ' (baseline)' : ''}`,
    ),
    ...plan.excluded.map(({ id, reason }) => `  ${id.padEnd(width)}  can't run here: ${reason}`),
    ...plan.notices.map(({ message }) => `! ${message}`),
  ].join('\n');
}
