import type { Params } from '../../shared/contract/ipc.ts';
import { PATH_KINDS, STORAGE_KINDS } from '../../shared/model/names.ts';
import { presetScenarios, presetSchema } from '../../shared/model/preset.ts';
import { workloadSchema, type Workload } from '../../shared/model/workload.ts';
import type { WizardSupport } from '../../shared/contract/requests/wizard.ts';
import { CONTAINER_PATHS, mismatch } from '../../shared/model/cells.ts';
import { sysbenchCan } from '../load/sysbench/arguments.ts';
import { findPlanFacts } from '../plan/plan-facts.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { unsupportedReason } from '../target/support.ts';

/**
 * The support matrix for everything that the wizard offers, with what only looking can tell. An address of the user's
 * own is not tried: the plan does that.
 */
export async function wizardSupport(
  runtime: ContainerRuntime,
  { image, nativeBinary, driver, workload: kind, distribution }: Params<'wizard:support'>,
): Promise<WizardSupport> {
  const everything = presetSchema.parse({
    whalemark: 1,
    id: 'everything',
    name: 'Everything',
    question: 'What can this runtime do?',
    server: { image, ...(nativeBinary === undefined ? {} : { nativeBinary }) },
    grid: { storages: ['named-volume'], paths: CONTAINER_PATHS },
    scenarios: [{ storage: 'native', path: 'loopback' }],
    baseline: 'native.loopback',
    schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
  });
  const { support } = await findPlanFacts(everything, presetScenarios(everything), runtime);
  const cells = STORAGE_KINDS.flatMap((storage) => PATH_KINDS.map((path) => ({ storage, path })));
  const refused = cells
    .filter((cell) => mismatch(cell) === undefined)
    .flatMap(({ storage, path }) => {
      const needs = { storage: { kind: storage }, path, driver, clientNode: undefined };
      // What sysbench can't run at all is said once, and not of every combination.
      const reason = unsupportedReason(runtime.passport, { ...needs, workload: PLAIN }, support);
      return reason === undefined ? [] : [{ storage, path, reason }];
    });
  const workload = workloadSchema.parse(kind === 'tpcc' ? { kind } : { kind, distribution });
  return { refused, sysbench: sysbenchCan(workload) ?? null };
}

/** A load that every driver runs. */
const PLAIN: Workload = workloadSchema.parse({ kind: 'oltp_read_write' });
