import type { Plan } from '../../shared/model/plan.ts';
import type { ContainerRuntime, SwarmNode, SwarmState } from '../runtime/container-runtime.ts';
import type { SupportFacts } from '../target/support.ts';
import {
  ANY_OTHER_NODE,
  chooseNode,
  machineFile,
  routingMeshReason,
  type ReadFile,
} from '../target/swarm.ts';

export interface SwarmNeeds {
  /** The routing mesh is asked for. */
  ingress: boolean;
  /** Nodes that clients are to run on: `other`, or a host name. */
  nodes: string[];
}

export interface SwarmFacts {
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
