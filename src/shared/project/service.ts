import { msg, type Message } from '../message.ts';
import type { DatabaseService } from '../model/database.ts';
import { commandOf, extraFlags, type Command } from './command.ts';
import { envFilesOf, environmentNames, valuesOf } from './environment.ts';
import { baseImage, imageByVariables, isServerVariable, serverImage, type ServerImage } from './image.ts';
import { hostPath, type ComposeInput, type Texts } from './input.ts';
import { configFilesOf } from './option-files.ts';
import { pathsOf, portsOf, type Client } from './paths.ts';
import type { Variables } from './interpolate.ts';
import type { Project, ProjectService } from './project.ts';
import { STACKS, stackOf } from './stacks.ts';
import { mebibytesOf, mountAt, mountsOf, normalPath, storageOf, type ComposeMount } from './storage.ts';
import { entryOf, itemsOf, Notes, placed, placeOf, type Mapping, type Tree } from './tree.ts';

const UNREAD =
  `blkio_config cap_add cap_drop cgroup cgroup_parent cpu_rt_period cpu_rt_runtime cpu_shares cpuset
  device_cgroup_rules ipc mem_swappiness memswap_limit oom_kill_disable pids_limit privileged read_only runtime
  security_opt shm_size storage_opt sysctls ulimits user userns_mode`
    .split(/\s+/)
    .filter((name) => name !== '');

const SERVER_CHECK = /\b(?:mysqladmin|mariadb-admin)\b|\bhealthcheck\.sh\b/;
/** Sent to no registry. */
const SECRET_NAME = /pass|pwd|secret|token|key|credential|private|auth/i;

interface Candidate {
  name: string;
  service: Mapping;
  image: ServerImage;
  reference: string | undefined;
  isGuess: boolean;
  official: DatabaseService['official'];
  copied: ComposeMount[];
  command: Command;
  mounts: ComposeMount[];
  names: string[];
  envFiles: string[];
  notes: Notes;
}

export class ServiceReader {
  readonly #project: Project;
  readonly #input: ComposeInput;
  readonly #texts: Texts;
  #clients: Client[] | undefined;

  constructor(project: Project, input: ComposeInput, texts: Texts) {
    this.#project = project;
    this.#input = input;
    this.#texts = texts;
  }

