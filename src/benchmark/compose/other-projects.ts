import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { type ComposeFile, composeFileOf } from '../../shared/compose/other-projects.ts';
import type { ComposeProject } from './ask-compose.ts';
import { foundAt, textAt } from './found-file.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export async function withComposeFiles<T>(
  project: ComposeProject,
  environment: Environment,
  use: (project: ComposeProject, environment: Environment) => Promise<T>,
): Promise<T> {
  const made = new Map<string, string>();
  let given: Environment = await namedLikeDevcontainer(project);
  for (const file of project.files) {
    const compose = await otherProjectOf(file);
    if (compose === undefined) continue;
    made.set(file, stringify(compose));
    if (basename(project.folder) !== '.ddev') continue;
    given = { DDEV_SITENAME: compose.name.replace(/^ddev-/, ''), DDEV_APPROOT: dirname(project.folder) };
  }
  if (made.size === 0) return use(project, { ...given, ...environment });
  const folder = await mkdtemp(join(tmpdir(), 'whalemark-'));
  try {
    const files = project.files.map((file) => (made.has(file) ? join(folder, basename(file)) : file));
    for (const [file, text] of made) await writeFile(join(folder, basename(file)), text, { mode: 0o600 });
    return await use({ ...project, files }, { ...given, ...environment });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Like `composeFileOf`, with files that DDEV merges, by name. */
export async function otherProjectOf(file: string): Promise<ComposeFile | undefined> {
  const folder = dirname(file);
  const isDdev = basename(folder) === '.ddev' && basename(file) === 'config.yaml';
  const inside = isDdev ? await foundAt(folder) : undefined;
  const names = inside?.kind === 'folder' ? inside.names : [];
  const over = names.filter((name) => /^config\..*\.ya?ml$/.test(name));
  return composeFileOf(
    file,
    await textAt(file),
    await Promise.all(over.map((name) => textAt(join(folder, name)))),
  );
}

/** A dev container's project isn't named after its folder. Source: Dev Container CLI, `getProjectName`. */
async function namedLikeDevcontainer({ folder, files }: ComposeProject): Promise<Environment> {
  if (!isInDevcontainer(folder) || (await foundAt(join(folder, 'devcontainer.json'))).kind !== 'text')
    return {};
  for (const file of files) if (/^name\s*:/m.test(await textAt(file))) return {};
  const name = `${basename(dirname(folder))}_devcontainer`.toLowerCase().replace(/[^-_a-z0-9]/g, '');
  return { COMPOSE_PROJECT_NAME: name };
}

export function isInDevcontainer(folder: string): boolean {
  return basename(folder) === '.devcontainer';
}
