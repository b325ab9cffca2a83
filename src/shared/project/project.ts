import type { Alias, Document, LineCounter } from 'yaml';
import { msg, type Message } from '../message.ts';
import { readYaml } from '../preset/preset-yaml.ts';
import { variablesOf } from './environment.ts';
import { projectName, shownIn } from './file-names.ts';
import { hostPath, type ComposeInput, type Texts } from './input.ts';
import { variablesIn, type Variables } from './interpolate.ts';
import { mergedTree, normalService } from './merge.ts';
import { composeTrees } from './stacks.ts';
import {
  entriesOf,
  entryOf,
  itemsOf,
  Notes,
  placed,
  treeOf,
  type Mapping,
  type Source,
  type Tree,
} from './tree.ts';

const MOST_EXTENDS = 30;
/** The largest public projects have about 100. */
const MOST_SERVICES = 300;
/** Compose Specification, services. */
/** Compose Specification, "Version and name top-level elements". */
const PROJECT_NAME = /^[a-z0-9][a-z0-9_-]*$/;
const SERVICE_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;
const REMOTE = /^(?:[a-z][a-z0-9+.-]*:\/\/|git@|oci:|github\.com\/)/i;

export interface ProjectFile {
  source: Source;
  text: string;
  /** The byte order mark, or nothing. */
  mark: string;
  document: Document;
  lines: LineCounter;
  tree: Mapping;
  aliases: ReadonlyMap<Alias, Tree>;
}

export interface Project {
  name: string;
  input: ComposeInput;
  files: ProjectFile[];
  services: Map<string, ProjectService>;
  volumes: Tree | undefined;
  networks: Tree | undefined;
  configs: Tree | undefined;
  variables: Variables;
  unread: Message[];
  problems: Message[];
}

export interface ProjectService {
  service: Mapping;
  /** What it extends. */
  base?: { name: string; service: Mapping };
  problem: Message | undefined;
}

export function projectOf(input: ComposeInput, texts: Texts): Project {
  return new ProjectReader(input, texts).project();
}

class ProjectReader {
  readonly #input: ComposeInput;
  readonly #texts: Texts;
  readonly #variables: Variables;
  readonly #problems: Message[] = [];
  readonly #unread: Message[] = [];
  readonly #includedFiles = new Set<string>();
  readonly #files = new Map<string, ProjectFile | undefined>();
  readonly #services = new Map<string, ProjectService>();

  constructor(input: ComposeInput, texts: Texts) {
    this.#input = input;
    this.#texts = texts;
    this.#variables = variablesOfProject(input, texts);
  }

