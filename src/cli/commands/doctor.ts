import { findCompose } from '../../benchmark/compose/find-compose.ts';
import { discoverRuntimes } from '../../benchmark/runtime/discovery/discover.ts';
import { withDockerFacts } from '../../benchmark/runtime/discovery/docker-facts.ts';
import { passportLines } from '../../benchmark/runtime/discovery/passport.ts';
import { logRuntimes } from '../../benchmark/runtime/runtime-log.ts';
import { messageOf } from '../../shared/errors.ts';
import { dockerGuide } from '../../shared/words/docker-guide.ts';
import { diagnoseDocker } from '../../shared/docker/docker-trouble.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import {
  emptyPlaces,
  passportInUse,
  type RuntimeAttempt,
  type RuntimeReport,
} from '../../shared/model/passport.ts';
import { EXIT } from '../exit-codes.ts';
import type { JsonOption } from './results.ts';
import { note, print, printJson } from '../text/terminal.ts';
import { diagnosticsText } from '../../benchmark/diagnostics/diagnostics.ts';
import { engineParts } from '../../benchmark/diagnostics/engine-parts.ts';
import { readLicenses } from '../../benchmark/installation/installation.ts';
import { SettingsStore } from '../../benchmark/installation/settings-store.ts';
import { checkTargets, writeExport } from '../../benchmark/report/export.ts';
import { paths } from '../installation.ts';
import type { OutOptions } from '../run/out-folder.ts';

export async function doctor({
  json,
  output: file,
  force: overwrite = false,
}: JsonOption & OutOptions): Promise<number> {
  if (file !== undefined) await checkTargets([file], { overwrite });
  const { report, passport, lines } = await doctorReport();
  if (file !== undefined) {
    const text = await diagnosticsText({
      dataDir: paths.dataDir,
      appVersion: paths.appVersion,
      program: [`terminal, Node.js ${process.versions.node}`],
      settings: new SettingsStore(paths.dataDir).current,
      engine: await engineParts(paths, () => Promise.resolve(report)),
    });
    await writeExport(file, Buffer.from(text), { overwrite });
    note(`Saved: ${file}. Read it before you share it.`);
  }
  if (json) printJson({ ...report, passport: passport ?? null });
  else print(await lines());
  return passport === undefined ? EXIT.noRuntime : EXIT.done;
}

export async function doctorReport() {
  const report = await withDockerFacts(await discoverRuntimes());
  logRuntimes(report);
  const passport = passportInUse(report);
  const empty = emptyPlaces(report);
  const lines = async (): Promise<string> =>
    [
      ...report.attempts.filter((one) => !empty.includes(one)).map(describeAttempt),
      ...(empty.length === 0 ? [] : [ENGLISH('ui:settings.emptyPlaces', { count: empty.length })]),
      '',
      ...passportLines(passport),
      await composeLine(),
      ...describeWayOut(report),
    ].join('\n');
  return { report, passport, lines };
}

async function composeLine(): Promise<string> {
  try {
    const { command, before, version } = await findCompose();
    return `Compose: ${version} (${[command, ...before].join(' ')})`;
  } catch (error) {
    return `Compose: ${messageOf(error)}`;
  }
}

function describeAttempt(attempt: RuntimeAttempt): string {
  const mark = attempt.chosen ? '●' : attempt.usable ? '○' : '✗';
  const head = `${mark} ${attempt.label} — ${attempt.endpoint}`;
  if (attempt.error !== null) return `${head}\n    ${attempt.error.message}\n    → ${attempt.error.hint}`;
  const name = attempt.passport?.runtime.name ?? '';
  const same = attempt.sameAs.length > 0 ? ` (same engine as ${attempt.sameAs.join(', ')})` : '';
  return `${head}\n    ${name}${same}`;
}

export function describeWayOut(report: RuntimeReport): string[] {
  const trouble = diagnoseDocker(report);
  if (trouble === undefined || report.facts === null) return [];
  const { title, lead, steps } = dockerGuide(trouble, report.facts, ENGLISH);
  const lines = steps.flatMap(({ text, command, engines = [] }, index) => [
    `  ${index + 1}. ${text}`,
    ...engines.map(({ id }) => `       whalemark run PRESET --context ${id.replace(/^context:/, '')}`),
    ...(command === null ? [] : [`       ${command}`]),
  ]);
  return ['', `${title}. ${lead}`, ...lines];
}

export async function licenses({ json }: JsonOption): Promise<number> {
  const all = await readLicenses(paths.assetsDir);
  if (json) {
    printJson(all);
    return EXIT.done;
  }
  const names = all.map(({ name, version }) => `${name} ${version}`);
  const width = Math.max(...names.map(({ length }) => length));
  print('Whalemark is free software under the Apache License 2.0. It contains:\n');
  for (const [index, { license }] of all.entries())
    print(`  ${(names[index] ?? '').padEnd(width)}  ${license}`);
  for (const [index, { license, source, text }] of all.entries()) {
    const about = [names[index], license, source].filter((part) => part !== null).join(' · ');
    print(`\n${'─'.repeat(78)}\n${about}\n\n${text}`);
  }
  return EXIT.done;
}
