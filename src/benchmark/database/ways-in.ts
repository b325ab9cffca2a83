import { basename, join, relative } from 'node:path';
import { msg, type Message } from '../../shared/message.ts';
import { serverImage } from '../../shared/compose/image.ts';
import { otherFile, whatItIs } from '../../shared/compose/other-file.ts';
import { composeFileOf } from '../../shared/compose/other-projects.ts';
import { textAt } from '../compose/found-file.ts';
import { namesIn, stackOf, stacksIn } from './stacks.ts';

const MOST_TOLD = 50;
const MOST_FILES = 30;
const SERVER = /mysql|mariadb|percona/i;
const WORKFLOWS = [
  ...['', '.github/workflows', '.gitea/workflows', '.forgejo/workflows'],
  ...['.circleci', '.woodpecker'],
];

/** The likeliest files come first. */
export async function waysIn(folder: string): Promise<string[]> {
  const stacks: string[] = [];
  for (const file of await stacksIn(folder)) {
    const isRead = !/devcontainer\.json$/.test(file) || ((await stackOf(file, ''))?.files.length ?? 0) > 0;
    if (isRead) stacks.push(file);
  }
  const compose = await yamlWhere(folder, ['', 'docker', '.docker', '.docksal'], isComposes);
  return [...stacks, ...compose, ...(await yamlWhere(folder, WORKFLOWS, runsServer))];
}

async function yamlWhere(
  folder: string,
  places: readonly string[],
  isWanted: (file: string) => Promise<boolean>,
): Promise<string[]> {
  const found: string[] = [];
  for (const inside of places)
    for (const file of await yamlIn(folder, inside)) if (await isWanted(file)) found.push(file);
  return found;
}

async function yamlIn(folder: string, inside: string): Promise<string[]> {
  const names = (await namesIn(join(folder, inside))).filter((name) => /\.ya?ml$/.test(name));
  return names.slice(0, MOST_FILES).map((name) => join(folder, inside, name));
}

async function isComposes(file: string): Promise<boolean> {
  const name = basename(file);
  if (/\.override\./.test(name)) return false;
  if (/^(?:docker-)?compose[.-][\w.-]+$/.test(name)) return true;
  const text = await textAt(file);
  return /^services\s*:/m.test(text) && SERVER.test(text) && whatItIs(file, text) === undefined;
}

async function runsServer(file: string): Promise<boolean> {
  const text = await textAt(file);
  const services = SERVER.test(text) ? composeFileOf(file, text)?.services : undefined;
  return Object.values(services ?? {}).some(({ image }) => serverImage(String(image)) !== undefined);
}

/** Most workflows have no server, and those don't count. */
export async function othersIn(folder: string): Promise<Message[]> {
  const own = (await namesIn(folder)).slice(0, MOST_TOLD).map((name) => join(folder, name));
  const below = (await Promise.all(WORKFLOWS.slice(1).map((inside) => yamlIn(folder, inside)))).flat();
  const said: Message[] = [];
  for (const file of new Set([...own, ...(await stacksIn(folder)), ...below])) {
    const text = await textAt(file);
    const other = below.includes(file) && !SERVER.test(text) ? undefined : otherFile(file, text);
    const name = relative(folder, file);
    if (other !== undefined) said.push(msg('compose.otherHere', { ...other.params, file: name }));
  }
  return said;
}
