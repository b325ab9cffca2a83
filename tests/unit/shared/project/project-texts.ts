import { posix } from 'node:path';
import type { ComposeInput, Found } from '../../../../src/shared/project/input.ts';
import {
  readProject as readTexts,
  type ProjectReading,
} from '../../../../src/shared/project/read-project.ts';
import type { DatabaseService } from '../../../../src/shared/model/database.ts';
import { msg, type Said } from '../../../../src/shared/message.ts';

export const FOLDER = '/work/shop';

/** Reads texts by their path in the project's folder; compose.yaml is the only file given. */
export function readProject(
  texts: Readonly<Record<string, string>>,
  changes: Partial<ComposeInput> = {},
): ProjectReading {
  const found = (path: string): Found => {
    const text = Object.entries(texts).find(([name]) => posix.resolve(FOLDER, name) === path)?.[1];
    if (text !== undefined) return { kind: 'text', text };
    return { kind: 'unread', reason: msg('compose.file.missing'), isMissing: true };
  };
  return readTexts({
    files: [`${FOLDER}/compose.yaml`],
    folder: FOLDER,
    profiles: [],
    environment: {},
    home: '/home/ada',
    isWindows: false,
    resolve: posix.resolve,
    folderOf: posix.dirname,
    found,
    ...changes,
  });
}

/** The one database of a Compose file with `lines` in its service `db`. */
export function readService(
  lines: string,
  rest = '',
  texts: Readonly<Record<string, string>> = {},
  changes: Partial<ComposeInput> = {},
): DatabaseService {
  const indented = lines
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
  const compose = `services:\n  db:\n    image: mysql:8.4\n${indented}\n${rest}\n`;
  const { database, problems } = readProject({ 'compose.yaml': compose, ...texts }, changes);
  const [service] = database.services;
  if (service === undefined) throw new Error(JSON.stringify(problems));
  return service;
}

/** "9 compose.unset", or the code alone. */
export function briefly(said: Said | null): string {
  if (said === null || typeof said === 'string') return String(said);
  const { line, reason } = said.params;
  return typeof reason === 'object' ? `${String(line)} ${reason.code}` : said.code;
}
