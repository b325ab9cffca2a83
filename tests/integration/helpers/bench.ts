import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { connectRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import type { Installation } from '../../../src/benchmark/installation/installation.ts';
import type {
  ContainerClient,
  ContainerRuntime,
  Engines,
  OwnedResource,
} from '../../../src/benchmark/runtime/container-runtime.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';
import { RUN_LABEL } from '../../../src/benchmark/runtime/labels.ts';
import { makePlan } from '../../../src/benchmark/plan/plan.ts';
import { resolvedPreset } from '../../../src/shared/model/preset.ts';
import { checkPreset } from '../../../src/benchmark/presets/preset-file.ts';
import type { OwnTask } from '../../../src/benchmark/context/own-task.ts';
import { startSession, type RunSession } from '../../../src/benchmark/run/session.ts';
import type { ServerBudgets } from '../../../src/benchmark/servers/target-server.ts';
import type { RunEvent } from '../../../src/shared/model/events.ts';
import type { Plan } from '../../../src/shared/model/plan.ts';

/** The real runtime of this machine. */
export async function realRuntime(): Promise<ContainerRuntime> {
  return connectRuntime(await discoverRuntimes({}));
}

/** Processes that outlive their program, which work in its data folder. */
export function sweepersIn(dataDir: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const isHere = readlinkSync(`/proc/${pid}/cwd`) === dataDir;
      return isHere && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sweeper.cjs');
    } catch {
      return false;
    }
  });
}

/** A data folder for one test file. It is removed once no sweeper writes to its log. */
export async function temporaryHome(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'whalemark-test-'));
  const remove = async (): Promise<void> => {
    // Benches call this outside of Vitest.
    for (const until = Date.now() + 60_000; sweepersIn(dataDir).length > 0; await setTimeout(200)) {
      if (Date.now() > until) throw new Error(`a sweeper still works in ${dataDir}`);
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  return { dataDir, remove };
}

/** The engine and a data folder for the tests of a `describe`; both are there from its first hook or test on. */
export function realBench(): { readonly runtime: ContainerRuntime; readonly dataDir: string } {
  let made: { runtime: ContainerRuntime; home: Awaited<ReturnType<typeof temporaryHome>> } | undefined;
  const bench = (): NonNullable<typeof made> => {
    if (made === undefined) throw new Error('only in hooks and tests');
    return made;
  };
  beforeAll(async () => {
    made = { runtime: await realRuntime(), home: await temporaryHome() };
  });
  afterAll(() => made?.home.remove());
  return {
    get runtime() {
      return bench().runtime;
    },
    get dataDir() {
      return bench().home.dataDir;
    },
  };
}

/** Datasets are kept and shared by all tests of a run unless another folder is given; `null` keeps none. */
export async function installation(
  dataDir: string,
  datasetDir = process.env['WHALEMARK_DATASETS'] ?? null,
): Promise<Installation> {
  return {
    dataDir,
    appVersion: '0.0.0-test',
    clientFile: resolve('out/main/client.cjs'),
    clientImageFiles: { Dockerfile: await readFile('assets/client-image/Dockerfile', 'utf8') },
    datasetDir,
  };
}

const SMALL = {
  whalemark: 1,
  id: 'small',
  name: 'Small',
  question: 'Does it work?',
  // MariaDB starts in half of MySQL's time.
  server: { image: 'mariadb:11.8', settings: { bufferPool: 64, redoLogMiB: 64 } },
  workload: { tables: 2, tableSize: 1000 },
  connections: 4,
  baseline: 'named-volume.published-port',
  aaCheck: false,
  schedule: { rounds: 2, warmupSeconds: 0, durationSeconds: 1 },
  seed: 7,
};

/** A plan that takes seconds: small tables, one-second trials. `fields` replaces fields of its preset. */
export function smallPlan(
  runtime: ContainerRuntime,
  fields: Record<string, unknown>,
  engines: Partial<Engines> = {},
): Promise<Plan> {
  return readFile('assets/client-image/Dockerfile', 'utf8').then((Dockerfile) =>
    makePlan({
      resolved: resolvedPreset(checkPreset({ ...SMALL, ...fields }, 'small')),
      mode: 'full',
      ...{ engines: [runtime], ...engines },
      imageNamedByUser: false,
      clientImageFiles: { Dockerfile },
      referenceDir: resolve('assets/reference'),
    }),
  );
}

/** Requests that a run takes while it continues. */
export interface Asks {
  pause(): void;
  resume(): void;
  skip(): void;
}

/** Runs a plan to its end; `onEvent` may stop it, or ask it for something. */
export async function runPlan(
  plan: Plan,
  runtime: ContainerRuntime,
  dataDir: string,
  options: Partial<Engines> & {
    budgets?: ServerBudgets;
    own?: OwnTask;
    /** Keeps datasets here instead of where all tests share them. */
    datasetDir?: string | null;
    onEvent?: (event: RunEvent, stop: () => void, asks: Asks) => void;
  } = {},
) {
  const events: RunEvent[] = [];
  let started: RunSession | undefined = undefined;
  const asks: Asks = {
    pause: () => started?.pause(),
    resume: () => started?.resume(),
    skip: () => started?.skip(),
  };
  const session = await startSession(
    plan,
    { engines: options.engines ?? [runtime], client: options.client },
    await installation(dataDir, options.datasetDir),
    (event) => {
      events.push(event);
      options.onEvent?.(event, () => started?.stop(), asks);
    },
    {
      consents: plan.consents.map(({ consent }) => consent),
      ...(options.budgets === undefined ? {} : { budgets: options.budgets }),
      own: options.own,
    },
  );
  started = session;
  const { state, journalPath } = await session.done;
  return { state, journalPath, events };
}

/** The runtime with some of its containers' methods replaced, and perhaps another passport. */
export function withContainers(
  runtime: ContainerRuntime,
  changed: Partial<ContainerClient>,
  passport = runtime.passport,
): ContainerRuntime {
  return {
    id: runtime.id,
    endpoint: runtime.endpoint,
    passport,
    images: runtime.images,
    networks: runtime.networks,
    volumes: runtime.volumes,
    containers: withMethods(runtime.containers, changed),
    swarm: runtime.swarm,
    ping: () => runtime.ping(),
    dataRoot: () => runtime.dataRoot(),
    listOwned: () => runtime.listOwned(),
  };
}

/** A part of the runtime with some of its methods replaced. */
export function withMethods<T extends object>(part: T, changed: Partial<T>): T {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Resources of a run that are still on the engine. */
export async function leftOf(runtime: ContainerRuntime, runId: string): Promise<OwnedResource[]> {
  return (await runtime.listOwned()).filter(({ labels }) => labels[RUN_LABEL] === runId);
}
