import { Readable } from 'node:stream';
import * as z from 'zod';
import { msg, type Said } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { ImageSpec, LocalImage, OwnedResource, Progress } from '../specs.ts';
import { checked, dial, type EngineClient } from './engine-client.ts';
import { engineError, reasonOf, statusOf, unlessMissing } from './engine-error.ts';
import { BuildProgress, PullProgress, progressLineSchema, type ProgressLine } from './image-progress.ts';
import { LineSplitter } from './multiplex.ts';
import { tarOf } from './tar.ts';
import { jsonOf } from '../../files/json.ts';
import { IMAGE_LABEL, ownedFilter, labelsSchema } from '../labels.ts';

const listSchema = z.array(
  z.looseObject({
    Id: z.string(),
    RepoTags: z.array(z.string()).nullish(),
    Labels: labelsSchema,
  }),
);
const imageSchema = z.looseObject({
  Id: z.string(),
  RepoTags: z.array(z.string()).nullish(),
  RepoDigests: z.array(z.string()).nullish(),
  Architecture: z.string(),
  Size: z.number(),
  Config: z
    .looseObject({
      Env: z.array(z.string()).nullish(),
      Labels: labelsSchema,
    })
    .nullish(),
});

const INSPECTIONS_AT_ONCE = 8;
const REGISTRY_DEADLINE_MS = 30_000;
const COMMIT_DEADLINE_MS = 10 * 60_000;

export class Images {
  constructor(private readonly client: EngineClient) {}

  async list(): Promise<LocalImage[]> {
    const list = await this.client.answer(listSchema, msg('action.listImages'), (abortSignal) =>
      this.client.docker.listImages({ abortSignal }),
    );
    const ids = list.map(({ Id }) => Id);
    const images: LocalImage[] = [];
    for (let at = 0; at < ids.length; at += INSPECTIONS_AT_ONCE) {
      const found = await Promise.all(ids.slice(at, at + INSPECTIONS_AT_ONCE).map((id) => this.inspect(id)));
      for (const image of found) if (image !== undefined) images.push(image);
    }
    return images;
  }

  async inspect(reference: string): Promise<LocalImage | undefined> {
    checkReference(reference);
    const image = await this.client.answer(imageSchema.optional(), msg('action.inspectImage'), (signal) =>
      unlessMissing(this.#get(`/images/${reference}/json`, signal)),
    );
    return image && localImage(image);
  }

  /** Dockerode would drop the signal. */
  #get(path: string, abortSignal: AbortSignal): Promise<unknown> {
    const statusCodes = { 200: true } as const;
    return dial(this.client.docker, { path, method: 'GET', options: {}, statusCodes, abortSignal });
  }

  /** Rejects if the registry lacks the image, resolves if the engine can't ask. */
  async probeRegistry(reference: string): Promise<void> {
    checkReference(reference);
    try {
      await this.client.call(
        'ask a registry',
        async (abortSignal) => {
          const ofPodman = `/libpod/manifests/${fullName(reference)}/json`;
          for (const path of [`/distribution/${reference}/json`, ofPodman]) {
            try {
              await this.#get(path, abortSignal);
              return;
            } catch (error) {
              if (statusOf(error) === undefined) throw error;
              // Podman 5 lacks a query; Podman 4 and Docker have no such page.
              if (/is not supported|^(?:page )?not found$/i.test(reasonOf(error))) continue;
              throw registryError(reference, reasonOf(error));
            }
          }
        },
        { deadlineMs: null, signal: AbortSignal.timeout(REGISTRY_DEADLINE_MS) },
      );
    } catch (error) {
      if (!(error instanceof BenchmarkError && error.code === 'STOPPED')) throw error;
      throw registryError(reference, `i/o timeout (${REGISTRY_DEADLINE_MS / 1000} s)`);
    }
  }