  project(): Project {
    const { files, folder } = this.#input;
    const own = files.flatMap((file) => this.#file({ file, shown: this.#shown(file), base: folder }) ?? []);
    const meant = composeTrees(own.map(({ tree }) => tree));
    const trees = meant.flatMap((tree) => [...this.#included(tree), tree]);
    const services = new Map<string, ProjectService>();
    for (const tree of trees) {
      for (const name of this.#namesOf(tree)) {
        const own = this.#extended(tree, name, []);
        const merged =
          own === undefined
            ? undefined
            : mergedService(services.get(name), own, entryOf(tree, 'services', name));
        if (merged === undefined) services.delete(name);
        else services.set(name, merged);
      }
    }
    const [first] = trees;
    if (first !== undefined && services.size > MOST_SERVICES) {
      this.#problems.push(placed(first.at, msg('compose.manyServices', { count: MOST_SERVICES })));
      services.clear();
    }
    if (services.size === 0 && this.#problems.length === 0 && first !== undefined) {
      const none = placed(first.at, msg('compose.noServices'));
      this.#problems.push(...(this.#unread.length === 0 ? [none] : this.#unread));
    }
    const part = (key: string, from = trees): Tree | undefined =>
      from.reduce<Tree | undefined>((base, tree) => mergedTree(base, entryOf(tree, key), key), undefined);
    const name = part('name', meant);
    return {
      name: this.#name(name, first),
      input: this.#input,
      files: own,
      services,
      volumes: part('volumes'),
      networks: part('networks'),
      configs: part('configs'),
      variables: this.#variables,
      unread: this.#unread,
      problems: this.#problems,
    };
  }

  /** Docker documentation, "include": a project with its folder and `.env`. */
  #included(tree: Mapping): Mapping[] {
    return itemsOf(entryOf(tree, 'include')).flatMap((item) => {
      const notes = new Notes(this.#variables);
      const written = item.kind === 'map' ? entryOf(item, 'path') : item;
      const paths = textsOf(written, notes);
      const [first] = paths;
      const leave = (reason: Message): [] => {
        this.#unread.push(placed(item.at, reason));
        return [];
      };
      if (first === undefined) return leave(msg('compose.include'));
      if (paths.some((path) => REMOTE.test(path))) return leave(msg('compose.includeRemote'));
      const files = paths.map((path) => hostPath(path, item.at, this.#input));
      const directory = notes.text(entryOf(item, 'project_directory'));
      const base =
        directory === undefined
          ? this.#input.folderOf(files[0] ?? '')
          : hostPath(directory, item.at, this.#input);
      const envFiles = textsOf(entryOf(item, 'env_file'), notes).map((path) =>
        hostPath(path, item.at, this.#input),
      );
      const variables = this.#withFiles(
        envFiles.length === 0 ? [this.#input.resolve(base, '.env')] : envFiles,
      );
      return files.flatMap((file) => {
        if (this.#includedFiles.has(file)) return [];
        this.#includedFiles.add(file);
        const found = this.#texts.at(file);
        if (found === undefined) return [];
        if (found.kind !== 'text') {
          const reason = found.kind === 'unread' ? found.reason : msg('compose.folder');
          return leave(msg('compose.includeFile', { file: this.#shown(file), reason }));
        }
        const own = this.#file({ file, shown: this.#shown(file), base, variables })?.tree;
        return own === undefined ? [] : [...this.#included(own), own];
      });
    });
  }

  #withFiles(files: readonly string[]): Variables {
    return files.reduceRight<Variables>((after, file) => {
      const found = this.#texts.at(file);
      const own =
        found?.kind === 'text' ? variablesOf(found.text, this.#variables) : new Map<string, string>();
      return (name) => after(name) ?? own.get(name);
    }, this.#variables);
  }

  #shown(file: string): string {
    return shownIn(this.#input.folder, file);
  }

  /** Undefined: not there yet, or refused (see `problems`). */
  #file(source: Source): ProjectFile | undefined {
    if (this.#files.has(source.file)) return this.#files.get(source.file);
    const found = this.#texts.at(source.file);
    if (found === undefined) return undefined;
    const file = found.kind === 'text' ? this.#parsed(found.text, source) : undefined;
    if (found.kind !== 'text') {
      const reason = found.kind === 'unread' ? found.reason : msg('compose.folder');
      this.#problems.push(placed({ source, line: 1 }, reason));
    }
    this.#files.set(source.file, file);
    return file;
  }

  #parsed(whole: string, source: Source): ProjectFile | undefined {
    const text = whole.replace(/^\uFEFF/, '');
    const mark = whole.slice(0, whole.length - text.length);
    const { document, lines, problems } = readYaml(text, { isPrivate: true });
    const refuse = (line: number, reason: Message): unknown =>
      this.#problems.push(placed({ source, line }, reason));
    for (const { line, problem } of problems) {
      refuse(line, typeof problem === 'string' ? msg('yaml.invalid') : problem);
    }
    if (problems.length > 0) return undefined;
    const { tree, aliases, problems: found } = treeOf(document, lines, source);
    for (const { line, reason } of found) refuse(line, reason);
    if (found.length > 0) return undefined;
    if (tree.kind === 'map') return { source, text, mark, document, lines, tree, aliases };
    refuse(1, msg('compose.noMapping'));
    return undefined;
  }

  #namesOf(tree: Mapping): string[] {
    const services = entryOf(tree, 'services');
    if (services === undefined || (services.kind === 'scalar' && services.text === null)) return [];
    if (services.kind !== 'map') this.#problems.push(placed(services.at, msg('compose.servicesMapping')));
    return entriesOf(services).flatMap(([name, { at }]) => {
      if (SERVICE_NAME.test(name)) return [name];
      this.#problems.push(placed(at, msg('compose.serviceName')));
      return [];
    });
  }

  /** Undefined: removed, or no mapping. */
  #extended(file: Mapping, name: string, chain: readonly string[]): ProjectService | undefined {
    const id = JSON.stringify([file.at.source.file, name]);
    const known = this.#services.get(id);
    if (known !== undefined) return known;
    const own = entryOf(file, 'services', name);
    if (own?.tag === 'reset') return undefined;
    if (own?.kind !== 'map') {
      if (own !== undefined) this.#problems.push(placed(own.at, msg('compose.serviceMapping', { name })));
      return undefined;
    }
    const service = this.#withBase(file, normalService(own), [...chain, id]);
    this.#services.set(id, service);
    return service;
  }

  #withBase(file: Mapping, service: Mapping, chain: readonly string[]): ProjectService {
    const extended = entryOf(service, 'extends');
    if (extended === undefined) return { service, problem: undefined };
    const base = this.#base(file, extended, chain);
    if (base === 'pending') return { service, problem: undefined };
    if ('reason' in base) return { service, problem: placed(extended.at, base.reason) };
    const merged = mergedTree(withoutExtends(base.service), withoutExtends(service), '');
    return {
      service: merged?.kind === 'map' ? { ...merged, at: service.at } : service,
      base: { name: base.name, service: base.service },
      problem: base.problem,
    };
  }

  #base(
    file: Mapping,
    extended: Tree,
    chain: readonly string[],
  ): (ProjectService & { name: string }) | 'pending' | { reason: Message } {
    const notes = new Notes(this.#variables);
    const name = notes.text(extended.kind === 'map' ? entryOf(extended, 'service') : extended);
    const path = notes.text(entryOf(extended, 'file'));
    if (name === undefined) return { reason: msg('compose.extends') };
    if (path !== undefined && REMOTE.test(path)) return { reason: msg('compose.extendsRemote') };
    if (chain.length > MOST_EXTENDS) return { reason: msg('compose.extendsCycle') };
    const from = path === undefined ? file : this.#extendedFile(hostPath(path, extended.at, this.#input));
    if (from === undefined) return 'pending';
    if (!('entries' in from)) return { reason: from };
    if (chain.includes(JSON.stringify([from.at.source.file, name])))
      return { reason: msg('compose.extendsCycle') };
    const base = this.#extended(from, name, chain);
    return base === undefined ? { reason: msg('compose.extendsService', { name }) } : { ...base, name };
  }

  #extendedFile(file: string): Mapping | Message | undefined {
    const found = this.#texts.at(file);
    if (found === undefined) return undefined;
    const shown = this.#shown(file);
    if (found.kind !== 'text') {
      const reason = found.kind === 'unread' ? found.reason : msg('compose.folder');
      return msg('compose.extendsFile', { file: shown, reason });
    }
    const isOwn = this.#input.files.includes(file);
    const base = isOwn ? this.#input.folder : this.#input.folderOf(file);
    return (
      this.#file({ file, shown, base })?.tree ??
      msg('compose.extendsFile', { file: shown, reason: msg('yaml.invalid') })
    );
  }

  #name(declared: Tree | undefined, first: Tree | undefined): string {
    const notes = new Notes(this.#variables);
    const name = this.#variables('COMPOSE_PROJECT_NAME') ?? notes.text(declared) ?? '';
    const at = (declared ?? first)?.at;
    if (notes.refusal !== null) this.#problems.push(notes.refusal);
    else if (name !== '' && !PROJECT_NAME.test(name) && at !== undefined) {
      this.#problems.push(placed(at, msg('compose.projectName')));
    } else if (name !== '') return name;
    return projectName(this.#input.folder);
  }
}

function mergedService(
  base: ProjectService | undefined,
  over: ProjectService,
  written: Tree | undefined,
): ProjectService {
  if (base === undefined || written?.tag === 'override') return over;
  const merged = mergedTree(base.service, over.service, '');
  const from = over.base ?? base.base;
  return {
    service: merged?.kind === 'map' ? merged : over.service,
    ...(from === undefined ? {} : { base: from }),
    problem: base.problem ?? over.problem,
  };
}

function textsOf(tree: Tree | undefined, notes: Notes): string[] {
  return (tree?.kind === 'list' ? itemsOf(tree) : [tree]).flatMap((one) => notes.text(one) ?? []);
}

function withoutExtends(service: Mapping): Mapping {
  const entries = new Map(service.entries);
  entries.delete('extends');
  return { ...service, entries };
}

/** The shell's come first. Compose is run in the project's folder. */
function variablesOfProject(input: ComposeInput, texts: Texts): Variables {
  const outer = variablesIn({ ...input.environment, PWD: input.folder });
  const found = texts.at(input.resolve(input.folder, '.env'));
  const own = found?.kind === 'text' ? variablesOf(found.text, outer) : new Map<string, string>();
  return (name) => outer(name) ?? own.get(name);
}
