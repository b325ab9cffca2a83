import { escapeRegExp } from '../escape-reg-exp.ts';
import { builtImage, type BuiltImage } from './dockerfile.ts';
import { baseOf } from './file-names.ts';
import type { ComposeService } from './model.ts';
import { normalPath, type Mount } from './storage.ts';
import type { Surroundings, WrittenService } from './surroundings.ts';

type Files = Pick<Surroundings, 'find'>;

/** Undefined: no Dockerfile, or an unreadable one. */
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

/** A replacement has to repeat the Dockerfile's command. */
export async function withBuiltCommands(around: Surroundings): Promise<Surroundings> {
  const own = new Map<string, Partial<Pick<WrittenService, 'command' | 'entrypoint'>>>();
  const services: Record<string, ComposeService> = {};
  for (const [name, service] of Object.entries(around.model.services ?? {})) {
    // An entrypoint of the project replaces both of the Dockerfile.
    const isOwn = (service.entrypoint ?? null) !== null;
    const { command, entrypoint } = (isOwn ? undefined : await builtBy(service, around)) ?? {};
    const isNew = command !== undefined && (service.command ?? null) === null;
    const added = { ...(isNew ? { command } : {}), ...(entrypoint === undefined ? {} : { entrypoint }) };
    own.set(name, added);
    services[name] = { ...service, ...added };
  }
  return {
    ...around,
    model: { ...around.model, services },
    written: (name) => {
      const written = around.written(name);
      return written && { ...written, ...own.get(name) };
    },
  };
}

interface CopiedFile extends Pick<Mount, 'target'> {
  kind: 'bind';
  source: string;
}

/** Files have their places in the build context, as if mounted from there. */
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

/** A pattern of Go's filepath.Match. Source: Dockerfile reference, "COPY". */
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
