import { existsSync } from 'node:fs';
import { checkTargets, writeExport } from '../../benchmark/report/export.ts';
import { withConfigFiles } from '../../benchmark/setup/config-files.ts';
import { openSetup } from '../../benchmark/setup/open-setup.ts';
import { patchesOf } from '../../benchmark/setup/setup-patches.ts';
import type { ContainerRuntime } from '../../benchmark/runtime/container-runtime.ts';
import { CONFIDENCE } from '../../shared/analysis/compare-rates.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { englishOf } from '../../shared/message.ts';
import {
  type Setup,
  type SetupChange,
  setupChangeSchema,
  type SetupPatch,
  type SetupPatches,
  type SetupService,
} from '../../shared/model/setup.ts';
import { SERVER_CHANGES } from '../../shared/setup/server-changes.ts';
import { effectIntervalText, effectText } from '../../shared/words/effect-wording.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { EXIT, usage } from '../exit-codes.ts';
import { whalemark } from '../installation.ts';
import type { SetupOptions } from '../plan-command.ts';
import { findRuntime } from '../run/runtime.ts';
import { serviceJson, setupText } from '../text/setup-text.ts';
import { print, printJson } from '../text/terminal.ts';
import { type Conclusion, measure, showPlan } from './run.ts';

export async function ownSetup(target: string, options: SetupOptions): Promise<number> {
  const change = changeOf(options);
  const runtime = await engineFor(target, options);
  const setup = await openSetup({
    target,
    files: options.file ?? [],
    profiles: options.profile ?? [],
    environment: process.env,
    runtime,
  });
  if (options.plan !== true && options.run !== true && options.patch === undefined) {
    return show(await withConfigFiles(setup), target, options);
  }
  const { name } = chosen(setup, options);
  const made = await whalemark.planSetup(setup, name, options, options.allow ?? [], () =>
    runtime === undefined ? findRuntime(options.context) : Promise.resolve(runtime),
  );
  if (options.plan === true) return showPlan(made, options, 'setup');
  const { patch: file, force: overwrite = false } = options;
  if (file === undefined) return measure(made, options, 'setup');
  await checkTargets([file], { overwrite });
  return measure(made, options, 'setup', async (state, analysis) => {
    const found = await patchesOf(state, analysis);
    const patch = choosePatch(found, change);
    if (patch === undefined) return withoutPatch(found, change);
    await writeExport(file, Buffer.from(patch.diff), { overwrite });
    return withPatch(patch, file);
  });
}

/** A file can be read without an engine, which only adds its container. */
async function engineFor(target: string, { context }: SetupOptions): Promise<ContainerRuntime | undefined> {
  try {
    return await findRuntime(context);
  } catch (error) {
    const isOptional = context === undefined && existsSync(target);
    if (!isOptional || !(error instanceof BenchmarkError)) throw error;
    return undefined;
  }
}

function show(setup: Setup, target: string, options: SetupOptions): number {
  const services = options.service === undefined ? setup.services : [chosen(setup, options)];
  if (options.json === true) printJson({ source: setup.source, services: services.map(serviceJson) });
  else print(setupText({ ...setup, services }, target));
  return EXIT.done;
}

/** Throws USAGE, with the services to choose from. */
function chosen({ services }: Setup, { service }: Pick<SetupOptions, 'service'>): SetupService {
  const [only, ...others] = services;
  const found = service === undefined ? only : services.find(({ name }) => name === service);
  if (found !== undefined && (service !== undefined || others.length === 0)) return found;
  const problem =
    service === undefined
      ? `There are ${services.length} database services; choose one with --service.`
      : `--service ${service}: there is no such database service.`;
  throw usage(problem, 'setup', `Allowed: ${services.map(({ name }) => name).join(', ')}.`);
}

function changeOf({ change, patch }: SetupOptions): SetupChange | undefined {
  if (change === undefined) return undefined;
  const [factor, ...level] = change.split('.');
  const parsed = setupChangeSchema.safeParse({ factor, level: level.join('.') });
  if (!parsed.success || level.join('.') === '') {
    throw usage(`--change ${change}: give FACTOR.LEVEL, such as path.host-network.`, 'setup');
  }
  if (patch === undefined) throw usage('--change needs --patch, which writes the change.', 'setup');
  return parsed.data;
}

function isSame(a: SetupChange, b: SetupChange): boolean {
  return a.factor === b.factor && a.level === b.level;
}

function choosePatch({ patches }: SetupPatches, wanted: SetupChange | undefined): SetupPatch | undefined {
  if (wanted !== undefined) return patches.find(({ change }) => isSame(change, wanted));
  return patches.find(({ change }) => !losesSomething(change));
}

function losesSomething({ factor, level }: SetupChange): boolean {
  const changes: Record<string, { loses: string }> = SERVER_CHANGES;
  return factor === 'server' && Object.hasOwn(changes, level) && changes[level]?.loses !== 'nothing';
}

function withPatch({ change, gain, moves, notes }: SetupPatch, file: string): Conclusion {
  const ratio = { ...gain, confidence: CONFIDENCE };
  const commands = (lines: readonly string[]): string => lines.map((line) => `\n  ${line}`).join('');
  return {
    json: { patch: { file, change, gain, moves, notes: notes.map(({ text }) => text) } },
    text: [
      `\nPatch: ${file} (${change.factor}.${change.level}, ${effectText(ratio, ENGLISH)}, ${effectIntervalText(ratio, ENGLISH)})`,
      ...notes.map((note) => `\n  ${englishOf(note)}`),
      ...(moves.there.length === 0 ? [] : [`\nTo move your data, run:${commands(moves.there)}`]),
      ...(moves.back.length === 0 ? [] : [`\nTo move it back, run:${commands(moves.back)}`]),
    ].join(''),
  };
}

function withoutPatch({ patches, without }: SetupPatches, wanted: SetupChange | undefined): Conclusion {
  const lines = [...without.filter(({ change }) => wanted === undefined || isSame(change, wanted))].map(
    ({ change, reason }) => `\n  ${change.factor}.${change.level}: ${englishOf(reason)}`,
  );
  const others = patches.map(({ change }) => `${change.factor}.${change.level}`).join(', ');
  return {
    json: { patch: null, without: without.map(({ change, reason }) => ({ ...change, reason: reason.text })) },
    text: [
      '\nNo patch was written.',
      ...lines,
      ...(others === '' ? [] : [`\nChanges that can be chosen with --change: ${others}`]),
    ].join(''),
  };
}
