import { join } from 'node:path';
import { loadInstallation } from '../../benchmark/installation/installation.ts';
import type { ContainerRuntime } from '../../benchmark/runtime/container-runtime.ts';
import type { RunSecrets } from '../../benchmark/run/context.ts';
import { makePlan } from '../../benchmark/plan/plan.ts';
import { requireAnswers } from '../../benchmark/presets/preset-answers.ts';
import { findPreset } from '../../benchmark/presets/preset-file.ts';
import { CONSENTS, type Consent, type Plan } from '../../shared/model/plan.ts';
import { shortForm } from '../../shared/model/preset-forms.ts';
import { joined, parse, usage } from './args.ts';
import { paths } from '../installation.ts';
import { withOptions } from './preset-options.ts';
import { findRuntime } from '../run/runtime.ts';

/** Options that `plan` and `run` share. */
const PLAN_OPTIONS = {
  short: { type: 'boolean' },
  rounds: { type: 'string' },
  duration: { type: 'string' },
  warmup: { type: 'string' },
  'until-settled': { type: 'string' },
  threads: { type: 'string' },
  rate: { type: 'string' },
  ramp: { type: 'string' },
  seed: { type: 'string' },
  image: { type: 'string' },
  driver: { type: 'string' },
  dsn: { type: 'string' },
  config: { type: 'string' },
  option: { type: 'string', multiple: true },
  consent: { type: 'string', multiple: true },
  context: { type: 'string' },
  'bind-root': { type: 'string' },
  'fresh-dataset': { type: 'boolean' },
  set: { type: 'string', multiple: true },
  out: { type: 'string' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

type PlanValues = ReturnType<typeof parsePlanArguments>['values'];

/** A plan that the command line asks for, and what it takes to start it. */
export interface RequestedPlan {
  plan: Plan;
  runtime: ContainerRuntime;
  consents: Consent[];
  secrets: RunSecrets;
}

/** The arguments of `plan` and `run`. Rejects with USAGE. */
export function parsePlanArguments(argv: string[]) {
  return parse(joined(argv, '--option'), PLAN_OPTIONS, 1);
}

/** The plan that a preset and the command line's options come to: the short form first, then the options. */
export async function planFrom(presetName: string | undefined, values: PlanValues): Promise<RequestedPlan> {
  if (presetName === undefined) throw usage('Name a preset or a preset file.');
  const consents = (values.consent ?? []).map(consentOf);
  const found = await findPreset(presetName, paths.presetsDir, paths.dataDir);
  const isShort = values.short === true;
  const preset = withOptions(isShort ? shortForm(found) : found, values, process.env);
  requireAnswers(preset);
  const runtime = await findRuntime(values.context);
  const { clientImageFiles } = await loadInstallation(paths);
  const plan = await makePlan({
    preset,
    mode: isShort ? 'short' : 'full',
    runtime,
    imageNamedByUser: values.image !== undefined,
    // An address on this very command line, or the word for one that the preset names.
    asksExternal: consents.includes('external') || (values.dsn ?? process.env['WHALEMARK_DSN']) !== undefined,
    clientImageFiles,
    dataDir: paths.dataDir,
    referenceDir: join(paths.assetsDir, 'reference'),
  });
  return { plan, runtime, consents, secrets: { dsn: preset.server.dsn } };
}

/** A consent as the command line names it. Throws USAGE. */
export function consentOf(text: string): Consent {
  const consent = CONSENTS.find((known) => known === text);
  if (consent === undefined) throw usage(`--consent is one of ${CONSENTS.join(', ')}, not “${text}”.`);
  return consent;
}
