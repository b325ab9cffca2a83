import type { Answer, Params } from '../../shared/contract/ipc.ts';
import { CONTAINER_PATHS, mismatch } from '../../shared/model/cells.ts';
import { PATH_KINDS, STORAGE_KINDS } from '../../shared/model/names.ts';
import { presetSchema, resolvedPreset } from '../../shared/model/preset.ts';
import { workloadSchema } from '../../shared/model/workload.ts';
import type { Engines } from '../runtime/container-runtime.ts';
import { unsupportedReason } from '../servers/support.ts';
import { findPlanFacts } from './plan-facts.ts';

const PLAIN = {
  loadGenerator: 'builtin',
  workload: workloadSchema.parse({ kind: 'oltp_read_write' }),
} as const;

export async function wizardSupport(
  { engines: [runtime], client }: Engines,
  { image, nativeBinary }: Params<'wizard:support'>,
): Promise<Answer<'wizard:support'>> {
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
  const { support } = await findPlanFacts(resolvedPreset(everything), runtime, { client });
  const cells = STORAGE_KINDS.flatMap((storage) => PATH_KINDS.map((path) => ({ storage, path })));
  return cells
    .filter((cell) => mismatch(cell) === undefined)
    .flatMap(({ storage, path }) => {
      const needs = { ...PLAIN, storage: { kind: storage }, path };
      const reason = unsupportedReason(runtime.passport, needs, support);
      return reason === undefined ? [] : [{ storage, path, reason }];
    });
}
