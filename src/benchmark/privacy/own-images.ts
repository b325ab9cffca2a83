import type { Plan } from '../../shared/model/plan.ts';
import { taskImage } from '../../shared/model/task.ts';

const PUBLIC = new Set([
  ...[
    'docker.io',
    'index.docker.io',
    'registry-1.docker.io',
    'registry.hub.docker.com',
    'ghcr.io',
    'quay.io',
  ],
  ...['mcr.microsoft.com', 'public.ecr.aws', 'registry.k8s.io', 'mirror.gcr.io', 'cgr.dev', 'lscr.io'],
  ...['container-registry.oracle.com', 'docker.m.daocloud.io', 'docker.mirrors.ustc.edu.cn'],
  // This isn't a registry, but the engine's errors name it.
  'docs.docker.com',
]);

const PATH_AND_TAG = String.raw`[a-z\d][\w./-]*`;
const TAG = String.raw`(?::\w[\w.-]*|@sha256:[\da-f]{64})`;
/** A bare name or IP address needs a port, and a tag or digest. */
const REFERENCE = new RegExp(
  String.raw`(?<![\w./@:-])(?:` +
    String.raw`((?:[a-z\d-]+\.)+[a-z][a-z\d-]+(?::\d{1,5})?)\/${PATH_AND_TAG}${TAG}*` +
    String.raw`|(?:[a-z][a-z\d-]*|(?:\d{1,3}\.){3}\d{1,3}):\d{1,5}\/${PATH_AND_TAG}${TAG}+)`,
  'gi',
);

export function withoutOwnImages(text: string, instead: () => string): string {
  return text.replace(REFERENCE, (whole: string, host?: string) =>
    host !== undefined && PUBLIC.has(host.toLowerCase()) ? whole : instead(),
  );
}

/** Undefined for public registries, and where Docker sees none. */
function ownRegistry(reference: string): string | undefined {
  const [host = '', ...rest] = reference.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(host) || host === 'localhost');
  return isHost && !PUBLIC.has(host.toLowerCase()) ? host : undefined;
}

/** Images from registries that aren't public. */
export class OwnImages {
  readonly #names = new Map<string, string>();

  constructor(plan: Plan) {
    const { configs, toPrepare, clientImage } = plan;
    const all = [
      ...configs.flatMap(({ image }) => [image.requested, image.used]),
      ...toPrepare.flatMap(({ reference, base }) => [reference, base ?? '']),
      clientImage?.reference ?? '',
      taskImage(plan) ?? '',
    ];
    for (const reference of all) {
      if (ownRegistry(reference) === undefined || this.#names.has(reference)) continue;
      const count = this.#names.size + 1;
      this.#names.set(reference, count === 1 ? 'own image' : `own image ${count}`);
    }
  }

  /** Undefined if the reference says nothing private. */
  nameOf(reference: string): string | undefined {
    return this.#names.get(reference);
  }

  get words(): string[] {
    return [...this.#names.keys()].flatMap((reference) => {
      const host = ownRegistry(reference) ?? '';
      const path = reference.slice(host.length + 1).replace(/(?::[^/:]*)?(?:@.*)?$/, '');
      // A single word such as "mysql" is everywhere.
      const paths = path.includes('/') ? [path] : [];
      return [reference, host, host.replace(/:\d+$/, ''), ...paths].filter((word) => word !== 'localhost');
    });
  }
}
