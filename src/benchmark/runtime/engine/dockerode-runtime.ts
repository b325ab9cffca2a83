import * as z from 'zod';
import type { Passport, RuntimeAttempt, RuntimeReport } from '../../../shared/model/passport.ts';
import type { ContainerRuntime, Engines, OwnedResource } from '../container-runtime.ts';
import { Containers } from './containers.ts';
import { type Connection, connectionKey, parseEndpoint } from './endpoints.ts';
import { EngineClient } from './engine-client.ts';
import { Images } from './images.ts';
import { Networks } from './networks.ts';
import { Swarm } from './swarm.ts';
import { Volumes } from './volumes.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import { listCandidates } from '../discovery/candidates.ts';
import { thisMachine, type Surroundings } from '../discovery/surroundings.ts';
import { msg } from '../../../shared/message.ts';
import { different, enginesHere } from '../../../shared/docker/docker-trouble.ts';
import { unsetCommand } from '../../../shared/words/docker-guide.ts';

const PING_DEADLINE_MS = 5_000;
const infoSchema = z.object({ DockerRootDir: z.string().optional() });
const versionSchema = z.object({ Version: z.string(), KernelVersion: z.string().default('') });

export class DockerodeRuntime implements ContainerRuntime {
  readonly endpoint: string;
  readonly images: Images;
  readonly networks: Networks;
  readonly volumes: Volumes;
  readonly containers: Containers;
  readonly swarm: Swarm;
  readonly #client: EngineClient;

  constructor(
    readonly id: string,
    readonly passport: Passport,
    connection: Connection,
  ) {
    this.endpoint = connectionKey(connection.kind === 'tcp' ? { ...connection, tls: undefined } : connection);
    this.#client = new EngineClient(connection, passport.runtime);
    this.images = new Images(this.#client);
    this.networks = new Networks(this.#client);
    this.volumes = new Volumes(this.#client);
    this.swarm = new Swarm(this.#client, this.networks, passport.runtime);
    this.containers = new Containers(this.#client, passport.runtime);
  }

  async ping(): Promise<{ engineVersion: string; kernel: string }> {
    const { Version, KernelVersion } = await this.#client.made(
      versionSchema,
      'ping',
      (signal) => this.#client.told('version', signal),
      PING_DEADLINE_MS,
    );
    return { engineVersion: Version, kernel: KernelVersion };
  }

  async dataRoot(): Promise<string | undefined> {
    const { vm, remote } = this.passport.runtime;
    if (vm || remote) return undefined;
    const info = await this.#client.answer(infoSchema, msg('action.inspectEngine'), (signal) =>
      this.#client.told('info', signal),
    );
    return info.DockerRootDir;
  }

  async listOwned(): Promise<OwnedResource[]> {
    const lists = await Promise.all([
      this.containers.listOwned(),
      this.images.listOwned(),
      this.networks.listOwned(),
      this.volumes.listOwned(),
      this.swarm.listOwned(),
    ]);
    return lists.flat();
  }
}

export function connectRuntime(
  report: RuntimeReport,
  id?: string,
  surroundings: Surroundings = thisMachine(),
): ContainerRuntime {
  const wanted = id ?? report.chosenId;
  if (wanted === null) throw wrongContext(report, surroundings) ?? noRuntime(report.attempts);
  const attempt = report.attempts.find((each) => each.id === wanted);
  if (attempt === undefined) throw unknownRuntime(wanted, report);
  if (attempt.passport === null) throw noRuntime([attempt]);
  const connection = connectionOf(attempt, surroundings);
  if (connection === undefined) throw unknownRuntime(wanted, report);
  return new DockerodeRuntime(attempt.id, attempt.passport, connection);
}

/** Contexts or engine IDs, the first as reference; `all` is only this machine. */
export type WantedEngines = 'all' | readonly string[];

export function findEngines(
  report: RuntimeReport,
  inUse: () => ContainerRuntime,
  wanted: WantedEngines | undefined,
  client: string | undefined,
  surroundings: Surroundings = thisMachine(),
): Engines {
  return {
    engines: wanted === undefined ? [inUse()] : connectEngines(report, wanted, surroundings),
    client: client === undefined ? undefined : connectRuntime(report, idNamed(client, report), surroundings),
  };
}

function idNamed(name: string, { attempts }: RuntimeReport): string {
  return attempts.find(({ id }) => id === `context:${name}`)?.id ?? name;
}

/** Rejects with ENGINES_TOO_FEW below two different engines. */
export function connectEngines(
  report: RuntimeReport,
  wanted: WantedEngines,
  surroundings: Surroundings = thisMachine(),
): Engines['engines'] {
  const ids =
    wanted === 'all' ? enginesHere(report).map(({ id }) => id) : wanted.map((name) => idNamed(name, report));
  const [first, ...others] = ids.map((id) => connectRuntime(report, id, surroundings));
  const named = ids.flatMap((id) => report.attempts.find((one) => one.id === id) ?? []);
  if (first === undefined || others.length === 0 || different(named).length < ids.length) {
    throw new BenchmarkError('ENGINES_TOO_FEW', { known: ids.join(', ') || msg('list.none') });
  }
  return [first, ...others];
}

function connectionOf(attempt: RuntimeAttempt, surroundings: Surroundings): Connection | undefined {
  const candidate = listCandidates(surroundings).find(({ id }) => id === attempt.id);
  if (candidate?.error !== undefined) throw candidate.error;
  if (candidate?.endpoint === attempt.endpoint) return candidate.connection;
  return attempt.source === 'socket' ? parseEndpoint(attempt.endpoint, surroundings.platform) : undefined;
}

function unknownRuntime(id: string, { attempts }: RuntimeReport): BenchmarkError {
  const known = attempts.filter((each) => each.usable && each.id !== id).map((each) => each.id);
  return new BenchmarkError('ENGINE_UNKNOWN', { id, known: known.join(', ') || msg('list.none') });
}

function noRuntime(attempts: RuntimeAttempt[]): BenchmarkError {
  return new BenchmarkError('NO_ENGINE', {}, { evidence: attempts.map(triedLine) });
}

function wrongContext({ attempts }: RuntimeReport, { platform }: Surroundings): BenchmarkError | undefined {
  const selected = attempts.find(({ askedBy }) => askedBy !== undefined);
  const usable = different(attempts.filter((attempt) => attempt.usable));
  if (selected?.askedBy === undefined || usable.length === 0) return undefined;
  const { askedBy: variable, source, endpoint, label } = selected;
  return new BenchmarkError(
    'WRONG_CONTEXT',
    {
      variable,
      selected: source === 'env' ? endpoint : label,
      command: unsetCommand(variable, platform),
      known: usable.map(({ id }) => id).join(', '),
    },
    { evidence: [triedLine(selected)] },
  );
}

function triedLine({ label, error }: RuntimeAttempt): string {
  return `${label}: ${error === null ? 'usable' : `${error.message} ${error.hint}`}`;
}
