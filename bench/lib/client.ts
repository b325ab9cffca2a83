import {
  startClient as startContainer,
  type ContainerClient,
} from '../../tests/integration/load/container-client.ts';

export type BenchClient = Pick<ContainerClient, 'loadGenerator' | 'id' | 'remove'>;

/** The built load client in a container with Node and sysbench, on `network` (`host`, a name, `container:ID`). */
export function startClient(network: string, options: string[] = []): Promise<BenchClient> {
  return startContainer('out/main/client.cjs', ['--network', network, ...options]);
}
