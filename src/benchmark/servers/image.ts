import { msg, type Said } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { ImageChoice, Notice } from '../../shared/model/plan.ts';
import { requestedServer, serverImage } from '../../shared/compose/image.ts';
import { IMAGE_LABEL } from '../runtime/labels.ts';
import type { ContainerRuntime, LocalImage } from '../runtime/container-runtime.ts';
import { versionNumbers, type ServerVersion } from './server-options.ts';

/** Official images set these variables. Undefined: no server. */
export function identifyImage(image: LocalImage): ServerVersion | undefined {
  const { env } = image;
  const percona = env['PS_VERSION'] ?? env['PERCONA_VERSION'];
  if (percona !== undefined) return { flavor: 'percona', version: percona };
  if (env['MARIADB_VERSION'] !== undefined) {
    // "1:11.8.6+maria~ubu2404" has Debian's epoch and build suffix.
    const version = env['MARIADB_VERSION'].replace(/^\d+:/, '').replace(/[+~].*$/, '');
    return { flavor: 'mariadb', version };
  }
  const mysql = env['MYSQL_VERSION'];
  return mysql === undefined
    ? undefined
    : { flavor: 'mysql', version: mysql.replace(/^\d+:/, '').replace(/[+~-].*$/, '') };
}

interface LocalServer {
  image: LocalImage;
  reference: string;
  server: ServerVersion;
}

export async function localServerImages(runtime: ContainerRuntime): Promise<LocalServer[]> {
  return (await runtime.images.list()).flatMap((image) => {
    const isOurs = image.references.includes(image.labels[IMAGE_LABEL] ?? '');
    const server = isOurs ? undefined : identifyImage(image);
    const reference = image.references.find(
      (one) => serverImage(one)?.startsItself !== true && !IN_NO_REGISTRY.test(one),
    );
    return server === undefined || reference === undefined ? [] : [{ image, reference, server }];
  });
}

/** Nearest version first. An image that the user named is replaced only within its major version. */
function compatibleImages(reference: string, local: LocalServer[], namedByUser: boolean): LocalServer[] {
  const wanted = requestedServer(reference);
  if (wanted === undefined) return [];
  const [major, minor] = versionNumbers(wanted.version);
  const distance = ({ server }: LocalServer): number => {
    const [ownMajor, ownMinor] = versionNumbers(server.version);
    return Math.abs(ownMajor - major) * 100 + Math.abs(ownMinor - minor);
  };
  return local
    .filter(({ server }) => server.flavor === wanted.flavor)
    .filter(({ server }) => !namedByUser || versionNumbers(server.version)[0] === major)
    .sort((a, b) => distance(a) - distance(b));
}

function repositoryOf(reference: string): string {
  const [name = ''] = reference.split('@');
  return name
    .replace(/:[^/:]*$/, '')
    .replace(/^(?:index\.)?docker\.io\//, '')
    .replace(/^library\//, '');
}

/** Docker Hub's official images, and Percona's own. */
const OFFICIAL = new Set(['mysql', 'mariadb', 'percona', 'percona/percona-server']);
/** In a registry these names belong to others. Podman adds `localhost`. */
const BUILT_HERE = /^(?:localhost\/)?whalemark-test\/(?:mysql|mariadb)$/;

export function isKnownImage({
  used,
  imageId,
  digest,
}: Pick<ImageChoice, 'used' | 'imageId' | 'digest'>): boolean {
  const repository = repositoryOf(used);
  return OFFICIAL.has(repository) || (BUILT_HERE.test(repository) && imageId !== null && digest === null);
}

/** No registry can have such a name (RFC 6761). */
const IN_NO_REGISTRY = /^[\w.-]+\.invalid\//;

/** A first part with a dot or port, or `localhost`, is a registry. */
function isOnDockerHub(reference: string): boolean {
  const [first = '', ...rest] = reference.split('/');
  return rest.length === 0 || !/[.:]|^localhost$/.test(first) || /^(?:index\.)?docker\.io$/.test(first);
}

/** Null without a registry, though some engines add a digest to each image. */
export function digestOf(used: string, { references }: Pick<LocalImage, 'references'>): string | null {
  if (references.some((reference) => IN_NO_REGISTRY.test(reference))) return null;
  const found = references.find(
    (reference) => reference.includes('@') && repositoryOf(reference) === repositoryOf(used),
  );
  return found?.split('@')[1] ?? null;
}

export function chooseLocal(
  requested: string,
  used: string,
  image: LocalImage,
  reason: Said | null,
): ImageChoice {
  const server = identifyImage(image);
  if (server === undefined) throw new BenchmarkError('IMAGE_UNKNOWN_FLAVOR', { image: used });
  return {
    requested,
    used,
    imageId: image.id,
    digest: digestOf(used, image),
    flavor: server.flavor,
    version: server.version,
    architecture: image.architecture,
    substituted: requested !== used,
    reason,
  };
}

/**
 * `imageId` is null for a registry's image. Without a registry, chooses a compatible local image. Rejects
 * with IMAGE_NOT_FOUND or REGISTRY_UNREACHABLE.
 */
export async function chooseImage(
  runtime: ContainerRuntime,
  requested: string,
  namedByUser: boolean,
  mayDiffer = true,
): Promise<ImageChoice> {
  const present = await runtime.images.inspect(requested);
  if (present !== undefined) return chooseLocal(requested, requested, present, null);
  try {
    if (namedByUser || isOnDockerHub(requested)) await runtime.images.probeRegistry(requested);
  } catch (error) {
    return chooseSubstitute(runtime, requested, error, { namedByUser, accepts: () => mayDiffer });
  }
  return { ...unusedImage(requested), flavor: requestedServer(requested)?.flavor ?? null };
}

/** Rejects with `error` if no local image may be used instead. */
export async function chooseSubstitute(
  runtime: ContainerRuntime,
  requested: string,
  error: unknown,
  options: { namedByUser: boolean; accepts?: (image: ImageChoice) => boolean },
): Promise<ImageChoice> {
  if (!(error instanceof BenchmarkError)) throw error;
  if (error.code !== 'REGISTRY_UNREACHABLE' && error.code !== 'IMAGE_NOT_FOUND') throw error;
  const { namedByUser, accepts = () => true } = options;
  const local = await localServerImages(runtime);
  const substitutes =
    error.code === 'REGISTRY_UNREACHABLE' ? compatibleImages(requested, local, namedByUser) : [];
  const usable = substitutes
    .map(({ reference, image }) => chooseLocal(requested, reference, image, error.params['reason'] ?? ''))
    .filter(accepts);
  // A project's own image would need a confirmation for the host's network.
  const found = usable.find(isKnownImage) ?? usable[0];
  if (found !== undefined) return found;
  const names = local.map(({ reference }) => reference).join(', ');
  throw new BenchmarkError(
    error.code,
    { ...error.params, image: requested, local: names || msg('list.none') },
    { evidence: error.evidence, cause: error },
  );
}

export function substitutionNotice({ requested, reason, used, flavor, version }: ImageChoice): Notice {
  return {
    code: 'IMAGE_SUBSTITUTED',
    message: msg('notice.imageSubstituted', {
      requested,
      reason: reason ?? msg('image.registryUnreachable'),
      used,
      software: `${flavor ?? ''} ${version ?? ''}`,
    }),
  };
}

export function unusedImage(requested: string): ImageChoice {
  return {
    requested,
    used: requested,
    imageId: null,
    digest: null,
    flavor: null,
    version: null,
    architecture: null,
    substituted: false,
    reason: null,
  };
}
