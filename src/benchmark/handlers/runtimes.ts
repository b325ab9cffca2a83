import type { RuntimeReport } from '../../shared/model/passport.ts';
import { datasetCache } from '../servers/dataset/dataset-cache.ts';
import type { InstallationPaths } from '../installation/installation.ts';
import { removeLeftovers } from '../run/leftovers.ts';
import type { FindEngines } from '../service.ts';
import { connectRuntime, findEngines } from '../runtime/engine/dockerode-runtime.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { discoverRuntimes } from '../runtime/discovery/discover.ts';
import { withDockerFacts } from '../runtime/discovery/docker-facts.ts';
import { logRuntimes } from '../runtime/runtime-log.ts';

export class Runtimes {
  #report: RuntimeReport | undefined;
  #looking: Promise<RuntimeReport> | undefined;
  #sweptFor: string | undefined;

  constructor(
    private readonly paths: InstallationPaths,
    private readonly preferred: () => string | null,
  ) {}

  /** `nearby` keeps the last outcome of remote places. */
  look(preferId?: string, nearby = false): Promise<RuntimeReport> {
    if (preferId === undefined && this.#looking !== undefined) return this.#looking;
    const search = this.#lookAnew(preferId, nearby ? this.#report : undefined).finally(() => {
      if (this.#looking === search) this.#looking = undefined;
    });
    this.#looking = search;
    return search;
  }

  async report(): Promise<RuntimeReport> {
    return this.#report ?? (await this.look());
  }

  async inUse(id?: string): Promise<ContainerRuntime> {
    return connectRuntime(await this.report(), id);
  }

  finder(id?: string): FindEngines {
    return async (wanted, client) => {
      const report = await this.report();
      return findEngines(report, () => connectRuntime(report, id), wanted, client);
    };
  }

  async #lookAnew(preferId: string | undefined, last: RuntimeReport | undefined): Promise<RuntimeReport> {
    const wanted = preferId ?? this.preferred();
    const report = await withDockerFacts(
      await discoverRuntimes(wanted === null ? { last } : { preferId: wanted, last }),
    );
    this.#report = report;
    logRuntimes(report);
    if (report.chosenId !== null && this.#sweptFor !== report.chosenId) {
      this.#sweptFor = report.chosenId;
      const runtime = connectRuntime(report);
      const { dataDir, appVersion } = this.paths;
      const swept = await removeLeftovers(
        runtime,
        dataDir,
        appVersion,
        datasetCache(runtime, this.paths),
      ).catch(() => undefined);
      return { ...report, removed: swept?.removed ?? [] };
    }
    return report;
  }
}
