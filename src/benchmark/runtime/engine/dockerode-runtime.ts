import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { ContainerUsage } from '../../../shared/model/evidence.ts';
import type { Passport, RuntimeAttempt, RuntimeReport } from '../../../shared/model/passport.ts';
import { ContainerStreams } from './container-streams.ts';
import type {
  Attachment,
  ContainerRuntime,
  ContainerSpec,
  ContainerState,
  LocalImage,
  OwnedResource,
  Progress,
  RunningContainer,
} from '../container-runtime.ts';
import { Containers } from './containers.ts';
import { type Connection, connectionKey, parseEndpoint } from './endpoints.ts';
import { checked, EngineClient } from './engine-client.ts';
import { Images } from './images.ts';
import { Networks } from './networks.ts';
import { Swarm } from './swarm.ts';
import { Volumes } from './volumes.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import { listCandidates } from '../discovery/candidates.ts';
import { thisMachine, type Surroundings } from '../discovery/surroundings.ts';

/** An engine that does not answer a ping in this time is as good as gone. */
const PING_DEADLINE_MS = 5_000;
const versionSchema = z.object({ Version: z.string(), KernelVersion: z.string().default('') });

/**
 * `ContainerRuntime` over dockerode; one file per noun does the work. Its fields are `private` and not `#`:
 * tests derive from a runtime by `Object.create` or wrap it in a `Proxy`, and a `#` field can't be reached
 * through either.
 */
export class DockerodeRuntime implements ContainerRuntime {
  readonly endpoint: string;
  readonly swarm: Swarm;
  private readonly client: EngineClient;
  private readonly images: Images;
  private readonly networks: Networks;
  private readonly volumes: Volumes;
  private readonly containers: Containers;
  private readonly streams: ContainerStreams;

  constructor(
    readonly id: string,
    readonly passport: Passport,
    connection: Connection,
  ) {
    this.endpoint = connectionKey(connection.kind === 'tcp' ? { ...connection, tls: undefined } : connection);
    this.client = new EngineClient(connection);
    this.images = new Images(this.client);
    this.networks = new Networks(this.client);
    this.volumes = new Volumes(this.client);
    this.swarm = new Swarm(this.client, this.networks, passport.runtime);
    this.containers = new Containers(this.client, passport.runtime);
    this.streams = new ContainerStreams(this.client);
  }

  async ping(): Promise<{ engineVersion: string; kernel: string }> {
    const action = 'ping';
    const answer: unknown = await this.client.call(action, () => this.client.docker.version(), {
      deadlineMs: PING_DEADLINE_MS,
    });
    const { Version, KernelVersion } = checked(versionSchema, answer, action);
    return { engineVersion: Version, kernel: KernelVersion };
  }

  listImages(): Promise<LocalImage[]> {
    return this.images.list();
  }

  inspectImage(reference: string): Promise<LocalImage | undefined> {
    return this.images.inspect(reference);
  }

  probeRegistry(reference: string): Promise<void> {
    return this.images.probeRegistry(reference);
  }

