import { discoverRuntimes } from '../../benchmark/runtime/discover.ts';
import { withDockerFacts } from '../../benchmark/runtime/docker-facts.ts';
import { dockerGuide } from '../../shared/docker-guide.ts';
import { diagnoseDocker } from '../../shared/docker-trouble.ts';
import { createTranslator } from '../../shared/i18n.ts';
import {
  passportInUse,
  type Passport,
  type RuntimeAttempt,
  type RuntimeReport,
} from '../../shared/model/passport.ts';
import { formatBytes } from '../../shared/units.ts';
import { parse } from '../args.ts';
import { EXIT } from '../exit-codes.ts';
import { print, printJson } from '../terminal.ts';

/** `whalemark doctor`: every place that was looked at, and the passport of the runtime in use. */
export async function doctorCommand(argv: string[]): Promise<number> {
  const { values } = parse(argv, { json: { type: 'boolean' } }, 0);
  const report = await withDockerFacts(await discoverRuntimes({}));
  const passport = passportInUse(report);
  if (values.json === true) {
    printJson({ ...report, passport: passport ?? null });
  } else {
    print(
      [
        ...report.attempts.map(describeAttempt),
        '',
        ...describePassport(passport),
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

function describePassport(passport: Passport | undefined): string[] {
  if (passport === undefined) return ['No usable runtime.'];
  const { runtime, host } = passport;
  return [
    `In use: ${runtime.name}, ${runtime.vm ? 'in a virtual machine' : 'native'}`,
    `  engine ${runtime.engineVersion} (API ${runtime.apiVersion}), storage driver ${runtime.storageDriver}`,
    `  containers: ${runtime.cpus} CPUs, ${formatBytes(runtime.memoryBytes)}`,
    `  host: ${host.cpus} CPUs (${host.cpuModel}), ${formatBytes(host.memoryBytes)}, ${host.platform} ${host.release}`,
    `  file sharing: ${runtime.fileSharing} (${runtime.fileSharingEvidence})`,
    `  host networking: ${runtime.hostNetworking ? 'yes' : 'no'}`,
  ];
}

/** What to do where no runtime is usable; the same as the app says. */
function describeWayOut(report: RuntimeReport): string[] {
  const trouble = diagnoseDocker(report);
  if (trouble === undefined || report.facts === null) return [];
  const { title, lead, steps } = dockerGuide(trouble, report.facts, createTranslator('en'));
  const lines = steps.flatMap(({ text, command }, index) => [
    `  ${index + 1}. ${text}`,
    ...(command === null ? [] : [`       ${command}`]),
  ]);
  return ['', `${title}. ${lead}`, ...lines];
}
