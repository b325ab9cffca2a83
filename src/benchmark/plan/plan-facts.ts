import type { Plan } from '../../shared/model/plan.ts';
import type { Preset, PresetScenario } from '../../shared/model/preset.ts';
import type { ContainerRuntime, SwarmNode, SwarmState } from '../runtime/container-runtime.ts';
import { bindRootError, bindRootRefusal } from '../target/storage/bind-directory.ts';
import { dsnProblem, probeExternal } from '../target/external-probe.ts';
import { requireFreeDevice } from '../target/storage/free-device.ts';
import { findNativeProgram, type NativeProgram } from '../target/native/native-program.ts';
import { PATHS } from '../target/paths.ts';
import type { ServerVersion } from '../target/server-options.ts';
import type { SupportFacts } from '../target/support.ts';
import { defaultBindRoot } from '../target/storage/bind-roots.ts';
import { placeOf } from './server-ids.ts';
import {
  ANY_OTHER_NODE,
  chooseNode,
  machineFile,
  routingMeshReason,
  type ReadFile,
} from '../target/swarm.ts';

/** What had to be found out before a plan could be made, because some scenario asks for it. */
export interface PlanFacts {
  support: SupportFacts;
  native: NativeProgram | null;
  external: ServerVersion | null;
  consents: Plan['consents'];
}

const EXTERNAL_CONSENT =
  'The load runs on a server of your own. Whalemark creates a schema there, fills it, puts the server under full load, and drops the schema; other users of that server will feel it. The password and all rows travel unencrypted (no TLS), so agree only on a network that you trust. Whalemark connects to the server only after you agree.';

/**
 * Looks for what the scenarios need and the passport does not tell; for nothing else. `asksExternal`: connects
 * to the external server as well. Rejects with BIND_REFUSED for a folder that the preset names and that can't be used, and
 * with PRESET_INVALID for such a device.
 */
export async function findPlanFacts(
  preset: Preset,
  wanted: PresetScenario[],
  runtime: ContainerRuntime,
  { dataDir, asksExternal = false }: { dataDir?: string; asksExternal?: boolean } = {},
): Promise<PlanFacts> {
  const kinds = new Set(wanted.map(({ storage }) => storage.kind));
  const attachments = new Set(wanted.map(({ path }) => PATHS[path].attach));
  const facts: PlanFacts = { support: {}, native: null, external: null, consents: [] };
  if (!runtime.passport.runtime.remote && (kinds.has('bind-mount') || kinds.has('native'))) {
    facts.support.bind = await bindReason(preset.bindRoot, dataDir);
  }
  await requireFreeDevices(preset, wanted, runtime);
  if (kinds.has('native')) {
    const found = await findNativeProgram(preset.server.nativeBinary, { image: preset.server.image });
    if ('reason' in found) facts.support.native = found.reason;
    else facts.native = found;
  }
  if (kinds.has('external')) {
    const { dsn } = preset.server;
    const found = asksExternal ? await probeExternal(dsn) : (dsnProblem(dsn) ?? null);
    if (found !== null && 'reason' in found) facts.support.external = found.reason;
    else facts.external = found;
    facts.consents.push({ consent: 'external', message: EXTERNAL_CONSENT });
  }
  if (attachments.has('overlay') || attachments.has('ingress')) {
    const { facts: swarm, consents } = await swarmFacts(runtime, {
      ingress: attachments.has('ingress'),
      nodes: [...new Set(wanted.flatMap(({ clientNode }) => (clientNode === undefined ? [] : [clientNode])))],
    });
    Object.assign(facts.support, swarm);
    facts.consents.push(...consents);
  }
  return facts;
}

/** Whoever names a folder is told at once; our own is only a reason to leave out what needs it. */
async function bindReason(
  named: string | undefined,
  dataDir: string | undefined,
): Promise<string | undefined> {
  const root = named ?? (dataDir === undefined ? undefined : defaultBindRoot(dataDir));
  const reason = root === undefined ? undefined : await bindRootRefusal(root, dataDir);
  if (reason === undefined) return undefined;
  if (named !== undefined) throw bindRootError(named, reason);
  return `Whalemark’s own folder for bind mounts can’t be used. ${reason} Name another one (bindRoot, --bind-root).`;
}

