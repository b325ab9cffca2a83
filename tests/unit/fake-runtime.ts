import { existsSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { BenchmarkError } from '../../src/shared/errors.ts';
import type { Passport } from '../../src/shared/model/passport.ts';
import type {
  ContainerClient,
  ContainerRuntime,
  ContainerSpec,
  ImageClient,
  ListedContainer,
  LocalImage,
  NetworkClient,
  OwnedResource,
  VolumeClient,
} from '../../src/benchmark/runtime/container-runtime.ts';
import { examinedSchema } from '../../src/benchmark/runtime/examined-container.ts';
import { OWNER_LABEL } from '../../src/benchmark/runtime/labels.ts';
import { FakeSwarm } from './fake-swarm.ts';
import { makePassport } from './plan-builder.ts';

export const FAKE_PASSPORT = makePassport();

const NEVER = '0001-01-01T00:00:00Z';

export interface FakeContainer {
  id: string;
  spec: ContainerSpec;
  running: boolean;
  paused?: boolean;
  /** The time that engines give a container that has never started. */
  startedAt: string;
  exitCode: number | null;
  log: string[];
}

/**
 * A small engine in memory: keeps containers, networks, volumes and images, and remembers every call as
 * "method argument". `failing` makes a call fail; `onStart` plays the program of a container.
 */
export class FakeRuntime implements ContainerRuntime {
  readonly id: string = 'context:fake';
  readonly endpoint: string = '/fake.sock';
  readonly passport: Passport;
  root: string | undefined;
  /** Place of a container's own files, if the engine reports it. */
  layer: string | undefined;
  readonly calls: string[] = [];
  readonly containersMade = new Map<string, FakeContainer>();
  readonly networksMade = new Map<string, OwnedResource>();
  readonly volumesMade = new Map<string, OwnedResource>();
  readonly imagesMade: LocalImage[] = [];
  readonly swarm = new FakeSwarm((call) => this.note(call));
  /** A call as remembered → the error it rejects with. */
  readonly failing = new Map<string, BenchmarkError>();
  /** Runs when a container starts; may write its log or `exit` it. */
  onStart: (container: FakeContainer) => void = () => undefined;
  /** Answer to a command in a container. */
  onExec: (command: string[]) => { exitCode: number; stdout: string; stderr: string } = () => ({
    exitCode: 0,
    stdout: '',
    stderr: '',
  });
  /** Containers of other people, as the engine lists and inspects them. */
  readonly others: { listed: ListedContainer; inspected: unknown }[] = [];
  readonly volumeSizes = new Map<string, number>();
  private serial = 0;
  private readonly pausing = new Map<string, () => void>();
  private readonly waiting = new Map<string, ((exitCode: number) => void)[]>();

  readonly images: ImageClient = {
    list: async () => {
      this.note('listImages');
      return this.imagesMade;
    },
    inspect: async (reference) => {
      this.note(`inspectImage ${reference}`);
      return this.imagesMade.find(({ id, references }) => id === reference || references.includes(reference));
    },
    probeRegistry: async (reference) => {
      this.note(`probeRegistry ${reference}`);
    },
    pull: async (reference) => {
      this.note(`pullImage ${reference}`);
      this.addImage(reference);
    },
    build: async (spec) => {
      this.note(`buildImage ${spec.tag}`);
      this.addImage(spec.tag, { labels: spec.labels });
    },
    commit: async (containerId, tag, labels) => {
      this.note(`commit ${containerId} ${tag}`);
      this.addImage(tag, { labels });
      return tag;
    },
    remove: async (id) => {
      this.note(`removeImage ${id}`);
      const at = this.imagesMade.findIndex((image) => image.id === id || image.references.includes(id));
      if (at >= 0) this.imagesMade.splice(at, 1);
    },
  };

  readonly networks: NetworkClient = {
    create: async (name, labels) => {
      this.note(`createNetwork ${name}`);
      const id = this.nextId('network-');
      this.networksMade.set(id, { kind: 'network', id, name, labels });
      return id;
    },
    remove: async (id) => {
      this.note(`removeNetwork ${id}`);
      this.networksMade.delete(id);
    },
  };

  readonly volumes: VolumeClient = {
    create: async (name, labels) => {
      this.note(`createVolume ${name}`);
      this.volumesMade.set(name, { kind: 'volume', id: name, name, labels });
      return name;
    },
    remove: async (name) => {
      this.note(`removeVolume ${name}`);
      this.volumesMade.delete(name);
    },
    list: async (label) => {
      this.note(`listVolumes ${label}`);
      return [...this.volumesMade.values()].filter(({ labels }) => label in labels);
    },
    inspect: async (name) => {
      this.note(`inspectVolume ${name}`);
      return undefined;
    },
    bytes: async (name) => {
      this.note(`volumeBytes ${name}`);
      return this.volumeSizes.get(name);
    },
  };

  readonly containers: ContainerClient = {
    create: async (spec) => {
      this.note(`createContainer ${spec.name}`);
      const id = this.nextId('container-');
      this.containersMade.set(id, { id, spec, running: false, startedAt: NEVER, exitCode: null, log: [] });
      return id;
    },
    start: async (id) => {
      this.note(`startContainer ${id}`);
      const container = this.container(id);
      container.running = true;
      container.startedAt = '2026-01-01T00:00:00.000000000Z';
      container.exitCode = null;
      this.onStart(container);
    },
    stop: async (id, graceSeconds) => {
      this.note(`stopContainer ${id} ${graceSeconds}`);
      if (this.container(id).running) this.exit(id, 0);
    },
    kill: async (id) => {
      this.note(`killContainer ${id}`);
      if (this.container(id).running) this.exit(id, 137);
    },
    remove: async (id) => {
      this.note(`removeContainer ${id}`);
      if (this.containersMade.get(id)?.running === true) this.exit(id, 137);
      this.containersMade.delete(id);
    },
    inspect: async (id) => {
      this.note(`inspectContainer ${id}`);
      const { running, exitCode, spec, startedAt } = this.container(id);
      const ports = Object.fromEntries((spec.publish ?? []).map((port, index) => [port, 49_152 + index]));
      return {
        running,
        paused: this.container(id).paused ?? false,
        exitCode,
        oomKilled: false,
        ports,
        addresses: {},
        startedAt,
        endedAt: running ? NEVER : '2026-01-01T00:00:01.500000000Z',
        ...(this.layer === undefined ? {} : { layer: this.layer }),
      };
    },
    /** Every container looks as if it had used the same. */
    usage: async (id) => {
      this.note(`containerUsage ${id}`);
      return { usage: { cpuSeconds: 1, throttledSeconds: 0, blockWriteBytes: 0 }, memoryBytes: 1 };
    },
    wait: (id, signal) => {
      this.note(`waitContainer ${id}`);
      const { running, exitCode } = this.container(id);
      if (!running) return Promise.resolve(exitCode ?? 0);
      return new Promise((resolve, reject) => {
        this.waiting.set(id, [...(this.waiting.get(id) ?? []), resolve]);
        signal?.addEventListener('abort', () => reject(new BenchmarkError('STOPPED')), { once: true });
      });
    },
    pause: async (id) => {
      this.note(`pause ${id}`);
      this.pause(id);
    },
    unpause: async (id) => {
      this.note(`unpause ${id}`);
      this.container(id).paused = false;
    },
    waitPaused: async (id, signal, isMeant = () => Promise.resolve(true)) => {
      this.note(`waitPaused ${id}`);
      return new Promise((resolve, reject) => {
        this.pausing.set(id, () => {
          isMeant().then((isReal) => {
            if (isReal) resolve();
          }, reject);
        });
        const end = (): void => {
          this.pausing.delete(id);
          reject(new BenchmarkError('STOPPED'));
        };
        signal.addEventListener('abort', end, { once: true });
      });
    },
    followLogs: async (id, onLine, { signal }) => {
      this.note(`followLogs ${id}`);
      for (const line of this.container(id).log) onLine(line);
      if (this.container(id).running) await this.containers.wait(id, signal).catch(() => undefined);
    },
    logTail: async (id, lines) => {
      this.note(`logTail ${id}`);
      return this.container(id).log.slice(-lines);
    },
    attach: async (id) => {
      this.note(`attach ${id}`);
      const stdout = new PassThrough();
      const stderr = new PassThrough();
      return {
        stdin: new PassThrough(),
        stdout,
        stderr,
        ended: new Promise((resolve) => stdout.once('end', () => resolve())),
        close: () => {
          stdout.end();
          stderr.end();
        },
      };
    },
    exec: async (id, command) => {
      this.note(`exec ${id} ${command.join(' ')}`);
      return this.onExec(command);
    },
    getArchive: async (id, path) => {
      this.note(`getArchive ${id} ${path}`);
      return Readable.from([Buffer.alloc(1024)]);
    },
    putArchive: async (id, path) => {
      this.note(`putArchive ${id} ${path}`);
    },
    listRunning: async () => {
      this.note('listRunning');
      return [...this.containersMade.values()]
        .filter(({ running }) => running)
        .map(({ id, spec }) => ({ id, name: spec.name, labels: spec.labels }));
    },
    listAll: async () => {
      this.note('listAll');
      return this.others.map(({ listed }) => listed);
    },
    examine: async (id) => {
      this.note(`examine ${id}`);
      const found = this.others.find(({ listed }) => listed.id === id || listed.name === id);
      return found === undefined ? undefined : examinedSchema.parse(found.inspected);
    },
    /** An engine on this machine sees the same files as this process. */
    hasPath: (path) => {
      return Promise.resolve(existsSync(path));
    },
  };

  constructor(passport: Passport = FAKE_PASSPORT) {
    this.passport = passport;
  }

  /** Ends a container's program. */
  exit(id: string, exitCode: number): void {
    const container = this.container(id);
    container.running = false;
    container.exitCode = exitCode;
    for (const resolve of this.waiting.get(id) ?? []) resolve(exitCode);
    this.waiting.delete(id);
  }

  dataRoot(): Promise<string | undefined> {
    return Promise.resolve(this.root);
  }

  async ping(): Promise<{ engineVersion: string; kernel: string }> {
    this.note('ping');
    return this.passport.runtime;
  }

  addImage(reference: string, image: Partial<LocalImage> = {}): LocalImage {
    const added = {
      id: this.nextId('sha256:'),
      references: [reference],
      labels: {},
      env: {},
      architecture: 'amd64',
      bytes: 1,
      ...image,
    };
    this.imagesMade.push(added);
    return added;
  }

  /** Containers for whose pause a caller waits. */
  watched(): string[] {
    return [...this.pausing.keys()];
  }

  /** Pauses a container, as a user would. */
  pause(id: string): void {
    this.container(id).paused = true;
    this.tellOfPause(id);
  }

  tellOfPause(id: string): void {
    this.pausing.get(id)?.();
  }

  async listOwned(): Promise<OwnedResource[]> {
    this.note('listOwned');
    const containers = [...this.containersMade.values()].map(({ id, spec }): OwnedResource => ({
      kind: 'container',
      id,
      name: spec.name,
      labels: spec.labels,
    }));
    const all = [...containers, ...this.networksMade.values(), ...this.volumesMade.values()];
    return [...all.filter(({ labels }) => OWNER_LABEL in labels), ...(await this.swarm.listOwned())];
  }

  private note(call: string): void {
    this.calls.push(call);
    const error = this.failing.get(call);
    if (error !== undefined) throw error;
  }

  private container(id: string): FakeContainer {
    const container = this.containersMade.get(id);
    if (container !== undefined) return container;
    throw new BenchmarkError('ENGINE_REFUSED', {
      action: 'use a container',
      reason: `no such container ${id}`,
    });
  }

  private nextId(prefix: string): string {
    this.serial += 1;
    return `${prefix}${this.serial}`;
  }
}
