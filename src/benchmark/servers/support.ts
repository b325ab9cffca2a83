import type { SupportFacts } from '../../shared/kinds/kind.ts';
import { pathTraits, type PathKind } from '../../shared/kinds/paths.ts';
import { inContainer, storageRefusal } from '../../shared/kinds/storages.ts';
import { msg, type Message } from '../../shared/message.ts';
import type { LoadGenerator } from '../../shared/model/names.ts';
import type { Passport } from '../../shared/model/passport.ts';
import type { StorageSpec } from '../../shared/model/server-spec.ts';
import type { Workload } from '../../shared/model/workload.ts';
import { sysbenchRefusal } from '../../shared/preset/sysbench.ts';

interface ScenarioNeeds {
  storage: StorageSpec;
  path: PathKind;
  loadGenerator: LoadGenerator;
  workload: Workload;
}

/** Undefined: the scenario can run. */
export function unsupportedReason(
  { runtime: engine }: Passport,
  { storage, path, loadGenerator, workload }: ScenarioNeeds,
  facts: SupportFacts = {},
): Message | undefined {
  const { placement, refusal } = pathTraits(path);
  const isOnHost = placement === 'host';
  return (
    storageRefusal(storage, engine, facts) ??
    refusal?.({
      engine,
      facts,
      isClientHere: isOnHost && loadGenerator === 'builtin',
      serviceRefusal: inContainer(storage.kind)?.serviceRefusal?.(engine),
    }) ??
    (loadGenerator === 'sysbench'
      ? (sysbenchRefusal(workload) ??
        (isOnHost && (engine.remote || !engine.hostNetworking)
          ? msg('support.sysbenchNeedsHost')
          : undefined))
      : undefined)
  );
}