async function requireFreeDevices(
  preset: Preset,
  wanted: PresetScenario[],
  runtime: ContainerRuntime,
): Promise<void> {
  const byPlace = new Map(wanted.map((spec) => [placeOf(spec.storage), spec]));
  for (const { storage, storageId, baseId } of byPlace.values()) {
    const field = storageId in preset.storages ? `storages.${storageId}` : `${baseId}: storage`;
    await requireFreeDevice(storage, runtime, field);
  }
}

interface SwarmNeeds {
  /** The routing mesh is asked for. */
  ingress: boolean;
  /** Nodes that clients are to run on: `other`, or a host name. */
  nodes: string[];
}

interface SwarmFacts {
  facts: Pick<SupportFacts, 'swarm' | 'ingress' | 'clientNodes'>;
  /** What the user must agree to first; nothing where no swarm can be used. */
  consents: Plan['consents'];
}

/**
 * What a plan can do with swarms here, and what the user must agree to first. Changes nothing. Host names stay out of
 * the reasons: they end up in results. `read` looks at files of this machine.
 */
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
  const nodes = isNew || needs.nodes.length === 0 ? [] : await runtime.swarm.nodes();
  const clientNodes: Record<string, string> = {};
  for (const node of needs.nodes) {
    const reason = isNew ? ONE_NODE : nodeReason(node, nodes, state.nodeId);
    if (reason !== undefined) clientNodes[node] = reason;
  }
  const usesMesh = needs.ingress && ingress === undefined;
  return {
    facts: { clientNodes, ...(ingress === undefined ? {} : { ingress }) },
    consents: [isNew ? newSwarm(usesMesh) : existingSwarm(usesMesh)],
  };
}

const ONE_NODE =
  'There is no swarm yet, and one that is started for the run has no other node than this engine.';

function stateReason({ state, manager, liveRestore }: SwarmState): string | undefined {
  switch (state) {
    case 'inactive':
      return liveRestore
        ? 'The engine keeps containers alive while it restarts (live-restore), and such an engine can’t be in a swarm.'
        : undefined;
    case 'active':
      return manager
        ? undefined
        : 'The engine is in a swarm, but not as a manager: only a manager makes networks and services.';
    case 'locked':
      return 'The engine’s swarm is locked: docker swarm unlock.';
    case 'pending':
    case 'error':
      return 'The engine’s swarm is not working at the moment (docker info says more).';
  }
}

function nodeReason(wanted: string, nodes: SwarmNode[], ownNodeId: string): string | undefined {
  if (chooseNode(wanted, nodes, ownNodeId) !== undefined) return undefined;
  const ready = nodes.filter(({ usable }) => usable).length;
  const counted = `the swarm has ${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}, ${ready} of them ready for tasks`;
  return wanted === ANY_OTHER_NODE
    ? `There is no other node for the client: ${counted}.`
    : `There is no such node for the client: ${counted}.`;
}

function newSwarm(usesMesh: boolean): Plan['consents'][number] {
  const message = `The engine is in no swarm, and this needs one. Whalemark starts a swarm of this engine alone (docker swarm init --advertise-addr 127.0.0.1), which nothing outside the engine’s machine can reach, and leaves it after the run.${
    usesMesh
      ? ' While an ingress scenario is measured, its server’s port is open on all addresses of that machine, as the routing mesh has it.'
      : ''
  }`;
  return { consent: 'swarm', message };
}

function existingSwarm(usesMesh: boolean): Plan['consents'][number] {
  const message = `The engine is in a swarm, and this run uses it. Whalemark creates networks, services, configs, and secrets in that swarm, and removes them after the run.${
    usesMesh
      ? ' While an ingress scenario is measured, its server’s port is open on all addresses of all nodes of the swarm.'
      : ''
  }`;
  return { consent: 'existing-swarm', message };
}
