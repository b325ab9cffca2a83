import { join } from 'node:path';
import { msg, type Message } from '../../shared/message.ts';
import { serverImage } from '../../shared/compose/image.ts';
import { otherFile } from '../../shared/compose/other-file.ts';
import { composeFileOf } from '../../shared/compose/other-projects.ts';
import { textAt } from '../compose/found-file.ts';
import { namesIn, stackOf, stacksIn } from './stacks.ts';

const MOST_TOLD = 50;
const MOST_WORKFLOWS = 30;

/** Files that lead to a project, the likeliest first: those of tools, Compose files of other names, and workflows. */
export async function waysIn(folder: string): Promise<string[]> {
  const stacks: string[] = [];
  for (const file of await stacksIn(folder)) {
    const isRead = !/devcontainer\.json$/.test(file) || ((await stackOf(file, ''))?.files.length ?? 0) > 0;
    if (isRead) stacks.push(file);
  }
  const compose = (await namesIn(folder)).filter((name) =>
    /^(?:docker-)?compose[.-][\w.-]+\.ya?ml$/.test(name),
  );
  const workflows: string[] = [];
  for (const inside of ['', '.github/workflows', '.gitea/workflows', '.forgejo/workflows']) {
    const names = (await namesIn(join(folder, inside))).filter((name) => /\.ya?ml$/.test(name));
    const files = names.slice(0, MOST_WORKFLOWS).map((name) => join(folder, inside, name));
    for (const file of files) if (await runsServer(file)) workflows.push(file);
  }
  return [
    ...stacks,
    ...compose.filter((name) => !/\.override\./.test(name)).map((name) => join(folder, name)),
    ...workflows,
  ];
}

async function runsServer(file: string): Promise<boolean> {
  const text = await textAt(file);
  const services = /mysql|mariadb|percona/i.test(text) ? composeFileOf(file, text)?.services : undefined;
  return Object.values(services ?? {}).some(({ image }) => serverImage(String(image)) !== undefined);
}

/** What else is there, with what to give instead. */
export async function othersIn(folder: string): Promise<Message[]> {
  const said: Message[] = [];
  for (const name of (await namesIn(folder)).slice(0, MOST_TOLD)) {
    const other = otherFile(name, await textAt(join(folder, name)));
    if (other !== undefined) said.push(msg('compose.otherHere', { ...other.params, file: name }));
  }
  return said;
}
