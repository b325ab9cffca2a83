import { createHash } from 'node:crypto';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { ContainerRuntime, Progress } from '../runtime/container-runtime.ts';

/** What the client image is built on where a registry answers; the Dockerfile's own default. */
const BASE = 'debian:trixie-slim';
/** Label of a local image that can stand in for it. */
const BASE_LABEL = 'io.whalemark.base';
const BASE_LABEL_VALUE = 'debian-trixie';

/** The tag of the client image: it changes with its content, so that an old image is never taken for a new one. */
export function clientImageTag(files: Record<string, string>): string {
  const hash = createHash('sha256');
  for (const name of Object.keys(files).sort()) hash.update(`${name}\0${files[name] ?? ''}\0`);
  return `whalemark-client:${hash.digest('hex').slice(0, 12)}`;
}

/** What must be fetched or built before a client container can run. */
export async function planClientImage(
  runtime: ContainerRuntime,
  files: Record<string, string>,
): Promise<Plan['toPrepare']> {
  const tag = clientImageTag(files);
  if ((await runtime.inspectImage(tag)) !== undefined) return [];
  const pull = (await localBase(runtime)) === undefined;
  return [
    ...(pull ? [{ kind: 'pull' as const, reference: BASE, bytes: 30_000_000 }] : []),
    { kind: 'build', reference: tag, bytes: 350_000_000 },
  ];
}

/**
 * The client image's tag, built first if it isn't on the engine. Rejects with REGISTRY_UNREACHABLE when neither its
 * base nor a stand-in is to be had, or with IMAGE_BUILD_FAILED.
 */
export async function ensureClientImage(
  runtime: ContainerRuntime,
  spec: { files: Record<string, string>; labels: Record<string, string> },
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<string> {
  const tag = clientImageTag(spec.files);
  if ((await runtime.inspectImage(tag)) !== undefined) return tag;
  let base = await localBase(runtime);
  if (base === undefined) {
    await runtime.pullImage(BASE, onProgress, signal);
    base = BASE;
  }
  await runtime.buildImage(
    { tag, files: spec.files, labels: spec.labels, buildArgs: { BASE: base } },
    onProgress,
    signal,
  );
  if ((await runtime.inspectImage(tag)) === undefined) {
    throw new BenchmarkError('IMAGE_BUILD_FAILED', { reason: `${tag} is not there after the build` });
  }
  return tag;
}

async function localBase(runtime: ContainerRuntime): Promise<string | undefined> {
  if ((await runtime.inspectImage(BASE)) !== undefined) return BASE;
  const standIn = (await runtime.listImages()).find(
    ({ labels, references }) => labels[BASE_LABEL] === BASE_LABEL_VALUE && references.length > 0,
  );
  return standIn?.references[0];
}
