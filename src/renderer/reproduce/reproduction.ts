import { stringify } from 'yaml';
import { setupOf, type Plan, type Scenario } from '../../shared/model/plan.ts';
import type { RunOutline } from '../../shared/model/run-state.ts';
import { isTpcc } from '../../shared/model/workload.ts';
import { optionProblem } from '../../shared/preset/mount-options.ts';
import { presetOfPlan } from '../../shared/preset/preset-of-plan.ts';
import { usesSwarm } from '../../shared/kinds/paths.ts';
import { isContainerStorage } from '../../shared/kinds/storages.ts';
import type { Message } from '../../shared/message.ts';
import { sysbenchRefusal } from '../../shared/preset/sysbench.ts';
import { nativeServer, quoted, serverSteps, sysbenchSteps, type ReproductionStep } from './commands.ts';
import { composeText, ENV_TEXT } from './compose.ts';

const REPRODUCTION_NOTES = [
  /** From a stranger's result: its volume would mount what no preset may. */
  'refused-volume',
  /** The load was ours; sysbench comes closest. */
  'own-load',
  'no-sysbench',
  /** Redacted before sharing. */
  'private',
  'substituted',
  'swarm',
  'bind-folder',
  'device',
  'other-node',
] as const;
export type ReproductionNote = (typeof REPRODUCTION_NOTES)[number];

/** Rebuilds one scenario without Whalemark. */
export interface Reproduction {
  /** Null without a container. */
  compose: { file: string; env: string } | null;
  steps: ReproductionStep[];
  notes: ReproductionNote[];
}

const TAKEN_OUT = /<(?:private|path)>/;
/** Fill in for what was redacted, to check the rest. */
const [SOME_PATH, SOME_WORD] = ['/srv/x', 'x'];

/** The server with its exact options, its storage, network, and load. Undefined if the result lacks them. */
export function reproductionOf(
  run: Pick<RunOutline, 'plan' | 'servers'>,
  scenario: Scenario,
): Reproduction | undefined {
  const { plan } = run;
  const setup = setupOf(plan, scenario);
  if (isRefused(scenario.storage)) return { compose: null, steps: [], notes: ['refused-volume'] };
  const { image } = setup;
  const options = run.servers[scenario.serverId]?.facts?.options;
  const isExternal = scenario.storage.kind === 'external';
  if (!isExternal && (options === undefined || options.length === 0)) return undefined;
  const inContainer = isContainerStorage(scenario.storage.kind);
  const compose = inContainer
    ? { file: composeText({ plan, scenario, image, options: options ?? [] }), env: ENV_TEXT }
    : null;
  const server =
    setup.native === null || inContainer
      ? undefined
      : nativeServer(setup.native.binary, setup.native.flavour, options ?? []);
  const lacks = sysbenchRefusal(plan.workload);
  const steps =
    lacks === undefined && !isTpcc(plan.workload)
      ? sysbenchSteps(plan, scenario, plan.workload, server)
      : serverSteps(scenario, server);
  return { compose, steps, notes: notesOf(plan, scenario, { compose, steps, image, lacks }) };
}

function isRefused({ options, nfs }: Scenario['storage']): boolean {
  const path = (text: string): string => text.replace(/^<\w+>$/, SOME_PATH).replaceAll(/<\w+>/g, SOME_WORD);
  const filled = {
    ...(options === undefined ? {} : { options: { ...options, device: path(options.device) } }),
    ...(nfs === undefined
      ? {}
      : { nfs: { ...nfs, address: nfs.address.replace(TAKEN_OUT, SOME_WORD), path: path(nfs.path) } }),
  };
  return optionProblem(filled) !== undefined;
}

function notesOf(
  plan: Plan,
  scenario: Scenario,
  found: Pick<Reproduction, 'compose' | 'steps'> & {
    image: { substituted: boolean };
    lacks: Message | undefined;
  },
): ReproductionNote[] {
  const { storage, path, driver, clientNode } = scenario;
  const text = JSON.stringify([found.compose, found.steps]);
  const is: Record<ReproductionNote, boolean> = {
    'refused-volume': false,
    'own-load': driver === 'node' && found.lacks === undefined,
    'no-sysbench': found.lacks !== undefined,
    private: TAKEN_OUT.test(text),
    substituted: found.image.substituted && found.compose !== null,
    swarm: usesSwarm(path),
    'bind-folder': storage.kind === 'bind-mount' && plan.passport.runtime.vm,
    device: storage.options !== undefined || storage.nfs !== undefined,
    'other-node': clientNode !== null,
  };
  return REPRODUCTION_NOTES.filter((note) => is[note]);
}

/** Runs the whole plan again; undefined if the result lacks too much. */
export function presetFile(plan: Plan): { name: string; yaml: string; command: string } | undefined {
  const repeated = presetOfPlan(plan);
  if (repeated === undefined) return undefined;
  const name = `${plan.preset.id}-again.yaml`;
  return {
    name,
    yaml: stringify(withoutEmpty(repeated.preset), { lineWidth: 0 }),
    command: `whalemark run ${quoted(name)}`,
  };
}

function withoutEmpty(preset: object): object {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(preset).filter(([, value]) => !isEmpty(value)));
}
