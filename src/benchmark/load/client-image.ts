import { createHash } from 'node:crypto';
import type { Said } from '../../shared/message.ts';
import { BenchmarkError, type ErrorCode } from '../../shared/errors.ts';
import { PATHS, usesOtherNode } from '../../shared/kinds/paths.ts';
import type { Passport } from '../../shared/model/passport.ts';
import type { Plan, Scenario } from '../../shared/model/plan.ts';
import type { PresetScenario } from '../../shared/model/preset.ts';
import type { ContainerRuntime, LocalImage, Progress } from '../runtime/container-runtime.ts';
import { IMAGE_LABEL } from '../runtime/labels.ts';

const NAME = 'whalemark-client';
/**
 * node:24-trixie-slim of 2026-08-27 for every architecture. Newer digests:
 * https://github.com/docker-library/repo-info (repos/node/remote/24-trixie-slim.md) or `docker buildx
 * imagetools inspect`.
 */
export const NODE_IMAGE = 'node@sha256:50c3b2f6988dfc307b86e5301d69611af31f4789bdf232863b07d3b02fe55ae0';
/** Compressed size (repo-info). */
const NODE_BYTES = 85_300_000;
const OLDEST_NODE = [16, 17] as const;
/** `nobody`: official images run as root. */
export const CLIENT_USER = '65534:65534';
const NOT_TO_BE_HAD: ReadonlySet<ErrorCode> = new Set([
  'REGISTRY_UNREACHABLE',
  'IMAGE_NOT_FOUND',
  'PULL_FAILED',
]);

export type ClientKind = Scenario['loadGenerator'];

export function placementOf({
  loadGenerator,
  path,
}: Pick<PresetScenario, 'loadGenerator' | 'path'>): Scenario['placement'] {
  return loadGenerator === 'sysbench' ? 'container' : PATHS[path].placement;
}

/** On a remote engine, a client with Node loads the data. */
export function clientKinds(
  { runtime }: Pick<Passport, 'runtime'>,
  scenario: Pick<PresetScenario, 'loadGenerator' | 'path'>,
): ClientKind[] {
  const isHere = placementOf(scenario) === 'container' && !usesOtherNode(scenario.path);
  const own: ClientKind[] = isHere ? [scenario.loadGenerator] : [];
  return runtime.remote ? [...new Set<ClientKind>(['builtin', ...own])] : own;
}

export function otherNodeKinds({
  loadGenerator,
  path,
}: Pick<PresetScenario, 'loadGenerator' | 'path'>): ClientKind[] {
  return usesOtherNode(path) ? [loadGenerator] : [];
}

export function sysbenchTag(files: Record<string, string>, base = NODE_IMAGE): string {
  const hash = createHash('sha256').update(`${base}\0`);
  for (const name of Object.keys(files).sort()) hash.update(`${name}\0${files[name] ?? ''}\0`);
  return `${NAME}:${hash.digest('hex').slice(0, 12)}`;
}

type Prepared = Plan['toPrepare'][number];
interface NodeImage {
  reference: string;
  reason: Said | null;
}

/** The registry is asked without pulling. */
export async function planClientImage(
  runtime: ContainerRuntime,
  kind: ClientKind,
  files: Record<string, string>,
): Promise<NodeImage & { toPrepare: Prepared[] }> {
  const toPrepare: Prepared[] = [];
  if (kind === 'sysbench' && (await isLocal(runtime, sysbenchTag(files)))) {
    return { reference: NODE_IMAGE, reason: null, toPrepare };
  }
  const node = await chooseNode(runtime, async () => {
    await runtime.images.probeRegistry(NODE_IMAGE);
    toPrepare.push({ kind: 'pull', reference: NODE_IMAGE, bytes: NODE_BYTES });
  });
  const tag = sysbenchTag(files, node.reference);
  if (kind === 'sysbench' && !(await isLocal(runtime, tag))) {
    toPrepare.push({ kind: 'build', reference: tag, bytes: null, base: node.reference });
  }
  return { ...node, toPrepare };
}

