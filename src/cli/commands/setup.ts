import { existsSync } from 'node:fs';
import { isFileName, openDatabase } from '../../benchmark/database/open-database.ts';
import { describedDatabase, type Description } from '../../benchmark/database/described.ts';
import { overridesOf } from '../../benchmark/database/database-overrides.ts';
import { whyNoOverride } from '../../benchmark/compose/checked-override.ts';
import { requireWritable, writeOverride } from '../../benchmark/compose/write-override.ts';
import type { ContainerRuntime } from '../../benchmark/runtime/container-runtime.ts';
import { levelOf } from '../../shared/model/factors.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { englishOf } from '../../shared/message.ts';
import type { Plan } from '../../shared/model/plan.ts';
import {
  changeId,
  changeOf,
  type Database,
  type DatabaseChange,
  type DatabaseOverride,
  type DatabaseOverrides,
  type DatabaseService,
} from '../../shared/model/database.ts';
import { combinationOf, keepsWhatIsNeeded } from '../../shared/compose/changes.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { openChangesText, overrideLines, withoutTexts } from '../../shared/words/override-wording.ts';
import { EXIT, usage } from '../exit-codes.ts';
import type { Timed } from '../../benchmark/context/own-task.ts';
import type { FindEngines } from '../../benchmark/service.ts';
import { whalemark } from '../installation.ts';
import type { DatabaseOptions } from '../plan-command.ts';
import { engineFinder, findRuntime } from '../run/runtime.ts';
import { configText, serviceJson, setupCommand } from '../text/database-text.ts';
import { print, printJson } from '../text/terminal.ts';
import { type Conclusion, measure, showPlan } from './run.ts';

export async function ownDatabase(targets: string[], options: DatabaseOptions): Promise<number> {
  return measureDatabase(targets, options, 'setup');
}

export async function measureDatabase(
  targets: string[],
  options: DatabaseOptions,
  command: 'setup' | 'time',
  timed?: Timed,
): Promise<number> {
  const [target = '.', ...files] = targets;
  const change = wantedChange(options);
  const combined = change?.factor === 'together' ? change : undefined;
  const runtime = await engineFor(target, options);
  const described = descriptionIn(targets, options);
  const database =
    described === undefined
      ? await openDatabase({
          ...{ target, files, runtime },
          profiles: options.profile ?? [],
          environment: process.env,
        })
      : await describedDatabase(described, runtime);
  const isMeasured = timed !== undefined || options.run === true || options.override === true;
  if (options.plan !== true && !isMeasured) {
    const isDecided = runtime !== undefined && canBePlanned(database, options);
    const shown = show(database, targets, options, isDecided);
    if (!isDecided) return shown;
  }
  const { name } = chosen(database, options, command);
  const isWritten = options.override === true && options.plan !== true;
  if (isWritten) await requireChangeable(database, command);
  const found: FindEngines = (wanted) =>
    runtime === undefined || wanted !== undefined
      ? engineFinder(options.context)(wanted)
      : Promise.resolve({ engines: [runtime] });
  const overrides = described === undefined ? options : { ...options, image: undefined };
  const planned = await whalemark.planDatabase(database, name, overrides, found, {
    ...{ timed, together: combined },
    dataBytes: options.dataSize,
  });
  if (options.plan === true || !isMeasured) return showPlan(planned, options, command);
  if (!isWritten) return measure(planned, options, command);
  if (change !== undefined && combined === undefined) requireMeasured(change, planned.plan);
  return measure(planned, options, command, async (state, analysis) => {
    const found = await overridesOf(state, analysis, change);
    const chosen = chooseOverride(found, change);
    if (chosen === undefined) return withoutOverride(found, change);
    await writeOverride(chosen);
    const together = command === 'setup' ? combinationOf(found.overrides) : undefined;
    return withOverride(chosen, together, { targets, options });
  });
}

async function requireChangeable({ source }: Database, command: 'setup' | 'time'): Promise<void> {
  const reason = await whyNoOverride(source);
  if (reason === undefined) return requireWritable(source);
  const instead = command === 'setup' ? 'To measure only: --run.' : 'To measure only, leave out --override.';
  throw usage(`--override: ${englishOf(reason)}`, command, instead);
}

function descriptionIn(
  targets: readonly string[],
  { image, tmpfs, env }: DatabaseOptions,
): Description | undefined {
  if (tmpfs === undefined && env === undefined) return undefined;
  if (image !== undefined && targets.length === 0) return { image, tmpfs, env };
  throw usage(
    '--tmpfs and --env describe a container without a file: use them with --image, and name no file.',
    'setup',
  );
}

