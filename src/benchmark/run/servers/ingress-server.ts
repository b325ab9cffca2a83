import { BenchmarkError } from '../../../shared/errors.ts';
import { cloneDataset } from '../../dataset/clone.ts';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import { SERVER_PORT } from '../../target/paths.ts';
import { Server } from '../../target/server.ts';
import { startEnv } from '../../target/server-options.ts';
import { prepareStorage } from '../../target/storage/storage.ts';
import type { TargetServer } from '../../target/target-server.ts';
import type { Environment } from '../environment.ts';
import type { Cleanup } from '../cleanup.ts';
import { serverBasics, storageContext, type ContainerServerParts } from './container-servers.ts';
import { step, type RunContext } from '../context.ts';
import { ServiceContainer } from './service-container.ts';
import { ENGLISH } from '../../../shared/words/i18n.ts';
import { storageText } from '../../../shared/words/labels.ts';

/**
 * A server as a swarm service on this node, published through the routing mesh. Its storage is filled through a plain
 * container first. Rejects like `makeContainerServer`.
 */
export async function makeIngressServer(
  context: RunContext,
  environment: Environment,
  parts: ContainerServerParts,
  cleanup: Cleanup,
): Promise<TargetServer> {
  const { runtime, signal } = context;
  const { setup, scenario, image, dataset } = parts;
  const { serverId: id } = scenario;
  const name = `s${environment.servers.size + 1}`;
  return step(context, 'clone', id, async () => {
    const place = storageContext(context, environment, parts, name);
    const storage = await prepareStorage(scenario.storage, place);
    cleanup.add('storage', storage.dispose);
    const filler = await runtime.createContainer({
      name: `${environment.prefix}-${name}-fill`,
      image: image.id,
      labels: environment.labels('server'),
      mounts: storage.mounts,
      network: 'none',
    });
    cleanup.add('container', () => runtime.removeContainer(filler));
    await cloneDataset(
      dataset,
      {
        containerId: filler,
        storage,
        storageName: storageText(scenario.storage, ENGLISH),
        helper: { ...place, labels: environment.labels('helper') },
      },
      signal,
    );
    await runtime.removeContainer(filler);

    const service = new ServiceContainer(runtime, SERVER_PORT, signal);
    cleanup.add('container', () => service.remove());
    const server = await Server.create({
      ...serverBasics(context, environment, setup, image),
      account: dataset.account,
      runtime: service.asRuntime(),
      id,
      name: `${environment.prefix}-${name}`,
      labels: environment.labels('server'),
      env: startEnv(image.flavour),
      storage,
      storageName: storageText(scenario.storage, ENGLISH),
      attach: 'bridge',
      network: '',
      hostPort: 0,
      socketVolume: undefined,
      onLog: (lines) => context.emit({ type: 'server-log', serverId: id, lines }),
    });
    return behindMesh(server, service, runtime);
  });
}

/** The server as clients find it: at the port that the mesh has for it on this machine. */
function behindMesh(server: Server, service: ServiceContainer, runtime: ContainerRuntime): TargetServer {
  return {
    id: server.id,
    options: server.options,
    account: server.account,
    start: async (phase, signal) => {
      const running = await server.start(phase, signal);
      const port = await service.port();
      if (port === undefined) {
        await running.stop(0);
        throw new BenchmarkError('ENGINE_REFUSED', {
          action: 'publish a service',
          reason: `the swarm picked no port (${runtime.passport.runtime.name})`,
        });
      }
      // Never `localhost`: some runtimes forward IPv4 only. Its container is the swarm's, so nobody may share its network.
      return { ...running, containerId: undefined, address: () => ({ host: '127.0.0.1', port }) };
    },
  };
}
