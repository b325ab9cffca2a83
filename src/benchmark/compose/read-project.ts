import { dirname } from 'node:path';
import * as z from 'zod';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/message.ts';
import type { DatabaseService } from '../../shared/model/database.ts';
import { shellWords } from '../../shared/compose/command.ts';
import { withBuiltCommands } from '../../shared/compose/built.ts';
import { composeModelSchema, type ComposeModel } from '../../shared/compose/model.ts';
import { databasesIn } from '../../shared/compose/service.ts';
import type { Surroundings, WrittenService } from '../../shared/compose/surroundings.ts';
import { foundAt, textAt } from './found-file.ts';
import { askCompose, type ComposeProject } from './ask-compose.ts';
import { findCompose } from './find-compose.ts';
import { type Environment, withComposeFiles } from './other-projects.ts';
import { locator } from './places.ts';

export interface ProjectFiles {
  /** Absolute paths; later files override earlier ones. */
  files: readonly string[];
  profiles?: readonly string[] | undefined;
  envFile?: string | undefined;
  environment?: Environment;
}

export interface Project {
  around: Surroundings;
  services: DatabaseService[];
  warnings: Message[];
}

const ALL = '*';

/** Rejects like `askCompose`. */
export async function readProject({
  files,
  profiles = [],
  envFile,
  environment = process.env,
}: ProjectFiles): Promise<Project> {
  const asked = { files: [...files], folder: dirname(files[0] ?? '.'), envFile };
  const read = await projectWith({ ...asked, profiles }, environment);
  if (read.services.length > 0 || profiles.includes(ALL)) return read;
  const all = await projectWith({ ...asked, profiles: [ALL] }, environment);
  if (all.services.length === 0) return read;
  return { ...all, services: all.services.map((service) => waiting(service, all.around.model)) };
}

function waiting(service: DatabaseService, { services }: ComposeModel): DatabaseService {
  const names = (services?.[service.name]?.profiles ?? []).join(', ');
  return { ...service, warnings: [...service.warnings, msg('compose.profile', { names })] };
}

function projectWith(project: ComposeProject, environment: Environment): Promise<Project> {
  return withComposeFiles(project, environment, (compose, env) =>
    resolvedProject(compose, { env, files: project.files }),
  );
}

async function resolvedProject(
  project: ComposeProject,
  { env, files }: { env: Environment; files: readonly string[] },
): Promise<Project> {
  const program = await findCompose();
  const [{ model: resolved, warnings }, written] = await Promise.all([
    askCompose(program, project, { env }),
    askCompose(program, { ...project, isInterpolated: false }, { env }).catch(() => undefined),
  ]);
  const model = composeModelSchema.safeParse(resolved).data;
  if (model === undefined) {
    throw new BenchmarkError('COMPOSE_UNREADABLE', { path: program.command, version: program.version });
  }
  const texts = await Promise.all(files.map(async (path) => ({ path, text: await textAt(path) })));
  const around = await withBuiltCommands({
    model,
    isWindows: process.platform === 'win32',
    find: foundAt,
    locate: locator(texts),
    written: (service) => writtenIn(written?.model, service),
  });
  const all = texts.map(({ text }) => text).join('\n');
  return { around, services: await databasesIn(around), warnings: unsetIn(warnings, all) };
}

/** A name after `$` without braces may be a part of a password. */
function unsetIn(warnings: readonly string[], files: string): Message[] {
  const unset = warnings.filter((text) => /variable is not set/.test(text));
  const braced = new Set([...files.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  const isShown = (text: string): boolean => braced.has(/"(\w+)"/.exec(text)?.[1]);
  return [
    ...unset.filter(isShown).map((text) => msg('compose.said', { text })),
    ...(unset.every(isShown) ? [] : [msg('compose.unset')]),
  ];
}

const words = z.union([z.array(z.string()), z.string().transform(shellWords)]).catch([]);
const writtenSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string().catch(''),
      command: words,
      entrypoint: words,
      environment: z
        .union([
          z.record(z.string(), z.coerce.string()),
          z.array(z.string()).transform((all) => Object.fromEntries(all.map((one) => one.split(/=(.*)/s)))),
        ])
        .catch({}),
    }),
  ),
});

function writtenIn(model: unknown, service: string): WrittenService | undefined {
  return writtenSchema.safeParse(model).data?.services[service];
}