  pullImage(reference: string, onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<void> {
    return this.images.pull(reference, onProgress, signal);
  }

  buildImage(
    spec: Parameters<ContainerRuntime['buildImage']>[0],
    onProgress: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    return this.images.build(spec, onProgress, signal);
  }

  removeImage(id: string): Promise<void> {
    return this.images.remove(id);
  }

  createNetwork(
    name: string,
    labels: Record<string, string>,
    driver: 'bridge' | 'overlay' = 'bridge',
  ): Promise<string> {
    return this.networks.create(name, labels, driver);
  }

  removeNetwork(id: string): Promise<void> {
    return this.networks.remove(id);
  }

  createVolume(
    name: string,
    labels: Record<string, string>,
    driverOptions?: Record<string, string>,
  ): Promise<string> {
    return this.volumes.create(name, labels, driverOptions);
  }

  removeVolume(name: string): Promise<void> {
    return this.volumes.remove(name);
  }

  listVolumes(label: string): Promise<OwnedResource[]> {
    return this.volumes.list(label);
  }

  hasPath(path: string): Promise<boolean | undefined> {
    return this.containers.hasPath(path);
  }

  createContainer(spec: ContainerSpec): Promise<string> {
    return this.containers.create(spec);
  }

  startContainer(id: string): Promise<void> {
    return this.containers.start(id);
  }

  stopContainer(id: string, graceSeconds: number): Promise<void> {
    return this.containers.stop(id, graceSeconds);
  }

  killContainer(id: string): Promise<void> {
    return this.containers.kill(id);
  }

  removeContainer(id: string): Promise<void> {
    return this.containers.remove(id);
  }

  inspectContainer(id: string): Promise<ContainerState> {
    return this.containers.inspect(id);
  }

  containerUsage(id: string): Promise<{ usage: ContainerUsage; memoryBytes: number | null }> {
    return this.containers.usage(id);
  }

  waitContainer(id: string, signal?: AbortSignal): Promise<number> {
    return this.containers.wait(id, signal);
  }

  waitPaused(id: string, signal: AbortSignal): Promise<void> {
    return this.streams.waitPaused(id, signal);
  }

  followLogs(
    id: string,
    onLine: (line: string) => void,
    options: { signal: AbortSignal; since?: string },
  ): Promise<void> {
    return this.streams.followLogs(id, onLine, options);
  }

  logTail(id: string, lines: number): Promise<string[]> {
    return this.streams.logTail(id, lines);
  }

  attach(id: string): Promise<Attachment> {
    return this.streams.attach(id);
  }

  exec(id: string, command: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
    return this.streams.exec(id, command);
  }

  getArchive(id: string, path: string): Promise<Readable> {
    return this.streams.getArchive(id, path);
  }

  putArchive(id: string, path: string, tar: Readable | Uint8Array): Promise<void> {
    return this.streams.putArchive(id, path, tar);
  }

  listRunning(): Promise<RunningContainer[]> {
    return this.containers.listRunning();
  }

  async listOwned(): Promise<OwnedResource[]> {
    const lists = await Promise.all([
      this.containers.listOwned(),
      this.networks.listOwned(),
      this.volumes.listOwned(),
      this.images.listOwned(),
      this.swarm.listOwned(),
    ]);
    return lists.flat();
  }
}

/**
 * The runtime with the given id, or the one the report has chosen. Connects lazily: nothing is sent yet.
 * Throws RUNTIME_UNKNOWN for an id that the report doesn't have or a context that is gone, the discovery's own error for
 * a context whose certificates can't be read, NO_RUNTIME with the attempts as evidence when that runtime, or every one,
 * is unusable.
 */
export function connectRuntime(
  report: RuntimeReport,
  id?: string,
  surroundings: Surroundings = thisMachine(),
): ContainerRuntime {
  const wanted = id ?? report.chosenId;
  if (wanted === null) throw noRuntime(report.attempts);
  const attempt = report.attempts.find((each) => each.id === wanted);
  if (attempt === undefined) throw unknownRuntime(wanted, report);
  if (attempt.passport === null) throw noRuntime([attempt]);
  const connection = connectionOf(attempt, surroundings);
  if (connection === undefined) throw unknownRuntime(wanted, report);
  return new DockerodeRuntime(attempt.id, attempt.passport, connection);
}

/**
 * A report is data and holds no certificates, so they are read again from where the attempt came from. A context that
 * is no longer as it was would be reached without them: only a socket of this machine needs none. Throws the error of
 * a context that can't be read.
 */
function connectionOf(attempt: RuntimeAttempt, surroundings: Surroundings): Connection | undefined {
  const candidate = listCandidates(surroundings).find(({ id }) => id === attempt.id);
  if (candidate?.error !== undefined) throw candidate.error;
  if (candidate?.endpoint === attempt.endpoint) return candidate.connection;
  return attempt.source === 'socket' ? parseEndpoint(attempt.endpoint, surroundings.platform) : undefined;
}

function unknownRuntime(id: string, { attempts }: RuntimeReport): BenchmarkError {
  const known = attempts.filter((each) => each.usable && each.id !== id).map((each) => each.id);
  return new BenchmarkError('RUNTIME_UNKNOWN', { id, known: known.join(', ') || '–' });
}

function noRuntime(attempts: RuntimeAttempt[]): BenchmarkError {
  return new BenchmarkError(
    'NO_RUNTIME',
    {},
    {
      evidence: attempts.map(
        ({ label, error }) => `${label}: ${error === null ? 'usable' : `${error.message} ${error.hint}`}`,
      ),
    },
  );
}