/** Resolves with the image's name. Rejects with IMAGE_BUILD_FAILED or CLIENT_IMAGE_MISSING. */
export async function ensureClientImage(
  runtime: ContainerRuntime,
  kind: ClientKind,
  spec: {
    files: Record<string, string>;
    planned?: string | undefined;
    proxies?: Record<string, string>;
  },
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<string> {
  const { files, planned = NODE_IMAGE, proxies = {} } = spec;
  const ready = sysbenchTag(files, planned);
  if (kind === 'sysbench' && (await isLocal(runtime, ready))) return ready;
  const base = (await isLocal(runtime, planned))
    ? planned
    : (await chooseNode(runtime, () => runtime.images.pull(NODE_IMAGE, onProgress, signal))).reference;
  if (kind === 'builtin') return base;
  const tag = sysbenchTag(files, base);
  if (await isLocal(runtime, tag)) return tag;
  await runtime.images.build(
    { tag, files, labels: { [IMAGE_LABEL]: tag }, buildArgs: { ...proxies, BASE: base } },
    onProgress,
    signal,
  );
  if (await isLocal(runtime, tag)) return tag;
  throw new BenchmarkError('IMAGE_BUILD_FAILED', { reason: `${tag} is not there after the build` });
}

async function isLocal(runtime: ContainerRuntime, reference: string): Promise<boolean> {
  return (await runtime.images.inspect(reference)) !== undefined;
}

async function chooseNode(runtime: ContainerRuntime, fetch: () => Promise<void>): Promise<NodeImage> {
  if (await isLocal(runtime, NODE_IMAGE)) return { reference: NODE_IMAGE, reason: null };
  try {
    await fetch();
    return { reference: NODE_IMAGE, reason: null };
  } catch (error) {
    if (!(error instanceof BenchmarkError) || !NOT_TO_BE_HAD.has(error.code)) throw error;
    const reference = localNode(await runtime.images.list());
    const { reason = '' } = error.params;
    if (reference !== undefined) return { reference, reason };
    throw new BenchmarkError(
      'CLIENT_IMAGE_MISSING',
      { image: NODE_IMAGE, reason },
      { evidence: error.evidence },
    );
  }
}

/** Other images with Node can be a user's application. */
function localNode(images: LocalImage[]): string | undefined {
  const found = images.flatMap(({ references, env }) => {
    const reference = references.find((one) => /(^|\/)node[:@]/.test(one));
    const [major = 0, minor = 0] = (env['NODE_VERSION'] ?? '').split('.').map(Number);
    const isOld = !(major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]));
    return reference === undefined || isOld ? [] : [{ reference, version: major * 1000 + minor }];
  });
  return found.sort((a, b) => b.version - a.version)[0]?.reference;
}

interface BuiltClientImage {
  id: string;
  reference: string;
  bytes: number;
}

/** Images without the tag may be a user's, built from one. */
export async function clientImages(runtime: ContainerRuntime): Promise<BuiltClientImage[]> {
  return (await runtime.images.list()).flatMap(({ labels, references, id, bytes }) => {
    const tag = labels[IMAGE_LABEL] ?? '';
    return tag.startsWith(`${NAME}:`) && references.includes(tag) ? [{ id, reference: tag, bytes }] : [];
  });
}

export async function removeClientImages(
  runtime: ContainerRuntime,
): Promise<{ removed: string[]; failed: { name: string; error: unknown }[] }> {
  const removed: string[] = [];
  const failed: { name: string; error: unknown }[] = [];
  for (const { reference } of await clientImages(runtime)) {
    try {
      // Removing by tag keeps an image that also has a user's tag.
      await runtime.images.remove(reference);
      removed.push(reference);
    } catch (error) {
      failed.push({ name: reference, error });
    }
  }
  return { removed, failed };
}
