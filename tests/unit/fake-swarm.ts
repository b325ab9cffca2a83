import type {
  OwnedResource,
  ServiceSpec,
  ServiceTask,
  SwarmEngine,
  SwarmNode,
  SwarmState,
} from '../../src/benchmark/runtime/container-runtime.ts';
import { OWNER_LABEL, RUN_LABEL } from '../../src/benchmark/runtime/labels.ts';

type Labels = Record<string, string>;

/** Swarms in memory. `note` remembers every call and may make it fail. */
export class FakeSwarm implements SwarmEngine {
  current: SwarmState = { state: 'inactive', manager: false, nodeId: '', liveRestore: false };
  labels: Labels = {};
  members: SwarmNode[] = [];
  readonly serviceSpecs = new Map<string, ServiceSpec>();
  /** State of a service's task. */
  onTask: (spec: ServiceSpec) => ServiceTask | undefined = () => ({
    state: 'running',
    message: 'started',
    containerId: undefined,
  });
  private serial = 0;

  constructor(private readonly note: (call: string) => void) {}

  /** Puts the engine into a foreign swarm. */
  join(manager = true): void {
    this.current = { ...this.current, state: 'active', manager, nodeId: 'node-1' };
    this.members = [];
    this.addNode('node-1');
  }

  addNode(id: string, usable = true): void {
    this.members.push({ id, usable });
  }

  async state(): Promise<SwarmState> {
    return this.current;
  }

  async init(labels: Labels): Promise<void> {
    this.note('initSwarm');
    this.join();
    this.labels = labels;
  }

  async leave(runId: string): Promise<void> {
    this.note(`leaveSwarm ${runId}`);
    if (this.labels[RUN_LABEL] !== runId) return;
    this.current = { ...this.current, state: 'inactive', manager: false, nodeId: '' };
    this.labels = {};
  }

  async nodes(): Promise<SwarmNode[]> {
    return this.members;
  }

  async createService(spec: ServiceSpec): Promise<string> {
    this.note(`createService ${spec.name}`);
    const id = `service-${++this.serial}`;
    this.serviceSpecs.set(id, spec);
    return id;
  }

  async serviceTask(id: string): Promise<ServiceTask | undefined> {
    const spec = this.serviceSpecs.get(id);
    return spec === undefined ? undefined : this.onTask(spec);
  }

  async publishedPort(): Promise<number | undefined> {
    return 30_000;
  }

  async removeService(id: string): Promise<void> {
    this.note(`removeService ${id}`);
    this.serviceSpecs.delete(id);
  }

  async listOwned(): Promise<OwnedResource[]> {
    const services = [...this.serviceSpecs].map(([id, { name, labels }]): OwnedResource => ({
      kind: 'service',
      id,
      name,
      labels,
    }));
    const own: OwnedResource = { kind: 'swarm', id: 'swarm', name: 'swarm', labels: this.labels };
    return [...services, own].filter(({ labels }) => OWNER_LABEL in labels);
  }
}
