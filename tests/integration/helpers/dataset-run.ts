import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DEFAULT_BUDGETS } from '../../../src/benchmark/servers/target-server.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { createLabels } from '../../../src/benchmark/runtime/labels.ts';
import type { Environment } from '../../../src/benchmark/context/environment.ts';
import { Cleanup } from '../../../src/benchmark/context/cleanup.ts';
import { Clients } from '../../../src/benchmark/context/clients.ts';
import type { ClientKit, RunContext } from '../../../src/benchmark/context/context.ts';
import { fetchServerImages } from '../../../src/benchmark/start/images.ts';
import { RunControl } from '../../../src/benchmark/context/run-control.ts';
import type { Plan } from '../../../src/shared/model/plan.ts';
import { clientImage, sysbenchImage } from '../load/sysbench-command.ts';

/** The parts of a run that begins to load its dataset. */
export interface DatasetRun {
  context: RunContext;
  bench: Environment;
  /** Takes everything away again, containers before volumes before networks. */
  cleanup: Cleanup;
}

/** Makes the context, the network and the clients of a run, as `prepareEnvironment` does, and nothing else. */
export async function startDatasetRun(
  plan: Plan,
  runtime: ContainerRuntime,
  bindRoot: string,
  signal: AbortSignal,
): Promise<DatasetRun> {
  const runId = `dataset-${randomBytes(4).toString('hex')}`;
  const labels = (role: string): Record<string, string> =>
    createLabels({ runId, appVersion: '0.0.0-test', role });
  const cleanup = new Cleanup();
  let number = 0;
  const context: RunContext = {
    plan,
    runId,
    runtime,
    engines: [runtime],
    appVersion: '0.0.0-test',
    bindRoot,
    clientFile: resolve('out/main/client.cjs'),
    clientImageFiles: { Dockerfile: await readFile('assets/client-image/Dockerfile', 'utf8') },
    datasetsOn: () => undefined,
    budgets: DEFAULT_BUDGETS,
    hide: () => undefined,
    emit: () => undefined,
    control: new RunControl(() => undefined),
    signal,
  };
  const prefix = `whalemark-${runId}`;
  const networkId = await runtime.networks.create(prefix, labels('network'));
  cleanup.add('network', () => runtime.networks.remove(networkId));
  const kit: ClientKit = {
    runtime,
    clientImages: { builtin: await clientImage('builtin'), sysbench: await sysbenchImage() },
    prefix,
    labels,
    networks: { bridge: prefix, overlay: undefined },
  };
  const bench: Environment = {
    ...kit,
    nextNumber: () => (number += 1),
    nativeData: new Map(),
    flushesKnown: new Set(),
    factsKnown: new Set(),
    servers: new Map(),
    imageLayers: new Map(),
    cleanup,
    images: await fetchServerImages(context),
    datasets: new Map(),
    clients: new Clients(context, kit, cleanup),
    account: { user: 'whalemark', password: randomBytes(18).toString('base64url'), database: 'sbtest' },
  };
  return { context, bench, cleanup };
}