  async pull(
    reference: string,
    onProgress: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    checkReference(reference);
    await this.#followed(
      msg('action.pullImage'),
      (abortSignal) => this.client.docker.pull(reference, { abortSignal }),
      {
        progress: new PullProgress(),
        failed: (reason) => registryError(reference, reason),
        ...{ onProgress, signal },
      },
    );
    onProgress({ fraction: 1, detail: reference });
  }

  async build(spec: ImageSpec, onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<void> {
    const progress = new BuildProgress();
    await this.#followed(
      msg('action.buildImage'),
      async (abortSignal) =>
        this.client.docker.buildImage(Readable.from([await tarOf(spec.files)]), {
          t: spec.tag,
          version: '1',
          rm: true,
          forcerm: true,
          labels: spec.labels,
          buildargs: spec.buildArgs,
          abortSignal,
        }),
      {
        progress,
        failed: (reason) =>
          new BenchmarkError('IMAGE_BUILD_FAILED', { reason }, { evidence: [...progress.tail] }),
        ...{ onProgress, signal },
      },
    );
    onProgress({ fraction: 1, detail: spec.tag });
  }

  async commit(containerId: string, tag: string, labels: Record<string, string>): Promise<string> {
    const [repo, name] = tag.split(':');
    const changes = Object.entries({ ...labels, [IMAGE_LABEL]: tag }).map(
      ([label, value]) => `LABEL ${label}=${JSON.stringify(value)}`,
    );
    const image = await this.client.made(
      listSchema.element,
      msg('action.buildImage'),
      (abortSignal) =>
        this.client.docker.getContainer(containerId).commit({ repo, tag: name, changes, abortSignal }),
      COMMIT_DEADLINE_MS,
    );
    return image.Id;
  }

  /** An image made from one inherits its labels, not its tag. */
  async listOwned(): Promise<OwnedResource[]> {
    const list = await this.client.answer(listSchema, msg('action.listImages'), (abortSignal) =>
      this.client.docker.listImages({ filters: ownedFilter(), abortSignal }),
    );
    return list.flatMap(({ RepoTags, Labels }): OwnedResource[] => {
      const tag = Labels?.[IMAGE_LABEL] ?? '';
      return RepoTags?.includes(tag) === true
        ? [{ kind: 'image', id: tag, name: tag, labels: Labels ?? {} }]
        : [];
    });
  }

  async remove(id: string): Promise<void> {
    await this.client.call('remove an image', (abortSignal) =>
      unlessMissing(this.client.docker.getImage(id).remove({ abortSignal })),
    );
  }

  async #followed(
    action: Said,
    open: (signal: AbortSignal) => Promise<NodeJS.ReadableStream>,
    { progress, failed, onProgress, signal }: Followed,
  ): Promise<void> {
    const splitter = new LineSplitter((text) => {
      if (text.trim() === '') return;
      const line = parsedLine(text, action);
      const next = progress.read(line);
      if (line.error !== undefined) throw failed(line.errorDetail?.message ?? line.error);
      if (next !== undefined) onProgress(next);
    });
    // An abort closes the connection, which stops the engine's work.
    await this.client.call(
      action,
      async (abortSignal) => {
        const stream = await open(abortSignal).catch((error: unknown) => {
          const status = statusOf(error);
          throw status === undefined || status === 503 ? error : failed(reasonOf(error));
        });
        for await (const chunk of stream) splitter.push('stdout', Buffer.from(chunk));
        splitter.end();
      },
      { deadlineMs: null, signal },
    );
  }
}

interface Followed {
  progress: PullProgress | BuildProgress;
  failed: (reason: string) => BenchmarkError;
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}

function parsedLine(text: string, action: Said): ProgressLine {
  const json = jsonOf(text);
  if (json === undefined) throw engineError(new Error(`the engine sent ${text.slice(0, 80)}`), action);
  return checked(progressLineSchema, json, action);
}

function localImage(image: z.infer<typeof imageSchema>): LocalImage {
  const env: Record<string, string> = {};
  for (const entry of image.Config?.Env ?? []) {
    const at = entry.indexOf('=');
    if (at > 0) env[entry.slice(0, at)] = entry.slice(at + 1);
  }
  return {
    id: image.Id,
    references: [...(image.RepoTags ?? []), ...(image.RepoDigests ?? [])].filter(
      (reference) => !reference.includes('<none>'),
    ),
    labels: image.Config?.Labels ?? {},
    env,
    architecture: image.Architecture,
    bytes: image.Size,
  };
}

/** Podman may use other registries for short references. */
function fullName(reference: string): string {
  const [host = '', ...path] = reference.split('/');
  if (path.length > 0 && /[.:]|^localhost$/.test(host)) return reference;
  return `docker.io/${path.length === 0 ? 'library/' : ''}${reference}`;
}

export function missingImage(image: string, error: unknown): BenchmarkError | undefined {
  const reason = reasonOf(error);
  return statusOf(error) === 404 && /no such image|image not known|unable to find/i.test(reason)
    ? imageNotFound(image, reason)
    : undefined;
}

const UNREACHABLE =
  /no such host|connection refused|i\/o timeout|tls handshake|temporary failure in name resolution|server misbehaving|proxy[^:]*|bad gateway|service unavailable|gateway timeout|network is unreachable|no route to host|connection reset|context deadline exceeded|client\.timeout|x509: [^:]*|certificate[^:]*|: eof$/i;

const NOT_FOUND =
  /manifest unknown|not found|name unknown|repository does not exist|denied: requested access|no matching manifest|no such image|invalid reference format|does not match the specified platform/i;

/** The end of Go's error chain has no addresses. */
function cause(reason: string): string {
  const known = UNREACHABLE.exec(reason)?.[0].replace(/^: /, '');
  return known ?? reason.split(': ').at(-1) ?? reason;
}

export function registryError(image: string, reason: string): BenchmarkError {
  if (UNREACHABLE.test(reason)) {
    return new BenchmarkError(
      'REGISTRY_UNREACHABLE',
      { image, reason: cause(reason), local: msg('image.listLocal') },
      { evidence: [reason] },
    );
  }
  return NOT_FOUND.test(reason)
    ? imageNotFound(image, reason)
    : new BenchmarkError('PULL_FAILED', { image, reason });
}

function imageNotFound(image: string, reason: string): BenchmarkError {
  return new BenchmarkError('IMAGE_NOT_FOUND', { image, reason, local: msg('image.listLocal') });
}

/** References become part of a request's path (distribution/reference). */
export function checkReference(reference: string): void {
  if (!/^[a-z0-9][\w.\-/:@]*$/i.test(reference) || reference.includes('..')) {
    throw imageNotFound(reference, 'this is not an image reference');
  }
}
