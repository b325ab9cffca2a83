import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import type { Scenario } from '../../shared/model/plan.ts';
import type { LoadClient } from '../load/load-client.ts';
import { CommandedClient, HostClient } from '../load/client/clients.ts';
import { CLIENT_USER, type ClientKind, clientKinds, otherNodeKinds } from '../load/client-image.ts';
import type { MountSpec } from '../runtime/container-runtime.ts';
import { tarOf } from '../runtime/engine/tar.ts';
import { PATHS } from '../../shared/kinds/paths.ts';
import { type RunningServer, SOCKET_DIRECTORY } from '../servers/target-server.ts';
import type { Cleanup } from './cleanup.ts';
import { lackingImage } from './client-images.ts';
import type { ClientKit, RunContext } from './context.ts';
import { BenchmarkError, type ErrorCode, messageOf } from '../../shared/errors.ts';
import { brokenConnection, isEngineLost } from '../runtime/engine/engine-error.ts';
import { unlessStopped } from '../stop.ts';

/** `/tmp` is in every image. */
const DIRECTORY = '/tmp';

interface ClientPlace {
  network: string;
  mounts: MountSpec[];
  isOnOtherNode?: boolean;
}

export class Clients {
  readonly #containers = new Map<string, CommandedClient>();
  readonly #perTrial = new Map<LoadClient, string>();
  #host: HostClient | undefined;
  #count = 0;

  constructor(
    private readonly context: RunContext,
    private readonly kit: ClientKit,
    private readonly cleanup: Cleanup,
  ) {}

  lacking(scenario: Scenario): BenchmarkError | undefined {
    const { clientImages, otherNode } = this.kit;
    return (
      lackingImage(clientKinds(this.context.plan.engines[0].passport, scenario), clientImages) ??
      lackingImage(otherNodeKinds(scenario), otherNode?.clientImages ?? {})
    );
  }

  for(scenario: Scenario, running: RunningServer): Promise<LoadClient> {
    if (scenario.placement === 'host') return Promise.resolve(this.onHost());
    const { bridge, overlay } = this.kit.networks;
    const kind = scenario.loadGenerator;
    switch (PATHS[scenario.path].clientNetwork) {
      case 'host':
        return this.#reused(`${kind} host`, kind, { network: 'host', mounts: [] });
      case 'bridge':
        return this.onBridge(kind);
      case 'overlay':
        return this.#reused(`${kind} overlay`, kind, { network: overlay ?? bridge, mounts: [] });
      case 'other-node': {
        const place = { network: overlay ?? bridge, mounts: [], isOnOtherNode: true };
        return this.#reused(`${kind} other node`, kind, place).catch(asLostClient);
      }
      case 'server':
        return this.#inNamespaceOf(running.containerId ?? '', kind);
      case 'socket':
        return this.#reused(`${kind} socket ${scenario.serverId}`, kind, {
          network: 'none',
          mounts: [
            {
              type: 'volume',
              source: socketVolume(this.kit.prefix, scenario.serverId),
              target: SOCKET_DIRECTORY,
            },
          ],
        });
    }
  }

  onHost(): LoadClient {
    if (this.#host?.isLost === false) return this.#host;
    const client = new HostClient(this.context.clientFile);
    this.cleanup.add('container', () => client.close());
    return (this.#host = client);
  }

  onBridge(kind: ClientKind = 'builtin'): Promise<LoadClient> {
    return this.#reused(`${kind} bridge`, kind, { network: this.kit.networks.bridge, mounts: [] });
  }

  async release(client: LoadClient): Promise<void> {
    const id = this.#perTrial.get(client);
    this.#perTrial.delete(client);
    if (id !== undefined) await this.context.runtime.containers.remove(id);
  }

  forgetAll(): void {
    this.#containers.clear();
    this.#perTrial.clear();
  }

  async #inNamespaceOf(containerId: string, kind: ClientKind): Promise<LoadClient> {
    const { id, client } = await this.#start(kind, { network: `container:${containerId}`, mounts: [] });
    this.#perTrial.set(client, id);
    return client;
  }

  async #reused(key: string, kind: ClientKind, place: ClientPlace): Promise<LoadClient> {
    const known = this.#containers.get(key);
    if (known?.isLost === false) return known;
    const { client } = await this.#start(kind, place);
    this.#containers.set(key, client);
    return client;
  }

  async #start(
    kind: ClientKind,
    { network, mounts, isOnOtherNode = false }: ClientPlace,
  ): Promise<{ id: string; client: CommandedClient }> {
    const { clientFile } = this.context;
    const { prefix, labels, otherNode } = this.kit;
    const place = isOnOtherNode ? otherNode : this.kit;
    const image = place?.clientImages[kind];
    if (image instanceof BenchmarkError) throw image;
    if (place === undefined || image === undefined) {
      throw new Error(`no client image with ${kind} was prepared`);
    }
    const { runtime } = place;
    this.#count += 1;
    const file = basename(clientFile);
    const id = await runtime.containers.create({
      name: `${prefix}-client${this.#count}`,
      image,
      labels: labels('client'),
      entrypoint: ['node', `${DIRECTORY}/${file}`],
      user: CLIENT_USER,
      mounts,
      network,
      stdin: true,
      stopTimeoutSeconds: 1,
    });
    this.cleanup.add('container', () => runtime.containers.remove(id));
    await runtime.containers.putArchive(id, DIRECTORY, await tarOf({ [file]: await readFile(clientFile) }));
    const attachment = await runtime.containers.attach(id);
    await runtime.containers.start(id);
    return { id, client: new CommandedClient(attachment) };
  }
}

export function socketVolume(prefix: string, serverId: string): string {
  return `${prefix}-socket-${serverId.replace(/[^a-z0-9_.-]/gi, '-')}`;
}

/** Loss of the client's engine costs only its scenarios. */
function asLostClient(error: unknown): never {
  if (!isEngineLost(error)) throw error;
  throw new BenchmarkError('CLIENT_LOST', { reason: messageOf(error) }, { cause: error });
}

/** A server that answers late stood still with its engine; its path isn't broken. */
export async function checkAgain(running: RunningServer, check: () => Promise<unknown>): Promise<void> {
  const answer = (): Promise<unknown> => Promise.race([running.failed, check()]);
  try {
    await answer();
  } catch (error) {
    const isSilent = error instanceof BenchmarkError && error.code === 'PATH_NO_TRAFFIC';
    if (!isSilent || !(await running.isAlive())) throw error;
    await answer();
    throw brokenConnection(error);
  }
}

const LOST: ReadonlySet<ErrorCode> = new Set(['LOAD_FAILED', 'DATASET_FAILED']);
const NOTICE_MS = 2000;

/** The server's own error if it died; clients only see lost connections. */
export async function diagnoseLostConnection(
  error: unknown,
  running: RunningServer,
  signal: AbortSignal,
): Promise<unknown> {
  if (isEngineLost(error)) return error;
  const ended = running.failed.catch((reason: unknown) => reason);
  try {
    if (await running.isAlive()) {
      if (!(error instanceof BenchmarkError) || !LOST.has(error.code)) return error;
      return await Promise.race([ended, later(NOTICE_MS, error)]);
    }
  } catch (lost) {
    return isEngineLost(lost) ? lost : error;
  }
  return unlessStopped(signal, ended).catch((stopped: unknown) => stopped);
}
