import { discoverRuntimes } from '../../benchmark/runtime/discovery/discover.ts';
import { withDockerFacts } from '../../benchmark/runtime/discovery/docker-facts.ts';
import { passportLines } from '../../benchmark/runtime/discovery/passport-text.ts';
import { logRuntimes } from '../../benchmark/runtime/runtime-log.ts';
import { dockerGuide } from '../../shared/docker/docker-guide.ts';
import { diagnoseDocker } from '../../shared/docker/docker-trouble.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { passportInUse, type RuntimeAttempt, type RuntimeReport } from '../../shared/model/passport.ts';
import { EXIT } from '../exit-codes.ts';
import type { JsonOption } from './results.ts';
import { print, printJson } from '../text/terminal.ts';

/** `whalemark doctor`: every place that was looked at, and the passport of the runtime in use. */
export async function doctor({ json }: JsonOption): Promise<number> {
  const report = await withDockerFacts(await discoverRuntimes({}));
  logRuntimes(report);
  const passport = passportInUse(report);
  if (json) {
    printJson({ ...report, passport: passport ?? null });
  } else {
    print(
      [
        ...report.attempts.map(describeAttempt),
        '',
        ...passportLines(passport),
        ...describeWayOut(report),
      ].join('\n'),
    );
  }
  return passport === undefined ? EXIT.noRuntime : EXIT.done;
}

function describeAttempt(attempt: RuntimeAttempt): string {
  const mark = attempt.chosen ? '●' : attempt.usable ? '○' : '✗';
  const head = `${mark} ${attempt.label} — ${attempt.endpoint}`;
  if (attempt.error !== null) return `${head}\n    ${attempt.error.message}\n    → ${attempt.error.hint}`;
  const name = attempt.passport?.runtime.name ?? '';
  const same = attempt.sameAs.length > 0 ? ` (same engine as ${attempt.sameAs.join(', ')})` : '';
  return `${head}\n    ${name}${same}`;
}

/** What to do where no runtime is usable; the same as the app says. */
function describeWayOut(report: RuntimeReport): string[] {
  const trouble = diagnoseDocker(report);
  if (trouble === undefined || report.facts === null) return [];
  const { title, lead, steps } = dockerGuide(trouble, report.facts, ENGLISH);
  const lines = steps.flatMap(({ text, command }, index) => [
    `  ${index + 1}. ${text}`,
    ...(command === null ? [] : [`       ${command}`]),
  ]);
  return ['', `${title}. ${lead}`, ...lines];
}
