import { msg, type Message } from '../../shared/message.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { ResolvedPreset } from '../../shared/model/preset.ts';
import { importsSql, type Task } from '../../shared/model/task.ts';
import type { ContainerRuntime, SwarmState } from '../runtime/container-runtime.ts';
import { bindRootError, bindRootRefusal } from '../servers/storage/bind-directory.ts';
import { seesFolder } from '../servers/storage/shared-folder.ts';
import { requireFreeDevice } from '../servers/storage/free-device.ts';
import { findNativeProgram, nativeClient, type NativeProgram } from '../servers/native/native-program.ts';
import { PATHS, usesOtherNode, usesSwarm } from '../../shared/kinds/paths.ts';
import { STORAGES } from '../../shared/kinds/storages.ts';
import type { SupportFacts } from '../../shared/kinds/kind.ts';
import { defaultBindRoot } from '../servers/storage/bind-roots.ts';
import { machineFile, routingMeshReason, type ReadFile } from '../servers/swarm.ts';

export interface PlanFacts {
  support: SupportFacts;
  native: NativeProgram | null;
  consents: Plan['consents'];
}

interface FactsRequest {
  dataDir?: string;
  bindRoot?: string | null;
  client?: ContainerRuntime | undefined;
  task?: Task | undefined;
}

export async function findPlanFacts(
  { preset, scenarios: wanted }: ResolvedPreset,
  runtime: ContainerRuntime,
  { dataDir, bindRoot = null, client, task = preset.task }: FactsRequest = {},
): Promise<PlanFacts> {
  const asks = new Set(wanted.flatMap(({ storage }) => STORAGES[storage.kind].asks ?? []));
  const facts: PlanFacts = { support: {}, native: null, consents: [] };
  if (!runtime.passport.runtime.remote && asks.has('bind')) {
    Object.assign(
      facts.support,
      await folderFacts(bindRoot, dataDir, asks.has('shared') ? runtime : undefined),
    );
  }
  const storages = new Map(wanted.map(({ storageId, storage }) => [storageId, storage]));
  for (const [id, storage] of storages) await requireFreeDevice(storage, runtime, `storages.${id}`);
  if (asks.has('native')) {
    const found = await findNativeProgram(preset.server.nativeBinary, { image: preset.server.image });
    const needsClient = !('reason' in found) && importsSql(task);
    const missing = needsClient ? await nativeClient(found.binary) : '';
    if ('reason' in found) facts.support.native = found.reason;
    else if (typeof missing === 'object') facts.support.native = missing.reason;
    else facts.native = found;
  }
  if (wanted.some(({ path }) => usesSwarm(path))) {
    const { facts: swarm, consents } = await swarmFacts(runtime, {
      ingress: wanted.some(({ path }) => PATHS[path].attach === 'ingress'),
      otherNode: wanted.some(({ path }) => usesOtherNode(path)),
      client,
    });
    Object.assign(facts.support, swarm);
    facts.consents.push(...consents);
  }
  return facts;
}

/**
 * An unusable folder excludes scenarios, unless it is the database's; only a container shows write access.
 */
async function folderFacts(
  named: string | null,
  dataDir: string | undefined,
  runtime: ContainerRuntime | undefined,
): Promise<Pick<SupportFacts, 'bind' | 'shared'>> {
  const root = named ?? (dataDir === undefined ? undefined : defaultBindRoot(dataDir));
  if (root === undefined) return {};
  const refusal = await bindRootRefusal(root);
  const isUnseen = runtime !== undefined && (await seesFolder(root, runtime)) === false;
  const reason = refusal ?? (isUnseen ? msg('folder.notShared') : undefined);
  if (reason === undefined) return {};
  if (named !== null) throw bindRootError(named, reason);
  const message = msg('folder.ownUnusable', { reason });
  return refusal === undefined ? { shared: message } : { bind: message };
}

interface SwarmNeeds {
  ingress: boolean;
  otherNode: boolean;
  client?: ContainerRuntime | undefined;
}

interface SwarmFacts {
  facts: Pick<SupportFacts, 'swarm' | 'ingress' | 'clientEngine'>;
  /** Empty: no swarm can be used. */
  consents: Plan['consents'];
}

/** Reasons against swarms, without names, since results include them. */
export async function swarmFacts(
  runtime: ContainerRuntime,
  needs: SwarmNeeds,
  read: ReadFile = machineFile,
): Promise<SwarmFacts> {
  const state = await runtime.swarm.state();
  const swarm = stateReason(state);
  if (swarm !== undefined) return { facts: { swarm }, consents: [] };
  const ingress = needs.ingress ? routingMeshReason(runtime.passport, read) : undefined;
  const isNew = state.state === 'inactive';
  const clientEngine = needs.otherNode ? await clientReason(runtime, state, needs.client) : undefined;
  const usesMesh = needs.ingress && ingress === undefined;
  const message = isNew
    ? msg(usesMesh ? 'consent.swarmOpenPort' : 'consent.swarm')
    : msg(usesMesh ? 'consent.existingSwarmOpenPort' : 'consent.existingSwarm');
  const consent = isNew ? 'swarm' : 'existing-swarm';
  return { facts: { ingress, clientEngine }, consents: [{ consent, message }] };
}

function stateReason({ state, manager, liveRestore }: SwarmState): Message | undefined {
  switch (state) {
    case 'inactive':
      return liveRestore ? msg('swarm.liveRestore') : undefined;
    case 'active':
      return manager ? undefined : msg('swarm.notManager');
    case 'locked':
      return msg('swarm.locked');
    case 'pending':
    case 'error':
      return msg('swarm.broken');
  }
}

async function clientReason(
  { swarm }: ContainerRuntime,
  { state, nodeId }: SwarmState,
  client: ContainerRuntime | undefined,
): Promise<Message | undefined> {
  if (client === undefined) return msg('swarm.noClientEngine');
  const other = await client.swarm.state();
  const nodes = state === 'active' && other.nodeId !== nodeId ? await swarm.nodes() : [];
  return nodes.some(({ id, usable }) => usable && id === other.nodeId)
    ? undefined
    : msg('swarm.notAnotherNode');
}