  /** Undefined: no database. */
  service(name: string, { service, problem }: ProjectService): DatabaseService | undefined {
    const candidate = this.#candidate(name, service);
    if (candidate === undefined) return undefined;
    const { image, command, mounts, notes, reference } = candidate;
    if (problem !== undefined) notes.refusal ??= problem;
    this.#judge(candidate);
    const storage = storageOf({
      service,
      image,
      command,
      mounts,
      volumes: this.#project.volumes,
      project: this.#project.name,
      isWindows: this.#input.isWindows,
      notes,
    });
    const { socket, port } = command;
    const ports = portsOf(service, notes);
    const server = { name, service, ports, port, mounts, socket, envFiles: candidate.envFiles, notes };
    const paths = pathsOf(server, this.#clientsOf(name), this.#project.networks);
    const limits = limitsOf(service, notes);
    return {
      name,
      flavor: image.flavor,
      image: reference ?? '',
      built: entryOf(service, 'build') !== undefined,
      official: candidate.official,
      storage,
      ...paths,
      limits,
      options: command.options,
      configFiles: configFilesOf(
        service,
        [...candidate.copied, ...mounts],
        this.#project.configs,
        this.#input,
        this.#texts,
        notes,
      ),
      environment: candidate.names,
      platform: notes.text(entryOf(service, 'platform')) ?? null,
      container: null,
      at: placeOf(service.at),
      warnings: notes.warnings,
      refusal: notes.refusal,
    };
  }

  shownImage({ service }: ProjectService): Message | string {
    const image = entryOf(service, 'image');
    return image?.kind === 'scalar' && image.text !== null ? image.text : msg('compose.builds');
  }

  /** It may be a database after all. */
  doubtsOf(name: string, { service }: ProjectService): Message[] {
    const notes = new Notes(this.#project.variables);
    const image = entryOf(service, 'image');
    notes.text(image);
    const files = envFilesOf(service, this.#input, this.#texts, this.#project.variables, notes);
    const check = entryOf(service, 'healthcheck', 'test');
    const words = check?.kind === 'list' ? itemsOf(check) : [check];
    const isChecked = words.some((word) => SERVER_CHECK.test(notes.quietText(word) ?? ''));
    const isLike = isChecked || environmentNames(service, files).some(isServerVariable);
    const doubt = placed((image ?? service).at, msg('compose.maybeDatabase', { name }));
    return isLike ? [...notes.warnings, doubt] : notes.warnings;
  }

  #clientsOf(server: string): Client[] {
    this.#clients ??= this.#allClients();
    return this.#clients.filter(({ name }) => name !== server);
  }

  #candidate(name: string, service: Mapping): Candidate | undefined {
    const notes = new Notes(this.#project.variables);
    // Others have no say.
    const quiet = new Notes(this.#project.variables);
    const image = this.#image(name, service, quiet);
    if (image.known !== undefined) notes.text(entryOf(service, 'image'));
    const files = envFilesOf(service, this.#input, this.#texts, this.#project.variables, notes);
    const names = environmentNames(service, files);
    const startsItself = image.known?.startsItself === true;
    const own = commandOf(service, image.known === undefined || startsItself ? quiet : notes);
    const command = startsItself ? { ...own, options: extraFlags(service, notes), datadir: undefined } : own;
    const mounts = mountsOf(service, this.#input, image.known === undefined ? quiet : notes);
    const envFiles = files.map(({ path }) => path);
    const { reference, official, copied } = image;
    const found = { name, service, reference, official, copied, names, envFiles, notes };
    if (image.known !== undefined) {
      // Dumps and migrations run in a server's image, too.
      if (command.isClient && mountAt(mounts, image.known.datadir) === undefined) return undefined;
      return { ...found, image: image.known, isGuess: false, command, mounts };
    }
    const guess = imageByVariables(names);
    const hasPlace = mountAt(mounts, guess.datadir) !== undefined || command.runsServer;
    if (!hasPlace || !names.some(isServerVariable)) return undefined;
    return {
      ...found,
      image: guess,
      isGuess: true,
      command: commandOf(service, notes),
      mounts: mountsOf(service, this.#input, notes),
    };
  }

  #image(
    name: string,
    service: Mapping,
    notes: Notes,
  ): Pick<Candidate, 'reference' | 'official' | 'copied'> & { known: ServerImage | undefined } {
    const build = entryOf(service, 'build');
    const declared = notes.text(entryOf(service, 'image'));
    const written = entryOf(service, 'image');
    const isSecret =
      written?.kind === 'scalar' && notes.variablesIn(written).some((one) => SECRET_NAME.test(one));
    const reference = isSecret
      ? undefined
      : (declared ?? (build === undefined ? undefined : `${this.#project.name}-${name}`));
    const base = build === undefined ? undefined : this.#baseImage(build, notes);
    const ofBase = serverImage(base?.image ?? '');
    const known = ofBase ?? serverImage(declared ?? '');
    const official = known?.official ?? (ofBase === undefined ? null : (base?.image ?? null));
    const isAlways = known?.startsItself === true;
    return {
      reference,
      known,
      official: official === null ? null : { image: official, isAlways },
      copied: base?.copied ?? [],
    };
  }

  #baseImage(build: Tree, notes: Notes): { image: string; copied: ComposeMount[] } | undefined {
    const inline = entryOf(build, 'dockerfile_inline');
    const args = (name: string): string | undefined => notes.quietText(entryOf(build, 'args', name));
    const target = notes.quietText(entryOf(build, 'target'));
    const text = notes.quietText(inline);
    const context = entryOf(build, 'context');
    const { at } = context ?? build;
    const written = notes.quietText(context) ?? '.';
    if (/^(?:[a-z][a-z0-9+.-]*:\/\/|git@)/i.test(written)) return undefined;
    const folder = hostPath(written, at, this.#input);
    const file = notes.quietText(entryOf(build, 'dockerfile')) ?? 'Dockerfile';
    const found = text === undefined ? this.#texts.at(this.#input.resolve(folder, file)) : undefined;
    const base = baseImage(text ?? (found?.kind === 'text' ? found.text : ''), target, args);
    const copied = (base?.copied ?? []).map(({ source, target: place }) => ({
      ...{ kind: 'bind' as const, sizeMiB: undefined, at },
      ...{ source: this.#input.resolve(folder, source), target: normalPath(place) },
    }));
    return base === undefined ? undefined : { image: base.image, copied };
  }

  #judge({ service, image, reference, isGuess, official, mounts, notes }: Candidate): void {
    const written = entryOf(service, 'image');
    const at = (written ?? service).at;
    const secret =
      written?.kind === 'scalar' ? notes.variablesIn(written).filter((one) => SECRET_NAME.test(one)) : [];
    if (secret.length > 0) notes.refuse(at, msg('compose.secretImage', { names: secret.join(', ') }));
    else if (reference === undefined) notes.refuse(at, msg('compose.noImage'));
    else if (!isReference(reference)) notes.refuse(at, msg('compose.badImage'));
    if (image.isCluster) notes.refuse(at, msg('compose.cluster'));
    else if (official?.isAlways === true) {
      const stack = stackOf(at.source.file);
      const isVersionless = !official.image.includes(':');
      if (stack !== undefined && isVersionless) {
        const { name, example } = STACKS[stack];
        notes.refuse(at, msg('compose.stackVersion', { stack: name, example }));
      } else notes.warn(at, msg('compose.ownStart', { official: official.image }));
    }
    if (isGuess) notes.warn(at, msg('compose.guessedImage'));
    else if (!image.isOfficial && mountAt(mounts, image.datadir) === undefined) {
      notes.warn(at, msg('compose.unknownOwner', { datadir: image.datadir }));
    }
    const provider = entryOf(service, 'provider');
    if (provider !== undefined) notes.refuse(provider.at, msg('compose.provider'));
    const replicas = entryOf(service, 'deploy', 'replicas') ?? entryOf(service, 'scale');
    const count = Number(notes.text(replicas) ?? 1);
    if (replicas !== undefined && Number.isSafeInteger(count) && count > 1) {
      notes.refuse(replicas.at, msg('compose.replicas', { count }));
    }
    const waits = missingProfiles(service, activeProfiles(this.#input, this.#project.variables), notes);
    const profiles = entryOf(service, 'profiles');
    if (waits.length > 0 && profiles !== undefined) {
      notes.warn(profiles.at, msg('compose.profile', { names: waits.join(', ') }));
    }
    const unread = UNREAD.filter((key) => entryOf(service, key) !== undefined);
    const first = entryOf(service, unread[0] ?? '');
    if (first !== undefined) notes.warn(first.at, msg('compose.notApplied', { names: unread.join(', ') }));
    notes.warnings.push(...this.#project.unread);
  }

  #allClients(): Client[] {
    const active = activeProfiles(this.#input, this.#project.variables);
    return [...this.#project.services].flatMap(([name, { service }]) => {
      const notes = new Notes(this.#project.variables);
      if (missingProfiles(service, active, notes).length > 0) return [];
      const envFiles = envFilesOf(service, this.#input, this.#texts, this.#project.variables, notes);
      const image = notes.quietText(entryOf(service, 'image'));
      const mounts = mountsOf(service, this.#input, notes);
      return [{ name, service, mounts, image, values: valuesOf(service, notes), envFiles }];
    });
  }
}

function isReference(text: string): boolean {
  return (
    /^[a-z0-9][a-z0-9._:/-]*(?::[\w][\w.-]*)?(?:@sha256:[0-9a-f]{64})?$/i.test(text) && !/[:/]$/.test(text)
  );
}

/** µs; Docker's default. */
const CPU_PERIOD = 100_000;

function limitsOf(service: Mapping, notes: Notes): DatabaseService['limits'] {
  /** Zero and less: no limit. */
  const amount = (tree: Tree | undefined, read: typeof numberOf, problem: Message): number | null => {
    const text = notes.text(tree) ?? '';
    const value = text === '' ? 0 : read(text);
    if (value === undefined) notes.refuse((tree ?? service).at, problem);
    return value !== undefined && value > 0 ? value : null;
  };
  const limits = entryOf(service, 'deploy', 'resources', 'limits');
  const noNumber = msg('compose.number');
  const cpus = amount(entryOf(limits, 'cpus') ?? entryOf(service, 'cpus'), numberOf, noNumber);
  const quota = amount(entryOf(service, 'cpu_quota'), numberOf, noNumber);
  const period = amount(entryOf(service, 'cpu_period'), numberOf, noNumber);
  const memory = entryOf(limits, 'memory') ?? entryOf(service, 'mem_limit');
  return {
    cpus: cpus ?? (quota === null ? null : quota / (period ?? CPU_PERIOD)),
    memoryMiB: amount(
      memory,
      (text) => (/^(?:-1|0)$/.test(text) ? 0 : mebibytesOf(text)),
      msg('compose.size'),
    ),
  };
}

/** cpu_quota may be "50ms". */
function numberOf(text: string): number | undefined {
  const [, digits, unit] = /^(-?\d+(?:\.\d+)?|-?\.\d+)(us|ms|s)?$/.exec(text.trim()) ?? [];
  const number = Number(digits) * (unit === 's' ? 1e6 : unit === 'ms' ? 1000 : 1);
  return Number.isFinite(number) ? number : undefined;
}

function activeProfiles(input: ComposeInput, variables: Variables): ReadonlySet<string> {
  const fromEnvironment = (variables('COMPOSE_PROFILES') ?? '').split(',').map((one) => one.trim());
  return new Set([...input.profiles, ...fromEnvironment].filter((one) => one !== ''));
}

/** Empty: it runs. */
function missingProfiles(service: Mapping, active: ReadonlySet<string>, notes: Notes): string[] {
  const profiles = itemsOf(entryOf(service, 'profiles')).flatMap((one) => notes.quietText(one) ?? []);
  return active.has('*') || profiles.some((one) => active.has(one)) ? [] : profiles;
}
