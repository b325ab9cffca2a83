import { msg } from '../../message.ts';
import { type EnvContent, variablesOf } from './env-text.ts';
import type { ComposeInput, Texts } from './input.ts';
import type { Variables } from './interpolate.ts';
import { hostPath } from './mounts.ts';
import { isTrue, type Notes } from './notes.ts';
import { entriesOf, entryOf, itemsOf, type At, type Mapping } from './tree.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
/** A file may be any file of the machine, so other names in it could be anything. */
const SERVER_NAME = /^(?:MYSQL|MARIADB|PERCONA|ALLOW_EMPTY)_[A-Z0-9_]+$/;

/** A value of the service itself. */
export interface EnvValue {
  text: string;
  at: At;
}

export interface EnvFile extends EnvContent {
  path: string;
  at: At;
}

/** Names of the variables of a server's container. */
export function environmentNames(service: Mapping, files: readonly EnvFile[]): string[] {
  const own = entriesOf(entryOf(service, 'environment')).map(([name]) => name);
  return [
    ...new Set([...own.filter((name) => NAME.test(name)), ...files.flatMap(({ names }) => names)]),
  ].sort();
}

/** `env_file`; warns about those that are missing. */
export function envFilesOf(
  service: Mapping,
  input: ComposeInput,
  texts: Texts,
  variables: Variables,
  notes: Notes,
): EnvFile[] {
  const seen = new Set<string>();
  return itemsOf(entryOf(service, 'env_file')).flatMap((item) => {
    const tree = item.kind === 'map' ? entryOf(item, 'path') : item;
    const path = notes.text(tree);
    if (tree === undefined || path === undefined) return [];
    const file = hostPath(path, tree.at, input);
    const found = texts.at(file);
    if (found === undefined || seen.has(file)) return [];
    if (found.kind === 'text') {
      seen.add(file);
      return [
        { path: file, at: tree.at, ...texts.environmentIn(file, () => contentOf(found.text, variables)) },
      ];
    }
    const required = notes.text(entryOf(item, 'required'));
    const reason = found.kind === 'unread' ? found.reason : msg('compose.folder');
    if (required === undefined || isTrue(required)) notes.warn(tree.at, msg('compose.envFile', { reason }));
    return [];
  });
}

function contentOf(text: string, variables: Variables): EnvContent {
  const all = variablesOf(text, variables);
  return { values: [...all.values()], names: [...all.keys()].filter((name) => SERVER_NAME.test(name)) };
}

/** For one look at them; never kept. */
export function valuesOf(service: Mapping, notes: Notes): EnvValue[] {
  return entriesOf(entryOf(service, 'environment')).flatMap(([, tree]) => {
    const text = notes.quietText(tree);
    return text === undefined ? [] : [{ text, at: tree.at }];
  });
}
