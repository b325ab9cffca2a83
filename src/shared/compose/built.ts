import { escapeRegExp } from '../escape-reg-exp.ts';
import { builtImage, type BuiltImage } from './dockerfile.ts';
import { baseOf } from './file-names.ts';
import type { ComposeService } from './model.ts';
import { normalPath, type Mount } from './storage.ts';
import type { Surroundings } from './surroundings.ts';

type Files = Pick<Surroundings, 'find'>;

/** Undefined: nothing is built, or its Dockerfile can't be read. */
export async function builtBy({ build }: ComposeService, { find }: Files): Promise<BuiltImage | undefined> {
  if (build === undefined || build === null) return undefined;
  const { dockerfile_inline: inline, target, args } = build;
  const found =
    inline === undefined || inline === null
      ? await find(dockerfileOf(build))
      : ({ kind: 'text', text: inline } as const);
  if (found.kind !== 'text') return undefined;
  return builtImage(found.text, target ?? undefined, (name) => args?.[name] ?? undefined);
}

export function dockerfileOf({ context, dockerfile }: NonNullable<ComposeService['build']>): string {
  const path = dockerfile ?? 'Dockerfile';
  return path.startsWith('/') ? path : `${context ?? '.'}/${path}`;
}

/** With the commands of the Dockerfiles where the project has none: what replaces a command has to repeat them. */
export async function withBuiltCommands<A extends Surroundings>(around: A): Promise<A> {
  const own = new Map<string, Pick<ComposeService, 'command' | 'entrypoint'>>();
  for (const [name, service] of Object.entries(around.model.services ?? {})) {
    // An entrypoint of the project takes away both.
    const isOwn = (service.entrypoint ?? null) !== null;
    const { command, entrypoint } = (isOwn ? undefined : await builtBy(service, around)) ?? {};
    const isNew = command !== undefined && (service.command ?? null) === null;
    own.set(name, { ...(isNew ? { command } : {}), ...(entrypoint === undefined ? {} : { entrypoint }) });
  }
  const services = Object.entries(around.model.services ?? {}).map(
    ([name, service]) => [name, { ...service, ...own.get(name) }] as const,
  );
  return {
    ...around,
    model: { ...around.model, services: Object.fromEntries(services) },
    written: (name) => {
      const written = around.written(name);
      return written === undefined ? undefined : ({ ...written, ...own.get(name) } as typeof written);
    },
  };
}

interface CopiedFile extends Pick<Mount, 'target'> {
  kind: 'bind';
  source: string;
}

/** Where they are in the build context, as if they were mounted. `isWanted`: of a place in the image. */
export async function copiedFiles(
  built: BuiltImage | undefined,
  { build }: ComposeService,
  { find }: Files,
  isWanted: (target: string) => boolean,
): Promise<CopiedFile[]> {
  const all: CopiedFile[] = [];
  for (const { sources, target } of built?.copies ?? []) {
    if (!isWanted(target)) continue;
    for (const source of sources) {
      for (const path of await matching(build?.context ?? '.', source, find)) {
        const isInto = target.endsWith('/') && (await find(path)).kind === 'text';
        all.push({
          kind: 'bind',
          source: path,
          target: normalPath(isInto ? `${target}${baseOf(path)}` : target),
        });
      }
    }
  }
  return all;
}

const MOST_FILES = 1000;

async function matching(folder: string, source: string, find: Files['find']): Promise<string[]> {
  let paths = [folder];
  for (const part of source.split('/').filter((one) => one !== '' && one !== '.')) {
    if (!/[*?[]/.test(part)) {
      paths = paths.map((path) => `${path}/${part}`);
      continue;
    }
    const pattern = patternOf(part);
    const found: string[] = [];
    for (const path of paths) {
      const inside = await find(path);
      const names = inside.kind === 'folder' ? inside.names : [];
      found.push(...names.filter((name) => pattern.test(name)).map((name) => `${path}/${name}`));
    }
    paths = found.slice(0, MOST_FILES);
  }
  return paths;
}

/** Dockerfile reference, "COPY": Go's filepath.Match. */
function patternOf(part: string): RegExp {
  const source = part
    .split(/(\*+|\?|\[[^\]]+\])/)
    .map((piece) => {
      if (piece.startsWith('*')) return '.*';
      if (piece === '?') return '.';
      return /^\[.+\]$/.test(piece)
        ? `[${piece.slice(1, -1).replaceAll('\\', '\\\\')}]`
        : escapeRegExp(piece);
    })
    .join('');
  return new RegExp(`^${source}$`);
}
