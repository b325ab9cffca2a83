import { connectRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import type { ContainerRuntime, ContainerSpec } from '../../../src/benchmark/runtime/container-runtime.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';
import { createLabels } from '../../../src/benchmark/runtime/labels.ts';
import { sweepLeftovers } from '../../../src/benchmark/runtime/sweep.ts';

export const IMAGE = 'whalemark-test/debian:trixie';

/** The real engine, with names and labels that no other test file uses. */
export interface Workbench {
  runtime: ContainerRuntime;
  labels: Record<string, string>;
  name(what: string): string;
  /** Creates a container that runs a shell script; not started. */
  shell(what: string, script: string, spec?: Partial<ContainerSpec>): Promise<string>;
  /** Removes everything of this workbench and nothing else. */
  clear(): Promise<void>;
}

export async function workbench(file: string): Promise<Workbench> {
  const runtime = connectRuntime(await discoverRuntimes());
  const runId = `test-${file}-${process.pid}`;
  const labels = createLabels({ runId, appVersion: '0.0.0', role: 'test' });
  const name = (what: string): string => `whalemark-${runId}-${what}`;
  return {
    runtime,
    labels,
    name,
    shell: (what, script, spec = {}) =>
      runtime.containers.create({
        name: name(what),
        image: IMAGE,
        labels,
        command: ['sh', '-c', script],
        stopTimeoutSeconds: 1,
        ...spec,
      }),
    clear: async () => {
      const { failed } = await sweepLeftovers(runtime, { runId });
      if (failed.length > 0) throw new Error(JSON.stringify(failed));
    },
  };
}
