import { dirname, resolve } from 'node:path';
import { checkTargets, writeExport } from '../../benchmark/report/export.ts';
import { escapeXml } from '../../shared/pictures/svg.ts';
import type { RunOutline } from '../../shared/model/run-state.ts';
import { pausedMs } from '../../shared/run/progress.ts';
import { type ChangeCondition, type JudgedCondition, reasonText } from '../conditions.ts';
import { usage } from '../exit-codes.ts';
import { writableFolder } from './out-folder.ts';

export interface GateOptions<Condition extends ChangeCondition> {
  failIf?: Condition[] | undefined;
  junit?: string | undefined;
  force?: boolean | undefined;
}

export async function checkJunit(
  { failIf, junit, force: overwrite = false }: GateOptions<ChangeCondition>,
  command: string,
  taken: readonly string[],
): Promise<void> {
  if (junit === undefined) return;
  if (failIf === undefined) throw usage('--junit needs --fail-if.', command);
  if (taken.some((one) => resolve(one) === resolve(junit))) {
    throw usage(`--junit would overwrite the result file ${junit}. Choose another file.`, command);
  }
  await writableFolder(dirname(junit));
  await checkTargets([junit], { overwrite });
}

export async function writeJunit(
  { junit, force: overwrite = false }: GateOptions<ChangeCondition>,
  conditions: readonly JudgedCondition[],
  runs: readonly RunOutline[],
): Promise<void> {
  if (junit === undefined) return;
  await writeExport(junit, Buffer.from(junitXml(conditions, runs), 'utf8'), { overwrite });
}

/** A test suite with a case per condition. Times in seconds. */
export function junitXml(conditions: readonly JudgedCondition[], runs: readonly RunOutline[]): string {
  const [first] = runs;
  const ms = runs.reduce((sum, run) => sum + durationMs(run), 0);
  const count = (wanted: string): number => conditions.filter(({ outcome }) => outcome === wanted).length;
  const name = `whalemark.${first?.plan.preset.id ?? ''}`;
  const suite = attributes({
    name,
    tests: conditions.length,
    failures: count('true'),
    errors: 0,
    skipped: count('inconclusive'),
    time: ms / 1000,
    timestamp: new Date(first?.startedAt ?? 0).toISOString(),
  });
  const cases = conditions.map((one) => {
    const opening = `  <testcase${attributes({ classname: name, name: one.condition, time: 0 })}`;
    const message = reasonText(one);
    switch (one.outcome) {
      case 'true':
        return `${opening}>\n    <failure${attributes({ message, type: 'condition' })}/>\n  </testcase>`;
      case 'inconclusive':
        return `${opening}>\n    <skipped${attributes({ message: `inconclusive: ${message}` })}/>\n  </testcase>`;
      case 'false':
        return `${opening}/>`;
    }
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuite${suite}>`, ...cases, '</testsuite>\n'].join(
    '\n',
  );
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

function durationMs(run: RunOutline): number {
  const end = run.finishedAt ?? run.startedAt;
  return Math.max(0, end - run.startedAt - pausedMs(run, run.startedAt, end));
}
