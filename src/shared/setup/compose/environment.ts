import { msg } from '../../message.ts';
import { variablesOf } from './env-text.ts';
import type { ComposeInput, Texts } from './input.ts';
import type { Variables } from './interpolate.ts';
import { hostPath } from './mounts.ts';
import { isTrue, type Notes } from './notes.ts';
import { entriesOf, entryOf, itemsOf, type At, type Mapping } from './tree.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
/** A file may be any file of the machine, so other names in it could be anything. */
const SERVER_NAME = /^(?:MYSQL|MARIADB|PERCONA|ALLOW_EMPTY)_[A-Z0-9_]+$/;

/** One value, and the file that it is from; undefined: of the service itself. */
export interface EnvValue {
  text: string;
  at: At;
  file?: string;
}

interface EnvFile {
  path: string;
  values: ReadonlyMap<string, string>;
  at: At;
}

/** Names of the variables of a server's container. */
export function environmentNames(service: Mapping, files: readonly EnvFile[]): string[] {
  const own = entriesOf(entryOf(service, 'environment')).map(([name]) => name);
  const given = files.flatMap(({ values }) => [...values.keys()].filter((name) => SERVER_NAME.test(name)));
  return [...new Set([...own.filter((name) => NAME.test(name)), ...given])].sort();
}

/** `env_file`; warns about those that are missing. */
export function envFilesOf(
  service: Mapping,
  input: ComposeInput,
  texts: Texts,
  variables: Variables,
  notes: Notes,
): EnvFile[] {
  return itemsOf(entryOf(service, 'env_file')).flatMap((item) => {
    const tree = item.kind === 'map' ? entryOf(item, 'path') : item;
    const path = notes.text(tree);
    if (tree === undefined || path === undefined) return [];
    const file = hostPath(path, tree.at, input);
    const found = texts.at(file);
    if (found === undefined) return [];
    if (found.kind === 'text') {
      return [{ path: file, values: variablesOf(found.text, variables), at: tree.at }];
    }
    const required = notes.text(entryOf(item, 'required'));
    const reason = found.kind === 'unread' ? found.reason : msg('compose.folder');
    if (required === undefined || isTrue(required)) notes.warn(tree.at, msg('compose.envFile', { reason }));
    return [];
  });
}

/** For one look at them; never kept. */
export function valuesOf(service: Mapping, files: readonly EnvFile[], notes: Notes): EnvValue[] {
  const own = entriesOf(entryOf(service, 'environment')).flatMap(([, tree]) => {
    const text = notes.quietText(tree);
    return text === undefined ? [] : [{ text, at: tree.at }];
  });
  return [
    ...own,
    ...files.flatMap(({ path: file, values, at }) =>
      [...values.values()].map((text) => ({ text, at, file })),
    ),
  ];
}
