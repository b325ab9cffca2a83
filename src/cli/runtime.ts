import { connectRuntime } from '../benchmark/runtime/connect.ts';
import type { ContainerRuntime } from '../benchmark/runtime/container-runtime.ts';
import { discoverRuntimes } from '../benchmark/runtime/discover.ts';
import { logRuntimes } from '../benchmark/runtime/runtime-log.ts';

/** The runtime to use: the one named (a context's name or a runtime id), else the first usable. */
export async function findRuntime(name: string | undefined): Promise<ContainerRuntime> {
  const report = await discoverRuntimes({});
  logRuntimes(report);
  if (name === undefined) return connectRuntime(report);
  const context = report.attempts.find(({ id }) => id === `context:${name}`);
  return connectRuntime(report, context?.id ?? name);
}
