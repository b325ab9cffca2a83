import { msg, type Message } from '../../shared/message.ts';
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
  const clientNodes: Record<string, Message> = {};
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

const ONE_NODE = msg('swarm.oneNode');

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

function nodeReason(wanted: string, nodes: SwarmNode[], ownNodeId: string): Message | undefined {
  if (chooseNode(wanted, nodes, ownNodeId) !== undefined) return undefined;
  const ready = nodes.filter(({ usable }) => usable).length;
  const counted = msg('swarm.nodes', { count: nodes.length, ready });
  return wanted === ANY_OTHER_NODE
    ? msg('swarm.noOtherNode', { counted })
    : msg('swarm.noSuchNode', { counted });
}

function newSwarm(usesMesh: boolean): Plan['consents'][number] {
  return { consent: 'swarm', message: msg(usesMesh ? 'consent.swarmOpenPort' : 'consent.swarm') };
}

function existingSwarm(usesMesh: boolean): Plan['consents'][number] {
  const code = usesMesh ? 'consent.existingSwarmOpenPort' : 'consent.existingSwarm';
  return { consent: 'existing-swarm', message: msg(code) };
}
