import {
  startClient as startContainer,
  type ContainerClient,
} from '../../tests/integration/load/container-client.ts';

/** The built load client in a container with Node and sysbench, on `network` (`host`, a name, `container:ID`). */
export function startClient(network: string): Promise<ContainerClient> {
  return startContainer('out/main/client.cjs', ['--network', network]);
}