export async function engineFor(
  target: string,
  { context }: { context?: string | undefined },
): Promise<ContainerRuntime | undefined> {
  try {
    return await findRuntime(context);
  } catch (error) {
    const isOptional = context === undefined && (existsSync(target) || isFileName(target));
    if (!isOptional || !(error instanceof BenchmarkError)) throw error;
    return undefined;
  }
}

function canBePlanned({ services }: Database, { service, json }: DatabaseOptions): boolean {
  const wanted = services.filter(({ name }) => service === undefined || name === service);
  return json !== true && wanted.length === 1 && wanted[0]?.refusal === null;
}

function show(database: Database, targets: string[], options: DatabaseOptions, isPlanNext: boolean): number {
  const services = options.service === undefined ? database.services : [chosen(database, options, 'setup')];
  if (options.json === true) printJson({ source: database.source, services: services.map(serviceJson) });
  else print(configText({ ...database, services }, targets, options, isPlanNext));
  return services.some(({ refusal }) => refusal === null) ? EXIT.done : EXIT.usage;
}

export function chosen(
  { services }: Database,
  { service }: { service?: string | undefined },
  command: 'setup' | 'time',
): DatabaseService {
  const [only, ...others] = services;
  const found = service === undefined ? only : services.find(({ name }) => name === service);
  if (found !== undefined && (service !== undefined || others.length === 0)) return found;
  const problem =
    service === undefined
      ? `There are ${services.length} database services; choose one with --service.`
      : `--service ${service}: there is no such database service.`;
  throw usage(problem, command, `Allowed: ${services.map(({ name }) => name).join(', ')}.`);
}

function wantedChange({ change, override }: DatabaseOptions): DatabaseChange | undefined {
  if (change === undefined) return undefined;
  const wanted = changeOf(change);
  if (wanted === undefined) {
    throw usage(
      `--change ${change}: use FACTOR.LEVEL, such as path.host-network, and join several with +.`,
      'setup',
    );
  }
  if (override !== true) throw usage('--change needs --override, which writes the change.', 'setup');
  return wanted;
}

export function requireMeasured(wanted: DatabaseChange, { scenarios, baselineId }: Plan): void {
  const base = scenarios.find(({ id }) => id === baselineId);
  const measured = (['storage', 'path', 'server'] as const).flatMap((factor) => {
    const levels = new Set(scenarios.map((scenario) => levelOf(scenario, factor)));
    if (base !== undefined) levels.delete(levelOf(base, factor));
    return [...levels].map((level) => ({ factor, level }));
  });
  if (measured.some((change) => isSame(change, wanted))) return;
  const allowed = measured.map(({ factor, level }) => `${factor}.${level}`).join(', ');
  throw usage(
    `--change ${wanted.factor}.${wanted.level}: the plan doesn’t measure it.`,
    'setup',
    `Allowed: ${allowed}.`,
  );
}

function isSame(a: DatabaseChange, b: DatabaseChange): boolean {
  return a.factor === b.factor && a.level === b.level;
}

export function chooseOverride(
  { overrides }: DatabaseOverrides,
  wanted: DatabaseChange | undefined,
): DatabaseOverride | undefined {
  if (wanted !== undefined) return overrides.find(({ change }) => isSame(change, wanted));
  return overrides.find(({ change }) => keepsWhatIsNeeded(change));
}

function withOverride(
  chosen: DatabaseOverride,
  together: DatabaseChange | undefined,
  { targets, options }: { targets: string[]; options: DatabaseOptions },
): Conclusion {
  const { file, change, gain, moves, notes } = chosen;
  const said = overrideLines(chosen, ENGLISH).map((line) => `  ${line}`.trimEnd());
  const next =
    together === undefined
      ? ''
      : `\n\nMore than one change won. To measure them together:\n  ${setupCommand(targets, { ...options, change: changeId(together) })}`;
  return {
    json: {
      override: { file, change, gain, moves, notes: notes.map(({ text }) => text) },
      together: together === undefined ? null : changeId(together),
    },
    text: `\nWritten: ${file}\n${said.join('\n')}${next}`,
  };
}

function withoutOverride(
  { overrides, without }: DatabaseOverrides,
  wanted: DatabaseChange | undefined,
): Conclusion {
  const asked = without.filter(({ change }) => wanted === undefined || isSame(change, wanted));
  const open = openChangesText({ overrides, without: asked }, ENGLISH);
  const lines = [
    ...(open === undefined ? [] : [open]),
    ...withoutTexts({ overrides, without: asked }, ENGLISH),
  ];
  const others = overrides.map(({ change }) => changeId(change)).join(', ');
  return {
    json: {
      override: null,
      without: without.map(({ change, reason }) => ({ ...change, reason: reason.text })),
    },
    text: [
      '\nNo change was written.',
      ...lines.map((line) => `\n  ${line}`),
      ...(others === '' ? [] : [`\nChanges that can be chosen with --change: ${others}`]),
    ].join(''),
  };
}
