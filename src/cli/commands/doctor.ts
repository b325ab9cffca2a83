import { discoverRuntimes } from '../../benchmark/runtime/discover.ts';
import { passportInUse, type Passport, type RuntimeAttempt } from '../../shared/model/passport.ts';
import { formatBytes } from '../../shared/units.ts';
import { parse } from '../args.ts';
import { EXIT } from '../exit-codes.ts';
import { print } from '../terminal.ts';

/** `whalemark doctor`: every place that was looked at, and the passport of the runtime in use. */
export async function doctorCommand(argv: string[]): Promise<number> {
  const { values } = parse(argv, { json: { type: 'boolean' } }, 0);
  const report = await discoverRuntimes({});
  const passport = passportInUse(report);
  if (values.json === true) {
    print(JSON.stringify({ ...report, passport: passport ?? null }, null, 2));
  } else {
    print([...report.attempts.map(describeAttempt), '', ...describePassport(passport)].join('\n'));
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
