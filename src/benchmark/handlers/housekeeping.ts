import { BenchmarkError, toErrorData } from '../../shared/errors.ts';
import type { Core } from '../../shared/contract/ipc.ts';
import { DEFAULT_LIMITS, datasetCache } from '../servers/dataset/dataset-cache.ts';
import { folderBytes } from '../files/folder-size.ts';
import type { InstallationPaths } from '../installation/installation.ts';
import { clientImages, removeClientImages } from '../load/client-image.ts';
import { findLeftovers, removeLeftovers } from '../run/leftovers.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { localServerImages } from '../servers/image.ts';

export function housekeepingHandlers(
  paths: InstallationPaths,
  { runtime, isRunGoingOn }: { runtime(): Promise<ContainerRuntime>; isRunGoingOn(): boolean },
) {
  return {
    'housekeeping:data-folder': async () => ({
      path: paths.dataDir,
      bytes: await folderBytes(paths.dataDir),
    }),
    'housekeeping:images': async () => {
      const engine = await runtime();
      const servers = (await localServerImages(engine)).map(({ reference, server, image }) => {
        return { reference, flavor: server.flavor, version: server.version, bytes: image.bytes };
      });
      return { servers, clients: await clientImages(engine) };
    },
    'housekeeping:remove-client-images': async () => {
      if (isRunGoingOn()) throw new BenchmarkError('BUSY');
      const { removed, failed } = await removeClientImages(await runtime());
      return {
        removed,
        failed: failed.map(({ name, error }) => ({ name, error: toErrorData(error) })),
      };
    },
    'housekeeping:datasets': async () => {
      const engine = await runtime();
      const cache = datasetCache(engine, paths);
      return {
        allowed: cache !== undefined,
        datasets: (await cache?.list()) ?? [],
        limits: DEFAULT_LIMITS,
      };
    },
    'housekeeping:clear-datasets': async () =>
      (await datasetCache(await runtime(), paths)?.clear()) ?? { removed: [], remaining: [] },
    'housekeeping:leftovers': async () => {
      const engine = await runtime();
      return findLeftovers(engine, paths.dataDir, datasetCache(engine, paths));
    },
    'housekeeping:remove-leftovers': async ({ consents }) => {
      const engine = await runtime();
      const cache = datasetCache(engine, paths);
      return removeLeftovers(engine, paths.dataDir, paths.appVersion, cache, consents);
    },
  } satisfies Partial<Core>;
}
