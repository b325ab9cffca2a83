import { spawn } from 'node:child_process';
import { CommandedClient } from '../../../src/benchmark/load/client/clients.ts';
import { docker, TEST_LABEL } from '../helpers/docker-server.ts';
import { sysbenchImage } from './sysbench-command.ts';

export interface ContainerClient {
  id: string;
  loadGenerator: CommandedClient;
  remove(): Promise<void>;
}

/** A load client in a container with Node and sysbench, commanded through `docker start --attach`. */
export async function startClient(file: string, options: string[] = []): Promise<ContainerClient> {
  const id = await docker(
    ...['create', '--interactive', '--label', TEST_LABEL, ...options],
    ...[await sysbenchImage(), 'node', '/tmp/client.cjs'],
  );
  const remove = async (): Promise<void> => {
    await docker('rm', '--force', id);
  };
  try {
    await docker('cp', file, `${id}:/tmp/client.cjs`);
    const child = spawn('docker', ['start', '--attach', '--interactive', id]);
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    return { id, loadGenerator: new CommandedClient({ ...child, ended }), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
