import { createHash } from 'node:crypto';
import { BenchmarkError, type ErrorCode } from '../../shared/errors.ts';
import type { Passport } from '../../shared/model/passport.ts';
import type { Plan, Scenario } from '../../shared/model/plan.ts';
import { isOwnerAlive } from '../machine/owner.ts';
import type { ContainerRuntime, LocalImage, Progress } from '../runtime/container-runtime.ts';
import { OWNER_LABEL, ROLE_LABEL } from '../runtime/labels.ts';

const NAME = 'whalemark-client';
/**
 * debian:trixie-slim of 2026-08-03, pinned for every architecture. Newer digests: https://github.com/docker-
 * library/repo-info (repos/debian/remote/trixie-slim.md) or `docker buildx imagetools inspect`.
 */
export const CLIENT_BASE = 'debian@sha256:3a39a0592364683e6bab97937b72cad5a8fa6dcbbee90edb3bb48c7f8e94f258';
const BASE_LABEL = 'io.whalemark.base';
const BASE_LABEL_VALUE = 'debian-trixie';
/** Debian images that can replace the base, best first. Older releases have too old a Node. */
const STAND_INS = [
  /^debian:(trixie|13)/,
  /^debian:(bookworm|12)/,
  /^debian:(stable|latest|testing|sid|forky)/,
];
const NOT_TO_BE_HAD: ReadonlySet<ErrorCode> = new Set([
  'REGISTRY_UNREACHABLE',
  'IMAGE_NOT_FOUND',
  'PULL_FAILED',
]);
/** Measured for debian:trixie-slim plus Whalemark's layers, bytes. */
const BASE_BYTES = 30_000_000;
const IMAGE_BYTES = 260_000_000;

export function needsClientImage(
  { runtime }: Pick<Passport, 'runtime'>,
  scenarios: readonly Pick<Scenario, 'placement'>[],
): boolean {
  return runtime.remote || scenarios.some(({ placement }) => placement === 'container');
}

/** The tag changes with content and base. */
export function clientImageTag(files: Record<string, string>, base = CLIENT_BASE): string {
  const hash = createHash('sha256').update(`${base}\0`);
  for (const name of Object.keys(files).sort()) hash.update(`${name}\0${files[name] ?? ''}\0`);
  return `${NAME}:${hash.digest('hex').slice(0, 12)}`;
}

/** What to pull or build first; asks the registry without pulling. Rejects like `ensureClientImage`. */
export async function planClientImage(
  runtime: ContainerRuntime,
  files: Record<string, string>,
): Promise<Plan['toPrepare']> {
  let pull = false;
  const choice = await choose(runtime, files, async () => {
    await runtime.images.probeRegistry(CLIENT_BASE);
    pull = true;
  });
  if (choice.ready) return [];
  return [
    ...(pull ? [{ kind: 'pull' as const, reference: CLIENT_BASE, bytes: BASE_BYTES }] : []),
    { kind: 'build', reference: choice.tag, bytes: IMAGE_BYTES },
  ];
}

/**
 * Builds the image if missing and returns its tag. Rejects with IMAGE_BUILD_FAILED, or with the pull's error if
 * neither base nor replacement is available.
 */
export async function ensureClientImage(
  runtime: ContainerRuntime,
  spec: { files: Record<string, string>; labels: Record<string, string> },
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<string> {
  const { files, labels } = spec;
  const choice = await choose(runtime, files, () => runtime.images.pull(CLIENT_BASE, onProgress, signal));
  if (choice.ready) return choice.tag;
  const { tag, base } = choice;
  await runtime.images.build({ tag, files, labels, buildArgs: { BASE: base } }, onProgress, signal);
  if ((await runtime.images.inspect(tag)) === undefined) {
    throw new BenchmarkError('IMAGE_BUILD_FAILED', { reason: `${tag} is not there after the build` });
  }
  return tag;
}

type Choice = { ready: boolean; tag: string; base: string };

async function choose(
  runtime: ContainerRuntime,
  files: Record<string, string>,
  fetchBase: () => Promise<void>,
): Promise<Choice> {
  const isLocal = async (reference: string): Promise<boolean> =>
    (await runtime.images.inspect(reference)) !== undefined;
  const preferred = { tag: clientImageTag(files), base: CLIENT_BASE };
  if (await isLocal(preferred.tag)) return { ...preferred, ready: true };
  if (await isLocal(CLIENT_BASE)) return { ...preferred, ready: false };
  const base = standIn(await runtime.images.list());
  const other = base === undefined ? undefined : { base, tag: clientImageTag(files, base) };
  if (other !== undefined && (await isLocal(other.tag))) return { ...other, ready: true };
  try {
    await fetchBase();
    return { ...preferred, ready: false };
  } catch (error) {
    const notToBeHad = error instanceof BenchmarkError && NOT_TO_BE_HAD.has(error.code);
    if (!notToBeHad || other === undefined) throw error;
    return { ...other, ready: false };
  }
}

/** Images built on a replacement carry its label, too; the base is the smallest. */
function standIn(images: LocalImage[]): string | undefined {
  const labelled = images
    .filter(({ labels, references }) => labels[BASE_LABEL] === BASE_LABEL_VALUE && references.length > 0)
    .sort((a, b) => a.bytes - b.bytes)[0]?.references[0];
  if (labelled !== undefined) return labelled;
  const references = images.flatMap((image) => image.references).sort();
  for (const pattern of STAND_INS) {
    const found = references.find((reference) => pattern.test(reference));
    if (found !== undefined) return found;
  }
  return undefined;
}

interface BuiltClientImage {
  id: string;
  /** Its tag, or its ID if a newer image took the tag. */
  reference: string;
  bytes: number;
}

export async function clientImages(runtime: ContainerRuntime): Promise<BuiltClientImage[]> {
  return (await runtime.images.list())
    .filter(({ labels }) => OWNER_LABEL in labels && labels[ROLE_LABEL] === 'client-image')
    .filter(({ references }) => references.every((reference) => reference.startsWith(`${NAME}:`)))
    .map(({ id, references, bytes }) => ({ id, reference: references[0] ?? id, bytes }));
}

export async function removeLostClientImages(runtime: ContainerRuntime): Promise<void> {
  for (const { id, labels, references } of await runtime.images.list()) {
    const isOurs =
      labels[ROLE_LABEL] === 'client-image' && isOwnerAlive(labels[OWNER_LABEL] ?? '') === 'dead';
    if (isOurs && references.length === 0) await runtime.images.remove(id).catch(() => undefined);
  }
}

export async function removeClientImages(
  runtime: ContainerRuntime,
): Promise<{ removed: string[]; failed: { name: string; error: unknown }[] }> {
  const removed: string[] = [];
  const failed: { name: string; error: unknown }[] = [];
  for (const { id, reference } of await clientImages(runtime)) {
    try {
      await runtime.images.remove(id);
      removed.push(reference);
    } catch (error) {
      failed.push({ name: reference, error });
    }
  }
  return { removed, failed };
}
