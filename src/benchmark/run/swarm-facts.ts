import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { SupportFacts } from '../target/support.ts';

export interface SwarmNeeds {
  /** The routing mesh is asked for. */
  ingress: boolean;
  /** Nodes that clients are to run on. */
  nodes: string[];
}

/** What a plan can do with swarms here, and what the user must agree to first. */
export function swarmFacts(
  _runtime: ContainerRuntime,
  _needs: SwarmNeeds,
): Promise<{ facts: Pick<SupportFacts, 'swarm' | 'ingress' | 'clientNode'>; consent: string | undefined }> {
  return Promise.resolve({
    facts: { swarm: 'Swarms are not there yet.' },
    consent: undefined,
  });
}
