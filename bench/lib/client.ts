import { spawn } from 'node:child_process';
import { ContainerNodeDriver } from '../../src/benchmark/load/client/node-driver.ts';
import { docker } from '../../tests/integration/helpers/docker-server.ts';
import { sysbenchImage } from '../../tests/integration/load/sysbench-command.ts';

export interface BenchClient {
  driver: ContainerNodeDriver;
  id: string;
  remove(): Promise<void>;
}

/** The built load client in a container with Node and sysbench, on `network` (`host`, a name, `container:ID`). */
export async function startClient(network: string, options: string[] = []): Promise<BenchClient> {
  const id = await docker(
    'create',
    ...['--interactive', '--label', 'io.whalemark.owner=test', '--network', network],
    ...options,
    ...[await sysbenchImage(), 'node', '/tmp/client.cjs'],
  );
  const remove = async (): Promise<void> => {
    await docker('rm', '--force', id);
  };
  try {
    await docker('cp', 'out/main/client.cjs', `${id}:/tmp/client.cjs`);
    const child = spawn('docker', ['start', '--attach', '--interactive', id]);
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    return { driver: new ContainerNodeDriver({ ...child, ended }), id, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
